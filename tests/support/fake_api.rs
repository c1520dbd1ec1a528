//! FAKE-API: a model that says what a script says, on loopback, behind the strict validator.

use std::collections::VecDeque;
use std::fmt;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;

use serde_json::json;

use super::http::{Request, read_request, write_reply};
use super::reply::{Reply, say};
use super::strict::Strict;
use super::wait;

/// Makes a reply when its request is there.
type Make = Box<dyn Fn(&Request) -> Reply + Send>;

/// The server. It stops when it is dropped.
pub struct FakeApi {
    address: SocketAddr,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    over: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    script: VecDeque<Make>,
    afterwards: Option<Make>,
    requests: Vec<Request>,
    strict: Strict,
}

impl fmt::Debug for FakeApi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "FakeApi({})", self.address)
    }
}

impl FakeApi {
    /// Starts a model that gives these replies in turn and then says "done" for ever.
    pub fn start(script: impl IntoIterator<Item = Reply>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has a free port");
        let address = listener
            .local_addr()
            .expect("a bound socket has an address");
        let shared = Arc::<Shared>::default();
        let api = Self {
            address,
            shared: Arc::clone(&shared),
        };
        for reply in script {
            api.then(reply);
        }
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if shared.over.load(Ordering::Relaxed) {
                    return;
                }
                let shared = Arc::clone(&shared);
                thread::spawn(move || serve(stream, &shared));
            }
        });
        api
    }

    /// Adds a reply at the end of the script.
    pub fn then(&self, reply: Reply) {
        self.then_make(move |_| reply.clone());
    }

    /// Adds a reply that is made when its request has come.
    pub fn then_make(&self, make: impl Fn(&Request) -> Reply + Send + 'static) {
        self.state().script.push_back(Box::new(make));
    }

    /// Gives this reply to every request after the script.
    pub fn always(&self, reply: Reply) {
        self.state().afterwards = Some(Box::new(move |_| reply.clone()));
    }

    /// Where it listens, without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests for an answer so far.
    pub fn requests(&self) -> Vec<Request> {
        self.state().requests.clone()
    }

    /// Waits for that many requests in all and returns them.
    pub fn wait_for(&self, count: usize) -> Vec<Request> {
        wait::until(&format!("request {count} to the model"), || {
            self.state().requests.len() >= count
        });
        self.requests()
    }

    /// What the validator refused.
    pub fn refusals(&self) -> Vec<String> {
        self.state().strict.refusals.clone()
    }

    /// What the validator found odd but let through.
    pub fn warnings(&self) -> Vec<String> {
        self.state().strict.warnings.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.shared)
    }
}

impl Drop for FakeApi {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        // The accepting thread looks at the flag when the next client comes.
        drop(TcpStream::connect(self.address));
    }
}

fn lock(shared: &Shared) -> MutexGuard<'_, State> {
    shared
        .state
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn serve(mut stream: TcpStream, shared: &Shared) {
    let Ok(Some(request)) = read_request(&stream) else {
        return;
    };
    let is_question = request.method == "POST" && request.path.starts_with("/v1/messages");
    if !is_question || request.path.contains("count_tokens") {
        let _ = write_reply(&mut stream, &aside(&request), &shared.over);
        return;
    }
    let reply = {
        let mut state = lock(shared);
        state.requests.push(request.clone());
        answer(&mut state, &request)
    };
    let _ = write_reply(&mut stream, &reply, &shared.over);
}

fn answer(state: &mut State, request: &Request) -> Reply {
    if let Err(rule) = state.strict.check(&request.body) {
        return Reply::error(400, "invalid_request_error", &rule);
    }
    let reply = match state.script.pop_front() {
        Some(make) => make(request),
        None => match &state.afterwards {
            Some(make) => make(request),
            None => say("done"),
        },
    };
    state.strict.sent.push(reply.blocks.clone());
    reply
}

/// Answers to what isn't a question to the model.
fn aside(request: &Request) -> Reply {
    if request.method == "GET" && request.path.starts_with("/v1/models") {
        let model = |id: &str| {
            json!({"type": "model", "id": id, "display_name": id,
            "created_at": "2026-01-01T00:00:00Z", "max_input_tokens": 200_000, "max_tokens": 64_000})
        };
        let models = json!({"data": [model("claude-opus-5"), model("claude-haiku-5")],
            "has_more": false, "first_id": "claude-opus-5", "last_id": "claude-haiku-5"});
        return Reply::other(200, "application/json", models.to_string().as_bytes());
    }
    if request.path.contains("count_tokens") {
        return Reply::other(200, "application/json", br#"{"input_tokens":1}"#);
    }
    Reply::error(404, "not_found_error", "no such path")
}
