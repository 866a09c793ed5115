//! Connections: how many there are, and how long they may take.

use std::sync::Arc;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::routes::Routes;
use super::slow::Impatient;

/// The most connections.
const MAX_CONNECTIONS: usize = 1_024;
/// How long the head of a request may take, and how long a connection may be without one.
const HEAD_TIME: Duration = Duration::from_secs(10);
/// How long a client may read nothing of what is written to it.
const WRITE_TIME: Duration = Duration::from_secs(10);
/// The largest head of a request.
const MAX_HEAD: usize = 16 << 10;
/// How long to wait if no connection can be accepted, for want of file descriptors, say.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves connections, for ever.
pub(super) async fn accept_all(listener: TcpListener, routes: Arc<Routes>) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let routes = Arc::clone(&routes);
        tokio::spawn(async move {
            let answers = service_fn(move |request| {
                let routes = Arc::clone(&routes);
                async move { Ok::<_, std::convert::Infallible>(routes.answer(request).await) }
            });
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME).max_buf_size(MAX_HEAD);
            // A connection that fails has ended.
            let _ = http.serve_connection(TokioIo::new(Impatient::new(stream, WRITE_TIME)), answers).await;
            drop(place);
        });
    }
}
