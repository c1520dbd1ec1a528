//! Enough of a Rust reader to find paths, attributes and test code, and nothing inside text.

use std::ops::Range;

/// A piece of code and the line it stands in, counted from one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// A word, `::`, or one character.
    pub text: String,
    /// Where.
    pub line: usize,
}

/// A path as it is used, groups spread out: `std::{fs, io}` is two of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedPath {
    /// Its parts.
    pub parts: Vec<String>,
    /// Where it begins.
    pub line: usize,
    /// It stands inside `pub use …;`.
    pub public_use: bool,
    /// It stands inside an item that is compiled for tests only.
    pub in_tests: bool,
    /// How many braces around it are open.
    pub depth: usize,
}

/// A source file, read.
#[derive(Debug)]
pub struct Source {
    /// Every path in it, in order.
    pub paths: Vec<UsedPath>,
    /// The words of each `derive`, with the line it begins in.
    pub derives: Vec<(usize, Vec<String>)>,
}

impl Source {
    /// Reads a file.
    pub fn read(text: &str) -> Self {
        let tokens = tokens(&blank(text));
        let tests = test_items(&tokens);
        Self {
            paths: paths(&tokens, &tests),
            derives: derives(&tokens),
        }
    }
}

/// Replaces comments and the insides of strings and characters by spaces; lines stay.
fn blank(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = chars.clone();
    let mut at = 0;
    while let Some(end) = chars.get(at).map(|_| end_of_piece(&chars, at)) {
        if let Some(end) = end {
            for slot in out.iter_mut().take(end).skip(at) {
                if *slot != '\n' {
                    *slot = ' ';
                }
            }
            at = end;
        } else {
            at += 1;
        }
    }
    out.into_iter().collect()
}

/// Returns where a comment or a literal that begins here ends, if one begins here.
fn end_of_piece(chars: &[char], at: usize) -> Option<usize> {
    let next = |n: usize| chars.get(at + n).copied().unwrap_or(' ');
    let inside_word = at > 0 && is_word(chars[at - 1]);
    match chars[at] {
        '/' if next(1) == '/' => Some(find(chars, at, |i| chars[i] == '\n')),
        '/' if next(1) == '*' => Some(end_of_block_comment(chars, at)),
        '"' => Some(end_of_string(chars, at + 1)),
        'b' if !inside_word && next(1) == '"' => Some(end_of_string(chars, at + 2)),
        'r' if !inside_word && matches!(next(1), '"' | '#') => end_of_raw(chars, at + 1),
        'b' if !inside_word && next(1) == 'r' => end_of_raw(chars, at + 2),
        '\'' if next(1) == '\\' => Some(find(chars, at + 3, |i| chars[i] == '\'') + 1),
        '\'' if next(2) == '\'' => Some(at + 3),
        _ => None,
    }
}

fn find(chars: &[char], from: usize, found: impl Fn(usize) -> bool) -> usize {
    (from..chars.len())
        .find(|i| found(*i))
        .unwrap_or(chars.len())
}

fn end_of_block_comment(chars: &[char], at: usize) -> usize {
    let (mut depth, mut i) = (0_usize, at);
    while i + 1 < chars.len() {
        match (chars[i], chars[i + 1]) {
            ('/', '*') => (depth, i) = (depth + 1, i + 2),
            ('*', '/') if depth == 1 => return i + 2,
            ('*', '/') => (depth, i) = (depth - 1, i + 2),
            _ => i += 1,
        }
    }
    chars.len()
}

fn end_of_string(chars: &[char], from: usize) -> usize {
    let mut i = from;
    while i < chars.len() {
        match chars[i] {
            '\\' => i += 2,
            '"' => return i + 1,
            _ => i += 1,
        }
    }
    chars.len()
}

fn end_of_raw(chars: &[char], from: usize) -> Option<usize> {
    let quote = find(chars, from, |i| chars[i] != '#');
    let hashes = quote - from;
    if chars.get(quote) != Some(&'"') {
        return None;
    }
    let closes = |i: usize| chars[i] == '"' && (1..=hashes).all(|n| chars.get(i + n) == Some(&'#'));
    Some((find(chars, quote + 1, closes) + hashes + 1).min(chars.len()))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn tokens(code: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    for (number, line) in code.lines().enumerate() {
        let mut glued = false;
        for c in line.chars() {
            let joins = |last: &Token| {
                (is_word(c) && last.text.chars().all(is_word)) || (c == ':' && last.text == ":")
            };
            match out.last_mut() {
                Some(last) if glued && joins(last) => last.text.push(c),
                _ if c.is_whitespace() => {}
                _ => out.push(Token {
                    text: c.to_string(),
                    line: number + 1,
                }),
            }
            glued = !c.is_whitespace();
        }
    }
    out
}

/// Finds the items behind `#[cfg(test)]`, as ranges of tokens.
fn test_items(tokens: &[Token]) -> Vec<Range<usize>> {
    let marker = ["#", "[", "cfg", "(", "test", ")", "]"];
    let begins = |i: usize| {
        let here = tokens.iter().skip(i).take(marker.len());
        here.map(|token| token.text.as_str()).eq(marker)
    };
    (0..tokens.len())
        .filter(|i| begins(*i))
        .map(|i| i..end_of_item(tokens, i + marker.len()))
        .collect()
}

fn end_of_item(tokens: &[Token], from: usize) -> usize {
    let mut depth = 0_usize;
    for (i, token) in tokens.iter().enumerate().skip(from) {
        match token.text.as_str() {
            "{" => depth += 1,
            "}" if depth <= 1 => return i + 1,
            "}" => depth -= 1,
            ";" if depth == 0 => return i + 1,
            _ => {}
        }
    }
    tokens.len()
}

fn paths(tokens: &[Token], tests: &[Range<usize>]) -> Vec<UsedPath> {
    let mut out = Vec::new();
    let (mut i, mut depth, mut public_use) = (0, 0_usize, false);
    while let Some(token) = tokens.get(i) {
        match token.text.as_str() {
            "{" => depth += 1,
            "}" => depth = depth.saturating_sub(1),
            ";" => public_use = false,
            "use" => public_use = is_public(tokens, i),
            word if word.chars().all(is_word) && begins_path(tokens, i) => {
                let (parts, end) = spread(tokens, i);
                let in_tests = tests.iter().any(|range| range.contains(&i));
                out.extend(parts.into_iter().map(|parts| UsedPath {
                    parts,
                    line: token.line,
                    public_use,
                    in_tests,
                    depth,
                }));
                i = end;
                continue;
            }
            _ => {}
        }
        i += 1;
    }
    out
}

fn is_public(tokens: &[Token], at_use: usize) -> bool {
    let before = tokens.get(..at_use).unwrap_or_default();
    match before.last().map(|token| token.text.as_str()) {
        Some("pub") => true,
        Some(")") => before.iter().rev().take(6).any(|token| token.text == "pub"),
        _ => false,
    }
}

/// A path has a `::` behind its first word, or is the whole of a `use`.
fn begins_path(tokens: &[Token], i: usize) -> bool {
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text.as_str());
    let continues = i >= 2 && text(i - 1) == "::" && text(i - 2).chars().all(is_word);
    !continues && (text(i + 1) == "::" || (i > 0 && text(i - 1) == "use"))
}

/// Reads a path from its first word; returns it with its groups spread, and where it ends.
fn spread(tokens: &[Token], at: usize) -> (Vec<Vec<String>>, usize) {
    let text = |i: usize| tokens.get(i).map_or("", |token| token.text.as_str());
    let (mut stem, mut i) = (vec![text(at).to_owned()], at + 1);
    while text(i) == "::" {
        match text(i + 1) {
            "{" => {
                let (members, end) = spread_group(tokens, i + 2);
                let joined = members
                    .into_iter()
                    .map(|tail| [stem.clone(), tail].concat());
                return (joined.collect(), end);
            }
            "*" => {
                stem.push("*".to_owned());
                return (vec![stem], i + 2);
            }
            word if !word.is_empty() && word.chars().all(is_word) => stem.push(word.to_owned()),
            _ => return (vec![stem], i + 1),
        }
        i += 2;
    }
    (vec![stem], i)
}

fn spread_group(tokens: &[Token], from: usize) -> (Vec<Vec<String>>, usize) {
    let (mut members, mut i) = (Vec::new(), from);
    while let Some(token) = tokens.get(i) {
        match token.text.as_str() {
            "}" => return (members, i + 1),
            "as" => i += 2,
            "*" => {
                members.push(vec!["*".to_owned()]);
                i += 1;
            }
            word if word.chars().all(is_word) => {
                let (parts, end) = spread(tokens, i);
                members.extend(parts);
                i = end;
            }
            _ => i += 1,
        }
    }
    (members, i)
}

fn derives(tokens: &[Token]) -> Vec<(usize, Vec<String>)> {
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        if token.text == "derive" && tokens.get(i + 1).is_some_and(|next| next.text == "(") {
            let words = tokens.iter().skip(i + 2).map(|token| token.text.clone());
            out.push((token.line, words.take_while(|word| word != ")").collect()));
        }
    }
    out
}
