//! What the person asks for, as calls.

use serde_json::{Value, json};

use crate::demo::reading::{Language, Reading};
use crate::demo::reply::Call;

/// What was found in a message.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Asked {
    /// The calls, in the order in which they are made.
    pub(super) calls: Vec<Call>,
    /// Tools that would be needed and aren't there.
    pub(super) missing: Vec<&'static str>,
    /// Arithmetic that no tool can do.
    pub(super) other_arithmetic: bool,
}

impl Asked {
    /// Says whether nothing was asked for that takes a tool.
    pub(super) fn is_nothing(&self) -> bool {
        *self == Self::default()
    }

    fn call(&mut self, reading: &Reading, tool: &'static str, input: Value) {
        match reading.tool(tool) {
            Some(name) => self.calls.push(Call {
                name: name.to_owned(),
                input,
            }),
            None => self.missing.push(tool),
        }
    }
}

/// Reads what is asked for.
pub(super) fn asked(reading: &Reading) -> Asked {
    let said = reading.said.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| said.contains(word));
    let mut asked = Asked::default();
    if any(&["weather", "天气", "气温"]) {
        asked.call(reading, "get_weather", json!({"city": city(reading)}));
    }
    match arithmetic(&said) {
        Some(Arithmetic::Add(a, b)) => asked.call(reading, "add", json!({"a": a, "b": b})),
        Some(Arithmetic::Other) => asked.other_arithmetic = true,
        None => {}
    }
    if any(&["slow", "count", "慢", "数到", "进度"]) {
        let seconds = numbers(&said).first().map_or(5.0, |(_, number)| *number);
        asked.call(
            reading,
            "slow_count",
            json!({"seconds": whole(seconds.clamp(1.0, 60.0))}),
        );
    }
    if any(&["fail", "失败", "出错"]) {
        asked.call(reading, "fail", json!({}));
    }
    if any(&["log in", "login", "password", "密码", "登录"]) {
        // Made up, in a shape that anybody would take for a password.
        let input = json!({"user": "tide", "password": "s4lt-Water!93"});
        asked.call(reading, "store_password", input);
    }
    asked
}

enum Arithmetic {
    Add(Value, Value),
    Other,
}

/// Reads a sum: two numbers with a word between them, or `add 1 and 2`.
fn arithmetic(said: &str) -> Option<Arithmetic> {
    let numbers = numbers(said);
    for pair in numbers.windows(2) {
        let [(first_end, first), (second_end, second)] = pair else {
            continue;
        };
        let between = said.get(*first_end..*second_end).unwrap_or_default();
        let before = said.get(..*first_end).unwrap_or_default();
        let between = between.trim_end_matches(|char: char| char.is_ascii_digit() || char == '.');
        if [
            "乘", "times", "×", "*", "除", "divided", "÷", "/", "减", "minus", "multipl",
        ]
        .iter()
        .any(|word| between.contains(word))
            || (between.contains("by") && before.contains("multiply"))
        {
            return Some(Arithmetic::Other);
        }
        let joins = ["加", "plus", "+"]
            .iter()
            .any(|word| between.contains(word));
        let lists = ["and", "和", "与", "to"]
            .iter()
            .any(|word| between.contains(word));
        let adds = ["add", "sum", "加"]
            .iter()
            .any(|word| before.contains(word));
        if joins || (lists && (adds || said.contains('和') && said.contains("加"))) {
            return Some(Arithmetic::Add(whole(*first), whole(*second)));
        }
    }
    None
}

/// Returns every number with the place behind it, in bytes.
fn numbers(said: &str) -> Vec<(usize, f64)> {
    let mut found = Vec::new();
    let mut digits = String::new();
    for (at, char) in said.char_indices().chain([(said.len(), ' ')]) {
        let more = char.is_ascii_digit() || (char == '.' && !digits.is_empty());
        if more {
            digits.push(char);
        } else if !digits.is_empty() {
            let dots = digits.len() - digits.trim_end_matches('.').len();
            if let Ok(number) = digits.trim_end_matches('.').parse() {
                found.push((at - dots, number));
            }
            digits.clear();
        }
    }
    found
}

/// Writes a number without a fraction as a whole one.
fn whole(number: f64) -> Value {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked to be whole and small enough"
    )]
    if number.fract() == 0.0 && number.abs() < 1e15 {
        json!(number as i64)
    } else {
        json!(number)
    }
}

/// Returns the city that is asked about.
fn city(reading: &Reading) -> String {
    let city = match reading.language {
        Language::English => english_city(&reading.said),
        Language::Chinese => chinese_city(&reading.said),
    };
    city.unwrap_or_else(|| match reading.language {
        Language::English => "Beijing".to_owned(),
        Language::Chinese => "北京".to_owned(),
    })
}

/// Takes the words after `weather in`, up to the end of the clause; all of them begin with a
/// capital letter, or it is the first alone.
fn english_city(said: &str) -> Option<String> {
    let (_, rest) = said
        .split_once(" in ")
        .or_else(|| said.split_once(" for "))?;
    let clause = rest.split(['?', '.', ',', '!', ';', '\n']).next()?;
    let mut city = Vec::new();
    for word in clause.split_whitespace() {
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        if !city.is_empty() && !capital {
            break;
        }
        city.push(word);
    }
    Some(city.join(" ")).filter(|city| !city.is_empty())
}

/// Takes the characters before 天气 that are neither marks nor words around a name.
fn chinese_city(said: &str) -> Option<String> {
    let before = said.split(['天', '气']).next()?;
    let clause = before
        .rsplit([',', '，', '。', '？', '?', '!', '！', ' ', ':', '：'])
        .next()?;
    let mut name = clause.trim_end_matches(['的', '今', '明', '后', '现', '在']);
    for word in [
        "请问",
        "请",
        "帮我",
        "查一下",
        "查查",
        "查",
        "看看",
        "看一下",
        "告诉我",
        "一下",
    ] {
        name = name.strip_prefix(word).unwrap_or(name);
    }
    let name: String = name.chars().filter(|char| char.is_alphabetic()).collect();
    Some(name).filter(|name| (1..=12).contains(&name.chars().count()))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::asked;
    use crate::demo::reading::Reading;

    fn calls(said: &str) -> Vec<(String, Value)> {
        let tools: Vec<Value> = ["get_weather", "add", "slow_count", "fail", "store_password"]
            .iter()
            .map(|tool| json!({"name": format!("demo__{tool}")}))
            .collect();
        let request = json!({
            "messages": [{"role": "user", "content": said}],
            "tools": tools,
        });
        let asked = asked(&Reading::of(&request));
        asked
            .calls
            .into_iter()
            .map(|call| (call.name.replace("demo__", ""), call.input))
            .collect()
    }

    fn call(name: &str, input: Value) -> (String, Value) {
        (name.to_owned(), input)
    }

    #[test]
    fn the_question_of_the_contract_asks_for_both_tools_in_both_languages() {
        let sum = call("add", json!({"a": 1234, "b": 5678}));
        assert_eq!(
            calls("北京天气怎么样?另外帮我算 1234 加 5678"),
            [call("get_weather", json!({"city": "北京"})), sum.clone()]
        );
        assert_eq!(
            calls("What is the weather in Beijing? Also add 1234 and 5678"),
            [call("get_weather", json!({"city": "Beijing"})), sum]
        );
    }

    #[test]
    fn cities_are_found_where_people_write_them() {
        for (said, city) in [
            ("请问上海的天气如何", "上海"),
            ("你好，帮我查一下呼和浩特今天天气", "呼和浩特"),
            ("weather in New York and 3 plus 4", "New York"),
            ("how's the weather in berlin today", "berlin"),
            ("weather?", "Beijing"),
            ("天气怎么样", "北京"),
        ] {
            let found = calls(said);
            assert_eq!(
                found.first(),
                Some(&call("get_weather", json!({"city": city}))),
                "{said}"
            );
        }
    }

    #[test]
    fn sums_are_found_and_other_arithmetic_is_not_a_sum() {
        let sum = |a, b| vec![call("add", json!({"a": a, "b": b}))];
        for (said, expected) in [
            ("1+2", sum(json!(1), json!(2))),
            ("add 1.5 to 2", sum(json!(1.5), json!(2))),
            ("what is the sum of 3 and 4.", sum(json!(3), json!(4))),
            ("把 3 和 4 加起来", sum(json!(3), json!(4))),
            ("12 times 12", vec![]),
            ("12乘以12", vec![]),
            ("multiply 3 by 4", vec![]),
            ("I have 3 dogs and 4 cats", vec![]),
        ] {
            assert_eq!(calls(said), expected, "{said}");
        }
    }

    #[test]
    fn slow_failing_and_secret_tools_are_asked_for_by_their_words() {
        assert_eq!(
            calls("count slowly to 8"),
            [call("slow_count", json!({"seconds": 8}))]
        );
        assert_eq!(calls("慢一点"), [call("slow_count", json!({"seconds": 5}))]);
        assert_eq!(
            calls("count to 9999"),
            [call("slow_count", json!({"seconds": 60}))]
        );
        assert_eq!(calls("Fail, please"), [call("fail", json!({}))]);
        assert_eq!(
            calls("用密码登录").first().map(|(name, _)| name.as_str()),
            Some("store_password")
        );
        assert_eq!(calls("hello"), []);
    }
}
