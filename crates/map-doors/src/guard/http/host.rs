//! Whom requests are for: a page that a browser shows cannot speak to a guard by another name.

use std::net::SocketAddr;

use hyper::Request;
use hyper::header::HOST;

/// The names by which the door is known.
pub(super) struct Hosts(Vec<String>);

impl Hosts {
    pub(super) fn new(at: SocketAddr, others: &[String]) -> Self {
        let mut names = vec!["localhost".to_owned(), "127.0.0.1".to_owned(), "[::1]".to_owned()];
        if !at.ip().is_unspecified() {
            names.push(without_port(&at.to_string()).to_owned());
        }
        names.extend(others.iter().map(|name| name.to_ascii_lowercase()));
        Self(names)
    }

    /// Whether a request is for one of them.
    pub(super) fn has<B>(&self, request: &Request<B>) -> bool {
        let mut named = request.headers().get_all(HOST).iter();
        let (Some(host), None) = (named.next(), named.next()) else { return false };
        let Ok(host) = host.to_str() else { return false };
        let of_target = request.uri().authority().is_none_or(|it| it.as_str().eq_ignore_ascii_case(host));
        let host = host.to_ascii_lowercase();
        of_target && self.0.iter().any(|name| name == without_port(&host))
    }
}

/// A host without its port; addresses of version 6 are in brackets.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|it| it.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use hyper::Request;

    use super::Hosts;

    #[test]
    fn only_known_names_are_answered() {
        let hosts = Hosts::new("127.0.0.1:7733".parse().expect("an address"), &["Guard.example".to_owned()]);
        for (host, is_known) in [
            ("127.0.0.1:7733", true),
            ("localhost", true),
            ("LOCALHOST:80", true),
            ("[::1]:7733", true),
            ("guard.example", true),
            ("evil.example", false),
            ("evil.example:7733", false),
            ("localhost.evil.example", false),
            ("localhost:evil", false),
            ("", false),
        ] {
            let request = Request::builder().header("host", host).body(()).expect("a request");
            assert_eq!(hosts.has(&request), is_known, "{host:?}");
        }
        let twice = Request::builder().header("host", "localhost").header("host", "localhost");
        assert!(!hosts.has(&twice.body(()).expect("a request")));
        assert!(!hosts.has(&Request::new(())));
        let other = Request::builder().uri("http://evil.example/").header("host", "localhost");
        assert!(!hosts.has(&other.body(()).expect("a request")));
    }
}
