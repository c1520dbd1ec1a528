//! Asks a service which models it offers.

use std::time::Duration;

use reqwest::{Client, Response};
use tokio::time::timeout;

use crate::chat::failure::{FailureKind, TurnError};
use crate::chat::moment::Millis;
use crate::io::auth::Endpoint;
use crate::io::http::answer::explain;
use crate::io::http::client::Clients;
use crate::io::http::failure;
use crate::io::http::headers::headers;
use crate::provider::http::{HttpRequest, plain_line};
use crate::provider::{ModelPage, OfferedModel, Provider};

/// How long one page may take.
const LIMIT: Millis = Millis::from_secs(30);
/// More pages than any service has; a server that never ends its list is cut off here.
const MOST_PAGES: usize = 20;

pub(super) async fn list_models(
    clients: &Clients,
    provider: &dyn Provider,
    endpoint: &Endpoint,
) -> Result<Vec<OfferedModel>, TurnError> {
    let client = clients.client_for(endpoint).await?;
    let mut models = Vec::new();
    let mut after: Option<String> = None;
    for _ in 0..MOST_PAGES {
        let Some(request) = provider.models_request(after.as_deref()) else {
            break;
        };
        let page = page(&client, provider, endpoint, &request).await?;
        models.extend(page.models);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    Ok(models)
}

async fn page(
    client: &Client,
    provider: &dyn Provider,
    endpoint: &Endpoint,
    request: &HttpRequest,
) -> Result<ModelPage, TurnError> {
    let host = endpoint.base_url.host();
    let response = within_limit(get(client, endpoint, request), host).await??;
    if !response.status().is_success() {
        return Err(explain(response, provider, endpoint).await.error);
    }
    let body = within_limit(response.bytes(), host).await?;
    let body = body.map_err(|error| failure::network(error, host))?;
    provider.models_page(&body).ok_or_else(|| {
        let start: String = String::from_utf8_lossy(&body).chars().take(200).collect();
        let said = format!(
            "{host} did not answer with a list of models: {}",
            plain_line(&start)
        );
        TurnError::new(FailureKind::NotAStream, said)
    })
}

async fn get(
    client: &Client,
    endpoint: &Endpoint,
    request: &HttpRequest,
) -> Result<Response, TurnError> {
    let url = endpoint.base_url.join(&request.path);
    let sending = client.get(url).headers(headers(request, endpoint)?).send();
    sending
        .await
        .map_err(|error| failure::network(error, endpoint.base_url.host()))
}

async fn within_limit<T>(wait: impl Future<Output = T>, host: &str) -> Result<T, TurnError> {
    timeout(Duration::from_millis(LIMIT.0), wait)
        .await
        .map_err(|_elapsed| failure::silent(LIMIT, host))
}
