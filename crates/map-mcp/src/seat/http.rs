//! The seat of an agent over HTTP: every request stands for itself, and what has been handed over is remembered.

use std::convert::Infallible;
use std::fmt::Display;
use std::sync::Arc;

use http_body_util::combinators::BoxBody;
use hyper::body::{Body, Bytes};
use hyper::{Request, Response};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::sync::OnceCell;

use super::{Seat, SeatServer};
use crate::work::on_thread;

type Service = StreamableHttpService<Arc<SeatServer>, NeverSessionManager>;

/// The seat of an agent over HTTP.
pub struct HttpSeat {
    seat: Seat,
    service: OnceCell<Service>,
}

impl HttpSeat {
    /// A seat, whose guard is asked once somebody takes it.
    #[must_use]
    pub fn new(seat: Seat) -> Self {
        Self { seat, service: OnceCell::new() }
    }

    /// The answer to a request; who may send it, and by what name the host is called, is not looked at here.
    ///
    /// # Errors
    /// If the guard cannot be asked, in words.
    pub async fn answer<B>(&self, request: Request<B>) -> Result<Response<BoxBody<Bytes, Infallible>>, String>
    where
        B: Body + Send + 'static,
        B::Error: Display,
    {
        let service = self.service.get_or_try_init(|| async {
            let seat = self.seat.clone();
            let server = Arc::new(on_thread(move || SeatServer::new(seat)).await??);
            let config = StreamableHttpServerConfig::default()
                .disable_allowed_hosts()
                .with_legacy_session_mode(false)
                .with_json_response(true);
            let manager = Arc::new(NeverSessionManager::default());
            Ok::<_, String>(StreamableHttpService::new(move || Ok(Arc::clone(&server)), manager, config))
        });
        Ok(service.await?.handle(request).await)
    }
}
