//! The server: requests in, answers out. A request that is cancelled ends its search, and so does the end of the input.

use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use map_verify::Limit;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode,
    Implementation, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use crate::Settings;
use crate::answer::{Answer, USUAL_BYTES};
use crate::call::{Call, Shared, Tool};
use crate::resources;
use crate::streams::Ended;
use crate::tools;
use crate::watch::Task;
use crate::work::on_thread;

/// How many quick questions are answered at a time. There is one search, which has all cores.
const QUICK: usize = 4;

/// How long work may go on after it was told to end: runs are replayed and shortened, and put into words.
const GRACE: Duration = Duration::from_secs(10);

/// The requests that are answered.
const KNOWN: [&str; 7] = [
    "initialize",
    "ping",
    "tools/list",
    "tools/call",
    "resources/list",
    "resources/templates/list",
    "resources/read",
];

const INSTRUCTIONS: &str = "\
MAP is a language for dialogues between agents. Read the `cheatsheet`, write a protocol, `check` it, `verify` that every \
run of it ends well, and repair it by the counterexample. The resource map://reference is the language in full; `library` \
has correct protocols to start from; `explain` says more about a code such as MAP204.";

/// Answers requests.
pub(crate) struct Server {
    shared: Arc<Shared>,
    resident: fn() -> Option<u64>,
    ended: Ended,
    searching: Semaphore,
    quick: Semaphore,
}

impl Server {
    /// `ended` tells of the end of the input.
    pub(crate) fn new(settings: Settings, ended: Ended) -> Self {
        let Settings { root, limits, resident, any_seed } = settings;
        let shared = Arc::new(Shared { root, limits, any_seed });
        let (searching, quick) = (Semaphore::new(1), Semaphore::new(QUICK));
        Self { shared, resident, ended, searching, quick }
    }

    /// Answers a call when it is its turn.
    async fn answer(
        &self,
        call: Call,
        cancelled: impl Future<Output = ()>,
    ) -> Result<CallToolResult, String> {
        let turns = if call.is_search() { &self.searching } else { &self.quick };
        let mut cancelled = pin!(cancelled);
        let mut closed = pin!(self.ended.clone().wait());
        let _turn = tokio::select! {
            turn = turns.acquire() => turn.map_err(|error| error.to_string())?,
            () = &mut cancelled => return Err("cancelled".to_owned()),
            () = &mut closed, if call.is_search() => return Err("stopped: the input is closed".to_owned()),
        };
        let task = Task::new(self.resident);
        let (shared, ends, most) = (Arc::clone(&self.shared), task.ends.clone(), call.arguments.max_bytes());
        let is_search = call.is_search();
        let mut work = pin!(on_thread(move || shared.answer(&call, &task)));
        let limit = tokio::select! {
            answer = &mut work => return answer.map(|answer| answer.result(most)),
            () = &mut cancelled => Limit::Interrupted,
            () = &mut closed, if is_search => Limit::Interrupted,
            () = sleep(self.shared.limits.time) => Limit::Time,
        };
        ends.end(limit);
        match timeout(GRACE, work).await {
            Ok(answer) => answer.map(|answer| answer.result(most)),
            // The thread is left to itself; it holds up nobody.
            Err(_) => Err("stopped: there was no answer in time".to_owned()),
        }
    }
}

/// The error for what is no request among those that are known, or one whose parameters are not those that it has.
pub(crate) fn misfit(request: &CustomRequest, known: &[&str]) -> ErrorData {
    let method = map_diagnostics::escaped(&request.method).into_owned();
    match known.contains(&&*request.method) {
        true => ErrorData::invalid_params(format!("{method}: these are not its parameters"), None),
        false => ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources().build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("map", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all(self.shared.root.is_some())))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = Tool::ALL.into_iter().find(|tool| tool.name() == request.name) else {
            let what = format!("there is no tool `{}`", map_diagnostics::escaped(&request.name));
            return Err(ErrorData::invalid_params(what, None));
        };
        let result = match Call::read(tool, request.arguments.unwrap_or_default()) {
            Ok(call) => self.answer(call, context.ct.cancelled()).await,
            Err(why) => Err(why),
        };
        let result = result.unwrap_or_else(|why| Answer::failed(&why).result(USUAL_BYTES));
        Ok(result.into())
    }

    /// What is no request that the protocol knows, or one whose parameters are not those that it has.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        Err(misfit(&request, &KNOWN))
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(resources::all()))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        resources::read(&request.uri).map(Into::into)
    }
}
