use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rmcp::model::{CallToolRequestParams, ClientConfig, ProgressNotificationParam};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Value, json};

use crate::demo::Demo;
use crate::demo::server::DemoServer;

/// What came back for one request: the blocks put together, and why it stopped.
#[derive(Debug)]
struct Heard {
    blocks: Vec<Value>,
    stop: Value,
}

impl Heard {
    fn text(&self) -> String {
        let texts = self
            .blocks
            .iter()
            .filter_map(|block| block["text"].as_str());
        texts.collect::<Vec<_>>().join("\n")
    }

    fn calls(&self) -> Vec<&Value> {
        let is_call = |block: &&Value| block["type"] == "tool_use";
        self.blocks.iter().filter(is_call).collect()
    }
}

fn request(messages: &[Value]) -> Value {
    let schema = json!({"type": "object", "properties": {}});
    let tools = ["get_weather", "add", "slow_count", "fail", "store_password"];
    let tools: Vec<Value> = tools
        .iter()
        .map(|tool| json!({"name": format!("demo__{tool}"), "input_schema": schema}))
        .collect();
    json!({
        "model": "keytide-demo",
        "max_tokens": 32_000,
        "stream": true,
        "thinking": {"type": "adaptive", "display": "summarized"},
        "tools": tools,
        "messages": messages,
    })
}

async fn post(demo: &Demo, body: &Value) -> (u16, String) {
    let url = format!("{}/v1/messages", demo.base_url());
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client
        .post(url)
        .header("anthropic-version", "2023-06-01")
        .header("content-type", "application/json")
        .body(body.to_string());
    let response = request.send().await.unwrap();
    (response.status().as_u16(), response.text().await.unwrap())
}

async fn ask(demo: &Demo, messages: &[Value]) -> Heard {
    let (status, body) = post(demo, &request(messages)).await;
    assert_eq!(status, 200, "{body}");
    let mut heard = Heard {
        blocks: Vec::new(),
        stop: Value::Null,
    };
    let mut arguments = String::new();
    for data in body.lines().filter_map(|line| line.strip_prefix("data: ")) {
        let event: Value = serde_json::from_str(data).unwrap();
        let delta = &event["delta"];
        match event["type"].as_str().unwrap() {
            "content_block_start" => heard.blocks.push(event["content_block"].clone()),
            "content_block_delta" => {
                let block = heard.blocks.last_mut().unwrap();
                for key in ["text", "thinking", "signature"] {
                    if let Some(piece) = delta[key].as_str() {
                        block[key] = json!(block[key].as_str().unwrap().to_owned() + piece);
                    }
                }
                arguments.push_str(delta["partial_json"].as_str().unwrap_or_default());
            }
            "content_block_stop" => {
                let block = heard.blocks.last_mut().unwrap();
                if block["type"] == "tool_use" {
                    block["input"] = serde_json::from_str(&arguments).unwrap();
                }
                arguments.clear();
            }
            "message_delta" => heard.stop = delta["stop_reason"].clone(),
            "message_start" | "message_stop" | "ping" => {}
            other => panic!("{other}"),
        }
    }
    heard
}

fn user(text: &str) -> Value {
    json!({"role": "user", "content": text})
}

fn assistant(heard: &Heard) -> Value {
    json!({"role": "assistant", "content": heard.blocks})
}

fn results(heard: &Heard, texts: &[(&str, bool)]) -> Value {
    let result = |(call, (text, failed)): (&&Value, &(&str, bool))| json!({"type": "tool_result", "tool_use_id": call["id"], "content": text, "is_error": failed});
    let content: Vec<Value> = heard.calls().iter().zip(texts).map(result).collect();
    json!({"role": "user", "content": content})
}

#[tokio::test]
async fn a_greeting_is_answered_with_the_gate_in_the_language_of_the_person() {
    let demo = Demo::start_fast().await.unwrap();
    let english = ask(&demo, &[user("hello")]).await;
    assert!(english.text().contains("`y` | runs this call"));
    assert_eq!(english.stop, "end_turn");
    let chinese = ask(&demo, &[user("你好")]).await;
    assert!(chinese.text().contains("`y` | 运行这次调用"));
}

#[tokio::test]
async fn two_tools_are_asked_for_at_once_and_the_answer_uses_their_results() {
    let demo = Demo::start_fast().await.unwrap();
    let question = user("北京天气怎么样?另外帮我算 1234 加 5678");
    let asked = ask(&demo, std::slice::from_ref(&question)).await;
    assert_eq!(asked.stop, "tool_use");
    let names: Vec<&Value> = asked.calls().iter().map(|call| &call["name"]).collect();
    assert_eq!(names, ["demo__get_weather", "demo__add"]);
    let answers = results(&asked, &[("北京:晴,12 °C", false), ("6912", false)]);
    let told = ask(&demo, &[question, assistant(&asked), answers]).await;
    assert_eq!(told.text(), "- 北京:晴,12 °C\n- 相加的结果是 **6912**。");
    assert_eq!(told.stop, "end_turn");
}

#[tokio::test]
async fn denials_with_and_without_a_reason_and_errors_are_acknowledged() {
    let demo = Demo::start_fast().await.unwrap();
    let question = user("add 1 and 2");
    let asked = ask(&demo, std::slice::from_ref(&question)).await;
    for (result, told) in [
        (
            "Denied: the user declined this call. It was not run. The user's reason: not today",
            "You denied `add`, so it did not run. Your reason: \"not today\". I take that into account.",
        ),
        (
            "Denied: the user declined this call.",
            "You denied `add`, so it did not run and nothing was changed.",
        ),
        (
            "Tool error: the tool reported an error.\n\nno disk",
            "`add` failed: \"no disk\" I will not try again on my own.",
        ),
    ] {
        let result = results(&asked, &[(result, true)]);
        let heard = ask(&demo, &[question.clone(), assistant(&asked), result]).await;
        assert_eq!(heard.text(), told);
    }
}

#[tokio::test]
async fn it_has_no_tool_for_multiplication_and_says_so() {
    let demo = Demo::start_fast().await.unwrap();
    let told = ask(&demo, &[user("what is 12 times 12?")]).await;
    assert!(told.calls().is_empty());
    assert!(told.text().starts_with("I have no tool for that"));
}

#[tokio::test]
async fn a_conversation_that_is_not_valid_is_refused_in_the_api_s_own_form() {
    let demo = Demo::start_fast().await.unwrap();
    let question = user("add 1 and 2");
    let asked = ask(&demo, std::slice::from_ref(&question)).await;
    let mut changed = assistant(&asked);
    changed["content"][0]["thinking"] = json!("changed");
    let good = results(&asked, &[("3", false)]);
    let mut late = good.clone();
    let result = late["content"][0].take();
    late["content"] = json!([{"type": "text", "text": "hm"}, result]);
    for (messages, reason) in [
        (vec![], "messages: at least one message is required"),
        (vec![user(" ")], "messages.0.content: must not be empty"),
        (
            vec![question.clone(), assistant(&asked), user("and?")],
            "messages.2: `tool_use` ids were found without `tool_result` blocks",
        ),
        (
            vec![question.clone(), assistant(&asked), late],
            "messages.2: `tool_result` blocks must come first",
        ),
        (
            vec![question.clone(), changed, good.clone()],
            "messages.1.content.0: `thinking` blocks cannot be modified",
        ),
        (vec![good], "messages.0: unexpected `tool_use_id` found"),
    ] {
        let (status, body) = post(&demo, &request(&messages)).await;
        let error: Value = serde_json::from_str(&body).unwrap();
        assert_eq!((status, &error["type"]), (400, &json!("error")));
        let message = error["error"]["message"].as_str().unwrap();
        assert!(message.starts_with(reason), "{message}");
    }
}

#[tokio::test]
async fn a_dropped_demo_answers_no_more() {
    let demo = Demo::start_fast().await.unwrap();
    let address = demo.base_url().trim_start_matches("http://").to_owned();
    drop(demo);
    tokio::task::yield_now().await;
    assert!(tokio::net::TcpStream::connect(address).await.is_err());
}

/// A client that counts the progress it hears.
#[derive(Clone, Default)]
struct Client {
    heard: Arc<AtomicU32>,
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::default()
    }

    async fn on_progress(
        &self,
        _progress: ProgressNotificationParam,
        _context: NotificationContext<RoleClient>,
    ) {
        self.heard.fetch_add(1, Ordering::Relaxed);
    }
}

async fn connected(client: Client) -> RunningService<RoleClient, Client> {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    tokio::spawn(async move {
        let service = DemoServer.serve(theirs).await.unwrap();
        service.waiting().await.unwrap();
    });
    client.serve(ours).await.unwrap()
}

async fn call(
    service: &RunningService<RoleClient, Client>,
    name: &'static str,
    arguments: Value,
) -> (String, bool) {
    let arguments = arguments.as_object().unwrap().clone();
    let params = CallToolRequestParams::new(name).with_arguments(arguments);
    let result = service.call_tool(params).await.unwrap();
    let text = result.content[0].as_text().unwrap().text.clone();
    (text, result.is_error == Some(true))
}

#[tokio::test]
async fn the_server_lists_its_tools_with_hints_and_a_password_field() {
    let service = connected(Client::default()).await;
    let tools = service.list_all_tools().await.unwrap();
    let listed: Vec<(String, Option<bool>, Option<bool>)> = tools
        .iter()
        .map(|tool| {
            let hints = tool.annotations.as_ref().unwrap();
            (
                tool.name.to_string(),
                hints.read_only_hint,
                hints.destructive_hint,
            )
        })
        .collect();
    let tool = |name: &str, reads| (name.to_owned(), Some(reads), Some(false));
    assert_eq!(
        listed,
        [
            tool("get_weather", true),
            tool("add", true),
            tool("slow_count", true),
            tool("fail", true),
            tool("store_password", false),
        ]
    );
    let schema = &tools[4].input_schema["properties"]["password"];
    assert_eq!(schema["format"], "password");
}

#[tokio::test]
async fn the_tools_do_what_they_say() {
    let service = connected(Client::default()).await;
    let sum = call(&service, "add", json!({"a": 1234, "b": 5678})).await;
    assert_eq!(sum, ("6912".to_owned(), false));
    let sum = call(&service, "add", json!({"a": 0.5, "b": 1})).await;
    assert_eq!(sum, ("1.5".to_owned(), false));
    let (weather, failed) = call(&service, "get_weather", json!({"city": "北京"})).await;
    assert!(weather.starts_with("北京:") && !failed);
    assert!(call(&service, "fail", json!({})).await.1);
    let (stored, _) = call(
        &service,
        "store_password",
        json!({"user": "u", "password": "p4ss"}),
    )
    .await;
    assert_eq!(stored, "Stored a password of 4 characters for u.");
    assert!(call(&service, "add", json!({"a": "1"})).await.1);
}

#[tokio::test(start_paused = true)]
async fn a_slow_call_reports_each_second() {
    let client = Client::default();
    let service = connected(client.clone()).await;
    let (text, failed) = call(&service, "slow_count", json!({"seconds": 3})).await;
    assert_eq!(
        (text.as_str(), failed),
        ("Counted to 3, a second each.", false)
    );
    assert_eq!(client.heard.load(Ordering::Relaxed), 3);
}
