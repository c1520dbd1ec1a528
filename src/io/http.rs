//! Requests to a model's service: one streaming request is one task.

mod address;
mod answer;
mod client;
mod failure;
mod headers;
mod list_models;
mod reply;
mod retry_after;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use tokio::task::JoinHandle;

pub use crate::io::http::address::{AddressError, BaseUrl};

use crate::app::event::Fact;
use crate::chat::failure::{FailureKind, TurnError};
use crate::chat::id::RequestId;
use crate::chat::moment::Millis;
use crate::chat::request::ModelRequest;
use crate::io::auth::Endpoint;
use crate::io::facts::Facts;
use crate::io::http::client::Clients;
use crate::io::http::reply::{Exchange, Failure};
use crate::provider::{EncodeError, OfferedModel, Provider};

/// Sends requests. Cheap to make and to clone: the client behind it is made when first needed.
#[derive(Debug, Clone, Default)]
pub struct Http {
    clients: Clients,
}

/// One request, and where its reply goes.
#[derive(Debug)]
pub struct Outgoing {
    /// Names the facts that come of it.
    pub id: RequestId,
    /// Writes the request and reads the reply.
    pub provider: Arc<dyn Provider>,
    /// Where it goes, and with which credential.
    pub endpoint: Arc<Endpoint>,
    /// What is asked.
    pub request: Box<ModelRequest>,
    /// How long nothing may arrive: before the answer begins, and between two pieces of it.
    pub idle: Millis,
    /// Gets `Streamed`, `StreamAlive` and `RequestFailed`; a full queue makes the stream wait.
    pub out: Facts,
}

/// A request on its way. Dropping it stops it; nothing is heard of it after that.
#[derive(Debug)]
pub struct RequestTask(JoinHandle<()>);

impl RequestTask {
    /// Tells whether the request is over.
    pub fn is_over(&self) -> bool {
        self.0.is_finished()
    }
}

impl Drop for RequestTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

impl Http {
    /// Sends a request once `ready` is done: what it says must be on the disk before it leaves.
    ///
    /// The reply ends with a `Streamed` whose last event is `Finished` or `Failed`, or with one
    /// `RequestFailed`. Must be called inside a tokio runtime.
    pub fn send(
        &self,
        outgoing: Outgoing,
        ready: impl Future<Output = ()> + Send + 'static,
    ) -> RequestTask {
        let clients = self.clients.clone();
        RequestTask(tokio::spawn(async move {
            ready.await;
            perform(&clients, outgoing).await;
        }))
    }

    /// Asks which models a service offers.
    pub async fn list_models(
        &self,
        provider: &dyn Provider,
        endpoint: &Endpoint,
    ) -> Result<Vec<OfferedModel>, TurnError> {
        list_models::list_models(&self.clients, provider, endpoint).await
    }
}

async fn perform(clients: &Clients, outgoing: Outgoing) {
    let exchange = Exchange {
        id: outgoing.id,
        provider: outgoing.provider,
        endpoint: outgoing.endpoint,
        idle: outgoing.idle,
        out: outgoing.out,
    };
    let encoded = exchange.provider.encode(&outgoing.request);
    let ended = match encoded {
        Ok(request) => exchange.run(clients, request).await,
        Err(error) => Err(not_encodable(&error).into()),
    };
    if let Err(Failure { error, retry }) = ended {
        let fact = Fact::RequestFailed {
            request: exchange.id,
            error,
            retry,
        };
        // When nobody listens any more, the program is about to end.
        exchange.out.tell(fact).await;
    }
}

fn not_encodable(error: &EncodeError) -> TurnError {
    let kind = match error {
        EncodeError::NotJson(_) => FailureKind::BadRequest,
        EncodeError::TooLarge { .. } => FailureKind::TooLarge,
    };
    TurnError::new(kind, format!("The request was not sent: {error}."))
}
