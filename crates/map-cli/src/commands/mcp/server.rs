//! The server: requests in, answers out. A request that is cancelled takes its processes with it; a search ends with
//! the input, too.

use std::io;
use std::path::PathBuf;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CustomRequest, CustomResult, ErrorCode,
    Implementation, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities,
    ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::Semaphore;

use super::answer;
use super::call::Call;
use super::job::{Job, Refusal, Shape};
use super::limits::Limits;
use super::process::{Said, say};
use super::resources;
use super::root::Root;
use super::streams::Ended;
use super::tools;

/// How many processes answer quick questions at a time. There is one search, which has all cores.
const QUICK: usize = 4;

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
MAP is a language for dialogues between agents. Write a protocol, `check` it, `verify` that every run of it ends well, \
and repair it by the counterexample. The resource map://reference is the language in full; `library` has correct \
protocols to start from; `explain` says more about a code such as MAP204.";

/// Answers requests.
pub(super) struct Server {
    program: PathBuf,
    root: Option<Root>,
    limits: Limits,
    ended: Ended,
    searching: Semaphore,
    quick: Semaphore,
}

impl Server {
    /// `program` is this command line.
    pub(super) fn new(program: PathBuf, root: Option<Root>, limits: Limits, ended: Ended) -> Self {
        let (searching, quick) = (Semaphore::new(1), Semaphore::new(QUICK));
        Self { program, root, limits, ended, searching, quick }
    }

    /// Does the job, when it is its turn.
    async fn answer(&self, job: &Job) -> io::Result<CallToolResult> {
        let turns = if job.is_search() { &self.searching } else { &self.quick };
        let _turn = turns.acquire().await.map_err(io::Error::other)?;
        let patience = self.limits.patience();
        let work = async {
            let first = self.said(job, job.shape == Shape::Search).await?;
            let second = match job.shape {
                Shape::Twice => Some(self.said(job, true).await?),
                Shape::Text | Shape::Search => None,
            };
            Ok(answer::result(job, &first, second.as_ref()))
        };
        match tokio::time::timeout(patience, work).await {
            Ok(result) => result,
            Err(_) => Ok(answer::failed(format!("stopped: no answer within {} s", patience.as_secs()))),
        }
    }

    async fn said(&self, job: &Job, json: bool) -> io::Result<Said> {
        let (command, text) = job.command(&self.program, self.root.as_ref(), json)?;
        say(command, text).await
    }

    /// Waits for the input to end, if a search ends with it.
    async fn given_up(&self, job: &Job) {
        if job.is_search() {
            self.ended.clone().wait().await;
        } else {
            std::future::pending::<()>().await;
        }
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
        Ok(ListToolsResult::with_all_items(tools::all(self.root.is_some())))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let call = Call::read(&request.name, request.arguments.unwrap_or_default())?;
        let job = match Job::new(call, self.root.as_ref(), &self.limits) {
            Ok(job) => job,
            Err(Refusal::Protocol(error)) => return Err(error),
            Err(Refusal::Words(why)) => return Ok(answer::failed(why).into()),
        };
        let result = tokio::select! {
            result = self.answer(&job) => result,
            () = context.ct.cancelled() => Ok(answer::failed("cancelled".to_owned())),
            () = self.given_up(&job) => Ok(answer::failed("stopped: the input is closed".to_owned())),
        };
        let result = result.unwrap_or_else(|error| answer::failed(format!("error: {error}")));
        Ok(result.into())
    }

    /// What is no request that the protocol knows, or one whose parameters are not those that it has.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = map_diagnostics::escaped(&request.method).into_owned();
        match KNOWN.contains(&&*request.method) {
            true => Err(ErrorData::invalid_params(format!("{method}: these are not its parameters"), None)),
            false => Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, method, None)),
        }
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
