//! The bodies of requests.

use std::time::Duration;

use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::CONTENT_TYPE;
use hyper::{Request, StatusCode};

use super::super::lines::MAX_REQUEST;
use super::answers::{Answer, error};

/// How long a body may take.
const BODY_TIME: Duration = Duration::from_secs(30);

/// Whether a body is said to be JSON: a page cannot send that without having asked before, and asking is refused.
pub(super) fn is_json<B>(request: &Request<B>) -> bool {
    let named = request.headers().get(CONTENT_TYPE).and_then(|it| it.to_str().ok());
    let essence = named.and_then(|it| it.split(';').next()).unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// The bytes of a body, which has to be short and come soon.
pub(super) async fn body(body: Incoming) -> Result<Bytes, Answer> {
    let most = usize::try_from(MAX_REQUEST).unwrap_or(usize::MAX);
    match tokio::time::timeout(BODY_TIME, Limited::new(body, most).collect()).await {
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
        Ok(Err(failure)) if failure.is::<LengthLimitError>() => {
            let text = format!("a request is longer than {most} bytes");
            Err(error(StatusCode::PAYLOAD_TOO_LARGE, "bad_request", text))
        }
        Ok(Err(_)) => Err(error(StatusCode::BAD_REQUEST, "bad_request", "the body cannot be read")),
        Err(_) => Err(error(StatusCode::REQUEST_TIMEOUT, "bad_request", "the body takes too long")),
    }
}
