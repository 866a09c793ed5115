//! Forwards requests to the servers.

use std::time::Duration;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::client::conn::http1;
use hyper::header::{
    AUTHORIZATION, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, HeaderMap, HeaderName, HeaderValue, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE,
};
use hyper::{Method, Request, Response, Uri};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

/// How long a server may take to accept a connection.
const CONNECT_TIME: Duration = Duration::from_secs(5);
/// How long it may take until it begins to answer: agents think.
const ANSWER_TIME: Duration = Duration::from_secs(600);

/// The address of a server.
#[derive(Clone, Debug)]
pub struct Upstream {
    /// Host and port, as they are connected to.
    authority: String,
    host: HeaderValue,
    /// The path, without a slash at its end.
    path: String,
}

impl Upstream {
    /// Reads the address of a server, such as `http://127.0.0.1:9001/agent`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(text: &str) -> Result<Self, String> {
        let uri: Uri = text.parse().map_err(|_| format!("{text:?} is no address"))?;
        match uri.scheme_str() {
            Some("http") => {}
            Some("https") => {
                return Err("https is not spoken: put a proxy for it before the server".to_owned());
            }
            _ => return Err("an address begins with http://".to_owned()),
        }
        let authority = uri.authority().ok_or("the address has no host")?;
        if authority.as_str().contains('@') || uri.query().is_some() {
            return Err("an address has a host, a port and a path, and nothing else".to_owned());
        }
        let connected =
            if authority.port().is_some() { authority.to_string() } else { format!("{authority}:80") };
        let host = HeaderValue::from_str(authority.as_str()).map_err(|it| it.to_string())?;
        Ok(Self { authority: connected, host, path: uri.path().trim_end_matches('/').to_owned() })
    }

    /// The answer to a request; what stands behind the path of the server is `below` it.
    ///
    /// # Errors
    /// Why there is none.
    pub(super) async fn ask(
        &self,
        method: Method,
        below: &str,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Response<Incoming>, String> {
        let connected = tokio::time::timeout(CONNECT_TIME, TcpStream::connect(&self.authority)).await;
        let stream = match connected {
            Ok(Ok(stream)) => stream,
            Ok(Err(error)) => return Err(format!("the server cannot be reached: {error}")),
            Err(_) => return Err("the server cannot be reached: it takes too long".to_owned()),
        };
        let failed = |error: hyper::Error| format!("the server does not answer: {error}");
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(failed)?;
        tokio::spawn(connection);
        let path = format!("{}{below}", self.path);
        let mut request = Request::new(Full::new(body));
        *request.method_mut() = method;
        let target = if path.is_empty() { "/" } else { path.as_str() };
        *request.uri_mut() = target.parse().map_err(|_| "the path is none".to_owned())?;
        *request.headers_mut() = headers;
        request.headers_mut().insert(HOST, self.host.clone());
        match tokio::time::timeout(ANSWER_TIME, sender.send_request(request)).await {
            Ok(answer) => answer.map_err(failed),
            Err(_) => Err("the server does not answer: it takes too long".to_owned()),
        }
    }
}

/// The headers that are passed on: neither those of one connection, nor the token, which is for the guard.
pub(super) fn passed_on(headers: &HeaderMap) -> HeaderMap {
    let mut passed = headers.clone();
    let named: Vec<HeaderName> = headers
        .get_all(CONNECTION)
        .iter()
        .filter_map(|it| it.to_str().ok())
        .flat_map(|it| it.split(','))
        .filter_map(|it| it.trim().parse().ok())
        .collect();
    let of_connection =
        [AUTHORIZATION, CONNECTION, CONTENT_LENGTH, EXPECT, HOST, TE, TRAILER, TRANSFER_ENCODING, UPGRADE];
    for name in of_connection.into_iter().chain(named) {
        passed.remove(name);
    }
    for name in ["keep-alive", "proxy-connection", "proxy-authorization", "map-refused", "accept-encoding"] {
        passed.remove(name);
    }
    passed
}
