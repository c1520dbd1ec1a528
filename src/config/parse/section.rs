//! One table of the file, read key by key: what is left over at the end is unknown.

use toml::de::{DeTable, DeValue};

use crate::config::error::Problem;
use crate::config::model::{did_you_mean, nearest};

/// A value and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Item<'a> {
    /// Its key, with the tables around it: `limits.max_turns`.
    pub(super) path: String,
    /// Where it is in the text, in bytes.
    pub(super) at: usize,
    /// The value.
    pub(super) value: &'a DeValue<'a>,
}

/// A table whose keys are taken one after the other.
#[derive(Debug)]
pub(super) struct Section<'a> {
    path: String,
    left: Vec<Item<'a>>,
    known: Vec<&'static str>,
}

/// Collects what is wrong while a text is read.
#[derive(Debug)]
pub(super) struct Reader<'t> {
    text: &'t str,
    pub(super) problems: Vec<Problem>,
}

impl<'a> Section<'a> {
    /// Begins with the whole file.
    pub(super) fn root(table: &'a DeTable<'a>) -> Self {
        Self::new(String::new(), table)
    }

    fn new(path: String, table: &'a DeTable<'a>) -> Self {
        let item = |(key, value): (&toml::Spanned<_>, &'a toml::Spanned<DeValue<'a>>)| {
            let name: &std::borrow::Cow<'_, str> = key.get_ref();
            Item {
                path: joined(&path, name),
                at: key.span().start,
                value: value.get_ref(),
            }
        };
        let mut left: Vec<Item<'a>> = table.iter().map(item).collect();
        left.sort_by_key(|item| item.at);
        Self {
            path,
            left,
            known: Vec::new(),
        }
    }

    /// Takes a key's value out, if it is there.
    pub(super) fn take(&mut self, key: &'static str) -> Option<Item<'a>> {
        self.known.push(key);
        let path = joined(&self.path, key);
        let at = self.left.iter().position(|item| item.path == path)?;
        Some(self.left.remove(at))
    }

    /// Returns what is left, in the order of the file, for tables whose keys are a person's own.
    pub(super) fn items(&self) -> impl Iterator<Item = (&str, &Item<'a>)> {
        let prefix = self.path.len() + usize::from(!self.path.is_empty());
        self.left
            .iter()
            .map(move |item| (item.path.get(prefix..).unwrap_or_default(), item))
    }

    /// Reports what nobody took.
    pub(super) fn finish(self, reader: &mut Reader<'_>) {
        for (name, item) in self.items() {
            let similar = nearest(name, self.known.iter().copied())
                .map(|similar| joined(&self.path, &similar));
            let text = format!(
                "unknown key `{}`{}",
                item.path,
                did_you_mean(similar.as_deref())
            );
            reader.problem(item.at, text);
        }
    }
}

impl<'t> Reader<'t> {
    /// Begins to read a text.
    pub(super) fn new(text: &'t str) -> Self {
        Self {
            text,
            problems: Vec::new(),
        }
    }

    /// Reports a problem at a place of the text.
    pub(super) fn problem(&mut self, at: usize, text: String) {
        let before = self.text.as_bytes().iter().take(at);
        let line = 1 + before.filter(|byte| **byte == b'\n').count();
        self.problems.push(Problem { line, text });
    }

    /// Reads a table.
    pub(super) fn section<'a>(&mut self, item: &Item<'a>) -> Option<Section<'a>> {
        match item.value.as_table() {
            Some(table) => Some(Section::new(item.path.clone(), table)),
            None => self.wrong(item, "a table"),
        }
    }

    /// Reads a text that isn't empty.
    pub(super) fn word(&mut self, item: &Item<'_>) -> Option<String> {
        match item.value.as_str().map(str::trim) {
            Some("") => self.wrong(item, "a text that is not empty"),
            Some(text) => Some(text.to_owned()),
            None => self.wrong(item, "a text in quotes"),
        }
    }

    /// Reads a list of texts, each with its place.
    pub(super) fn words(&mut self, item: &Item<'_>) -> Vec<(usize, String)> {
        let Some(list) = item.value.as_array() else {
            return self.wrong(item, "a list of texts").unwrap_or_default();
        };
        let mut words = Vec::new();
        for element in list {
            let element = Item {
                path: item.path.clone(),
                at: element.span().start,
                value: element.get_ref(),
            };
            words.extend(self.word(&element).map(|word| (element.at, word)));
        }
        words
    }

    /// Reads a whole number within limits.
    pub(super) fn number(&mut self, item: &Item<'_>, least: u64, most: u64) -> Option<u64> {
        let Some(number) = item.value.as_integer() else {
            return self.wrong(item, "a whole number");
        };
        match u64::from_str_radix(number.as_str(), number.radix()) {
            Ok(number) if (least..=most).contains(&number) => Some(number),
            _ => {
                let text = format!("`{}` must be between {least} and {most}", item.path);
                self.problem(item.at, text);
                None
            }
        }
    }

    /// Reports a value of the wrong type.
    pub(super) fn wrong<T>(&mut self, item: &Item<'_>, wanted: &str) -> Option<T> {
        let found = match item.value {
            DeValue::String(_) => "a text",
            DeValue::Integer(_) => "a whole number",
            DeValue::Float(_) => "a number",
            DeValue::Boolean(_) => "true or false",
            DeValue::Datetime(_) => "a date",
            DeValue::Array(_) => "a list",
            DeValue::Table(_) => "a table",
        };
        self.problem(
            item.at,
            format!("`{}` must be {wanted}, not {found}", item.path),
        );
        None
    }
}

fn joined(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}
