//! `[provider.NAME]`: endpoints.

use crate::config::ProviderEntry;
use crate::config::model::{PROVIDERS, did_you_mean, nearest};
use crate::config::parse::section::{Item, Reader, Section};

/// Reads every endpoint.
pub(super) fn entries(section: &Section<'_>, reader: &mut Reader<'_>) -> Vec<ProviderEntry> {
    section
        .items()
        .filter_map(|(name, item)| entry(name, item, reader))
        .collect()
}

fn entry(name: &str, item: &Item<'_>, reader: &mut Reader<'_>) -> Option<ProviderEntry> {
    let mut section = reader.section(item)?;
    if name.is_empty() || name.contains('/') {
        reader.problem(item.at, format!("`{name}` can't be the name of a provider"));
    }
    let wire = wire(name, item, section.take("wire"), reader);
    let entry = ProviderEntry {
        name: name.to_owned(),
        wire: wire.unwrap_or_default(),
        base_url: section.take("base_url").and_then(|i| address(&i, reader)),
        api_key_env: section.take("api_key_env").and_then(|i| reader.word(&i)),
        api_key_command: section
            .take("api_key_command")
            .map(|i| command(&i, reader))
            .unwrap_or_default(),
    };
    section.finish(reader);
    Some(entry)
}

fn wire(
    name: &str,
    entry: &Item<'_>,
    written: Option<Item<'_>>,
    reader: &mut Reader<'_>,
) -> Option<String> {
    let known = PROVIDERS.contains(&name);
    let Some(item) = written else {
        if !known {
            let text = format!(
                "`{}` needs a `wire`: the API that it speaks, one of {}",
                entry.path,
                PROVIDERS.join(", ")
            );
            reader.problem(entry.at, text);
        }
        return known.then(|| name.to_owned());
    };
    let wire = reader.word(&item)?;
    if known && wire != name {
        let text = format!("`{name}` always speaks its own wire form; choose another name");
        reader.problem(item.at, text);
        return None;
    }
    if !PROVIDERS.contains(&wire.as_str()) {
        let similar = nearest(&wire, PROVIDERS.iter().copied());
        let text = format!(
            "unknown wire form `{wire}`{}",
            did_you_mean(similar.as_deref())
        );
        reader.problem(item.at, text);
        return None;
    }
    Some(wire)
}

fn address(item: &Item<'_>, reader: &mut Reader<'_>) -> Option<String> {
    let address = reader.word(item)?;
    let rest = address
        .strip_prefix("https://")
        .or_else(|| address.strip_prefix("http://"));
    if rest.is_none_or(|rest| rest.is_empty() || rest.starts_with('/')) {
        let text = format!(
            "`{}` must begin with https:// or http:// and a host",
            item.path
        );
        reader.problem(item.at, text);
        return None;
    }
    Some(address)
}

fn command(item: &Item<'_>, reader: &mut Reader<'_>) -> Vec<String> {
    let words: Vec<String> = reader
        .words(item)
        .into_iter()
        .map(|(_, word)| word)
        .collect();
    if words.is_empty() && item.value.as_array().is_some() {
        let text = format!("`{}` must name a program and its arguments", item.path);
        reader.problem(item.at, text);
    }
    words
}
