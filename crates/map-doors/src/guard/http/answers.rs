//! Answers, as responses.

use std::convert::Infallible;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use hyper::{Response, StatusCode};
use map_json::guard::{GuardAnswer, GuardError, GuardResult};
use serde::Serialize;
use serde_json::Value as Json;

/// What is answered.
pub(super) type Answer = Response<BoxBody<Bytes, Infallible>>;

/// An object.
pub(super) fn object(status: StatusCode, value: &impl Serialize) -> Answer {
    let (status, text) = match serde_json::to_vec(value) {
        Ok(text) => (status, text),
        Err(_) => (StatusCode::INTERNAL_SERVER_ERROR, Vec::new()),
    };
    let mut response = Response::new(Full::new(Bytes::from(text)).boxed());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert("x-content-type-options", HeaderValue::from_static("nosniff"));
    response
}

/// What is wrong with a request.
pub(super) fn error(status: StatusCode, kind: &str, text: impl Into<String>) -> Answer {
    let result = GuardResult::Error(GuardError { kind: kind.to_owned(), text: text.into() });
    let mut response = object(status, &GuardAnswer { id: Json::Null, result });
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

/// What a guard answers.
pub(super) fn of_guard(answer: &GuardAnswer) -> Answer {
    object(status(&answer.result), answer)
}

fn status(result: &GuardResult) -> StatusCode {
    match result {
        GuardResult::Refused(_) => StatusCode::CONFLICT,
        GuardResult::Error(error) => match &*error.kind {
            "not_yours" => StatusCode::FORBIDDEN,
            "too_many_requests" | "too_many_waiting" => StatusCode::TOO_MANY_REQUESTS,
            "journal" => StatusCode::SERVICE_UNAVAILABLE,
            _ => StatusCode::BAD_REQUEST,
        },
        GuardResult::Opened(_)
        | GuardResult::Accepted(_)
        | GuardResult::Offer(_)
        | GuardResult::Received(_)
        | GuardResult::Rested(_)
        | GuardResult::Owed(_)
        | GuardResult::Status(_) => StatusCode::OK,
    }
}

/// What is answered if the guard has ended.
pub(super) fn gone() -> Answer {
    error(StatusCode::SERVICE_UNAVAILABLE, "gone", "the guard has ended")
}
