//! A conversation with the scripted model, without agent and screen.

use std::sync::Arc;
use std::time::Duration;

use keytide::app::event::{Event, Fact};
use keytide::chat::assemble::Draft;
use keytide::chat::conversation::Conversation;
use keytide::chat::failure::TurnError;
use keytide::chat::id::{RequestId, ToolUseId};
use keytide::chat::message::{ContentBlock, ModelBlock};
use keytide::chat::moment::Millis;
use keytide::chat::raw_json::RawJson;
use keytide::chat::request::{ModelRequest, Setup};
use keytide::chat::stream::{StopReason, StreamEvent};
use keytide::chat::tool::{ResultPart, ToolOutcome, ToolResult, ToolSpec};
use keytide::io::auth::find_endpoint;
use keytide::io::clock::Clock;
use keytide::io::dotenv::Environment;
use keytide::io::facts::Facts;
use keytide::io::http::{Http, Outgoing};
use keytide::provider::anthropic::Anthropic;
use tokio::sync::mpsc;
use tokio::time::timeout;

use crate::support::fake_api::FakeApi;
use crate::support::reply::Reply;

/// One conversation with one scripted model.
#[derive(Debug)]
pub struct Talk {
    /// The model.
    pub api: FakeApi,
    /// What was said.
    pub conversation: Conversation,
    http: Http,
}

/// A reply, or why there is none.
pub type Heard = Result<(Vec<ModelBlock>, Option<StopReason>), TurnError>;

impl Talk {
    /// Starts a model that plays these replies.
    pub fn with(script: impl IntoIterator<Item = Reply>) -> Self {
        Self {
            api: FakeApi::start(script),
            conversation: Conversation::default(),
            http: Http::default(),
        }
    }

    /// Says something and keeps the reply.
    pub async fn say(&mut self, text: &str) -> Vec<ModelBlock> {
        self.conversation
            .push_user(vec![ContentBlock::Text(text.into())])
            .expect("nothing is open");
        self.go_on().await
    }

    /// Answers every open call in this way and keeps the reply.
    pub async fn answer(&mut self, outcome: &ToolOutcome, text: &str) -> Vec<ModelBlock> {
        let result = |id: &ToolUseId| ToolResult {
            id: id.clone(),
            outcome: outcome.clone(),
            content: vec![ResultPart::text(text)],
        };
        let results = self.conversation.open_calls().iter().map(result).collect();
        self.conversation.answer(results).expect("calls are open");
        self.go_on().await
    }

    async fn go_on(&mut self) -> Vec<ModelBlock> {
        let (blocks, _) = self.ask().await.expect("a reply");
        let reply = blocks.iter().cloned().map(ContentBlock::Model).collect();
        self.conversation
            .push_reply(reply)
            .expect("a reply that can be kept");
        blocks
    }

    /// Asks with the conversation as it is and keeps nothing.
    pub async fn ask(&self) -> Heard {
        let (out, mut facts) = mpsc::channel(4);
        let task = self.http.send(self.outgoing(out).await, async {});
        let mut draft = Draft::default();
        let listening = async {
            while let Some(Event { fact, .. }) = facts.recv().await {
                take(fact, &mut draft)?;
            }
            Ok(())
        };
        let heard = timeout(Duration::from_secs(30), listening).await;
        drop(task);
        heard.expect("the reply ends")?;
        let stop = draft.stop.clone();
        Ok((draft.into_whole_blocks(), stop))
    }

    async fn outgoing(&self, events: mpsc::Sender<Event>) -> Outgoing {
        let out = Facts {
            events,
            clock: Clock::start(),
        };
        let set = [
            ("ANTHROPIC_BASE_URL", self.api.url()),
            ("ANTHROPIC_API_KEY", "key".into()),
        ];
        let environment: Environment = set.map(|(name, value)| (name.into(), value)).into();
        let endpoint = find_endpoint(&environment, None)
            .await
            .expect("an endpoint")
            .endpoint;
        Outgoing {
            id: RequestId(1),
            provider: Arc::new(Anthropic::new(endpoint.version)),
            endpoint: Arc::new(endpoint),
            request: Box::new(ModelRequest {
                setup: setup(),
                history: self.conversation.history().expect("no call is open"),
            }),
            idle: Millis::from_secs(20),
            out,
        }
    }
}

fn take(fact: Fact, draft: &mut Draft) -> Result<(), TurnError> {
    if let Fact::Streamed { events, .. } = fact {
        for event in events {
            if let StreamEvent::Failed(error) = event {
                return Err(error);
            }
            draft.apply(event);
        }
    } else if let Fact::RequestFailed { error, .. } = fact {
        return Err(error);
    }
    Ok(())
}

fn setup() -> Setup {
    let tool = |name: &str| ToolSpec {
        name: name.into(),
        description: None,
        input_schema: RawJson::parse(r#"{"type":"object"}"#).expect("JSON"),
    };
    Setup {
        model: "claude-opus-5".into(),
        system: Some("Be brief.".into()),
        tools: Arc::from([tool("s__echo"), tool("s__wipe")]),
        max_tokens: 16_000,
        effort: None,
    }
}
