//! The model: one request at a time, to wherever the route leads.

use std::sync::Arc;

use tokio::sync::OnceCell;
use tokio::task::{AbortHandle, JoinHandle};

use crate::app::event::Fact;
use crate::chat::failure::{RetryHint, TurnError};
use crate::chat::id::RequestId;
use crate::chat::moment::Millis;
use crate::chat::request::ModelRequest;
use crate::config::ProviderEntry;
use crate::io::auth::{Endpoint, find_endpoint};
use crate::io::dotenv::Environment;
use crate::io::facts::Facts;
use crate::io::http::{Http, Outgoing};
use crate::provider::anthropic::Anthropic;

/// How the model is reached. Cheap to clone; the endpoint is looked for once, when first needed,
/// because a command that prints the key may take a while.
#[derive(Debug, Clone)]
pub struct Route(Arc<Search>);

#[derive(Debug)]
struct Search {
    environment: Environment,
    entry: Option<ProviderEntry>,
    found: OnceCell<Result<Arc<Endpoint>, TurnError>>,
}

impl Route {
    /// Describes where to look for the endpoint and its key.
    pub fn new(environment: Environment, entry: Option<ProviderEntry>) -> Self {
        Self(Arc::new(Search {
            environment,
            entry,
            found: OnceCell::new(),
        }))
    }

    /// Leads to a known endpoint.
    pub fn to(endpoint: Endpoint) -> Self {
        let found = OnceCell::new_with(Some(Ok(Arc::new(endpoint))));
        Self(Arc::new(Search {
            environment: Environment::new(),
            entry: None,
            found,
        }))
    }

    /// Returns the endpoint.
    pub async fn endpoint(&self) -> Result<Arc<Endpoint>, TurnError> {
        self.0.found.get_or_init(|| self.0.look()).await.clone()
    }
}

impl Search {
    async fn look(&self) -> Result<Arc<Endpoint>, TurnError> {
        match find_endpoint(&self.environment, self.entry.as_ref()).await {
            Ok(found) => Ok(Arc::new(found.endpoint)),
            Err(error) => Err(TurnError::new(error.kind(), format!("{error}."))),
        }
    }
}

/// Sends requests and carries their replies into the event loop.
#[derive(Debug)]
pub(in crate::io) struct Model {
    http: Http,
    route: Route,
    idle: Millis,
    facts: Facts,
    running: Option<(RequestId, Running)>,
}

/// Ends with its owner.
#[derive(Debug)]
struct Running(AbortHandle);

impl Drop for Running {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Model {
    pub(in crate::io) fn new(route: Route, idle: Millis, facts: Facts) -> Self {
        Self {
            http: Http::default(),
            route,
            idle,
            facts,
            running: None,
        }
    }

    pub(in crate::io) fn take_route(&mut self, route: Route) {
        self.route = route;
    }

    /// Sends a request once `settled` is done.
    pub(in crate::io) fn send(
        &mut self,
        request: RequestId,
        body: Box<ModelRequest>,
        settled: impl Future<Output = ()> + Send + 'static,
    ) {
        let (http, route, facts, idle) = (
            self.http.clone(),
            self.route.clone(),
            self.facts.clone(),
            self.idle,
        );
        let task: JoinHandle<()> = tokio::spawn(async move {
            let endpoint = match route.endpoint().await {
                Ok(endpoint) => endpoint,
                Err(error) => {
                    let retry = RetryHint::default();
                    facts
                        .tell(Fact::RequestFailed {
                            request,
                            error,
                            retry,
                        })
                        .await;
                    return;
                }
            };
            let provider = Arc::new(Anthropic::new(endpoint.version));
            let out = facts.clone();
            let outgoing = Outgoing {
                id: request,
                provider,
                endpoint,
                request: body,
                idle,
                out,
            };
            let _sending = http.send(outgoing, settled);
            // The reply is heard until somebody drops this task.
            std::future::pending::<()>().await;
        });
        self.running = Some((request, Running(task.abort_handle())));
    }

    pub(in crate::io) fn abort(&mut self, request: RequestId) {
        self.running.take_if(|(running, _)| *running == request);
    }

    pub(in crate::io) fn stop(&mut self) {
        self.running = None;
    }
}
