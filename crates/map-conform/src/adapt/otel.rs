//! OTLP in JSON: spans of A2A clients, and those of the GenAI conventions that say that an agent is invoked or a tool
//! executed. A span is a request and its answer. It is written when it ends, after those that it has caused: so who has
//! asked is known only later.

use std::sync::Arc;

use serde_json::{Map, Value as Json};

use super::draft::{Draft, name, wrong};
use super::memory::Bounded;
use crate::record::Fault;

/// The real name of whatever executes tools, as spans do not name it.
const TOOLS: &str = "tools";

/// The most ancestors of a span that are looked at.
const MAX_ANCESTORS: usize = 1_000;

/// What is known of a span.
struct Known {
    parent: Option<String>,
    conversation: Option<String>,
    /// The agent that is invoked.
    agent: Option<String>,
    /// The tool that is executed.
    tool: Option<String>,
}

/// The spans of a log.
#[derive(Default)]
pub(super) struct Spans(Bounded<Arc<Known>>);

/// A message of a span, whose other side may yet be unknown.
pub(super) struct OfSpan {
    draft: Draft,
    /// The span.
    own: Arc<Known>,
    trace: String,
    /// Who asks if no agent does.
    service: String,
    /// Whether it is the request, and else the answer.
    asks: bool,
}

impl OfSpan {
    /// When it was sent, in nanoseconds.
    pub(super) fn time(&self) -> u64 {
        self.draft.time.as_ref().and_then(Json::as_u64).unwrap_or(0)
    }
}

impl Spans {
    /// The messages in a line, each with its time.
    pub(super) fn read(&mut self, line: &Json) -> Result<Vec<OfSpan>, Fault> {
        let resources = line.get("resourceSpans").and_then(Json::as_array);
        let resources = resources.ok_or_else(|| wrong("the line has no `resourceSpans`"))?;
        let mut all = Vec::new();
        for resource in resources {
            let of_resource = attributes(&resource["resource"]);
            for scope in resource["scopeSpans"].as_array().into_iter().flatten() {
                for span in scope["spans"].as_array().into_iter().flatten() {
                    self.add(span, &of_resource, &mut all)?;
                }
            }
        }
        Ok(all)
    }

    fn add(
        &mut self,
        span: &Json,
        of_resource: &Map<String, Json>,
        all: &mut Vec<OfSpan>,
    ) -> Result<(), Fault> {
        let own = attributes(span);
        // The name of a service belongs to the resource.
        let get = |key: &str| name(own.get(key).or_else(|| of_resource.get(key)), key);
        let trace = name(span.get("traceId"), "traceId")?.unwrap_or_default();
        let id = |key: &str| {
            let id = name(span.get(key), key)?.filter(|id| !id.is_empty());
            Ok(id.map(|id| format!("{trace} {id}")))
        };
        let operation = get("gen_ai.operation.name")?;
        let is = |wanted: &str| operation.as_deref() == Some(wanted);
        let known = Arc::new(Known {
            parent: id("parentSpanId")?,
            conversation: get("gen_ai.conversation.id")?,
            agent: get("gen_ai.agent.name")?.filter(|_| is("invoke_agent")),
            tool: get("gen_ai.tool.name")?.filter(|_| is("execute_tool")),
        });
        let is_client = span["kind"] == 3 || span["kind"] == "SPAN_KIND_CLIENT";
        let is_a2a = is_client && get("a2a.method.name")?.as_deref() == Some("SendMessage");
        let said = if is_a2a {
            Some(asked_by_a2a(span, get)?)
        } else if is("invoke_agent") {
            Some(invoked(span, get)?)
        } else if is("execute_tool") {
            Some(executed(span, get)?)
        } else {
            None
        };
        let span = id("spanId")?.unwrap_or_default();
        if let Some(said) = said {
            let service = get("service.name")?.unwrap_or_else(|| "client".to_owned());
            for (draft, asks) in said.into_iter().zip([true, false]) {
                let (own, trace, service) = (Arc::clone(&known), trace.clone(), service.clone());
                all.push(OfSpan { draft, own, trace, service, asks });
            }
        }
        if !span.is_empty() {
            self.0.insert(&span, known);
        }
        Ok(())
    }

    /// The message, now that it is known who caused its span; nothing if another span tells the same.
    pub(super) fn finish(&self, message: OfSpan) -> Result<Option<Draft>, Fault> {
        let OfSpan { mut draft, own, trace, service, asks } = message;
        let mut conversation = own.conversation.clone();
        let (mut caller, mut next) = (None, own.parent.clone());
        for _ in 0..MAX_ANCESTORS {
            let Some(id) = next.take() else { break };
            let Some(ancestor) = self.0.get(&id) else {
                if caller.is_none() && (draft.from.is_none() || draft.to.is_empty()) {
                    return Err(wrong("the span that caused it is not in the log: nothing tells who asked"));
                }
                break;
            };
            let is_same = |one: &Option<String>, other: &Option<String>| one.is_some() && one == other;
            let is_nearest = caller.is_none();
            if is_nearest && (is_same(&ancestor.agent, &own.agent) || is_same(&ancestor.tool, &own.tool)) {
                // The same call, as its other side tells it.
                return Ok(None);
            }
            caller = caller.or_else(|| ancestor.agent.clone());
            conversation = conversation.or_else(|| ancestor.conversation.clone());
            next.clone_from(&ancestor.parent);
        }
        let caller = caller.unwrap_or(service);
        if asks {
            draft.from.get_or_insert(caller);
        } else if draft.to.is_empty() {
            draft.to.push(caller);
        }
        draft.conversation = conversation.or(Some(trace));
        Ok(Some(draft))
    }
}

/// What a span of an A2A client tells.
fn asked_by_a2a(
    span: &Json,
    get: impl Fn(&str) -> Result<Option<String>, Fault>,
) -> Result<[Draft; 2], Fault> {
    let client = get("service.name")?.unwrap_or_else(|| "client".to_owned());
    let server = get("gen_ai.agent.name")?.ok_or_else(|| wrong("the span has no `gen_ai.agent.name`"))?;
    let state = get("a2a.task.state")?.unwrap_or_else(|| "answer".to_owned());
    let state = state.trim_start_matches("TASK_STATE_").to_ascii_lowercase();
    let [ask, answer] = exchange(span, &server, "ask", &state)?;
    let ask = Draft { id: get("a2a.message.id")?, from: Some(client.clone()), ..ask };
    Ok([ask, Draft { to: vec![client], ..answer }])
}

/// What a span tells that invokes an agent.
fn invoked(span: &Json, get: impl Fn(&str) -> Result<Option<String>, Fault>) -> Result<[Draft; 2], Fault> {
    let agent = get("gen_ai.agent.name")?.ok_or_else(|| wrong("the span has no `gen_ai.agent.name`"))?;
    exchange(span, &agent, "invoke", if has_failed(span, get)? { "failed" } else { "answer" })
}

/// What a span tells that executes a tool.
fn executed(span: &Json, get: impl Fn(&str) -> Result<Option<String>, Fault>) -> Result<[Draft; 2], Fault> {
    let tool = get("gen_ai.tool.name")?.ok_or_else(|| wrong("the span has no `gen_ai.tool.name`"))?;
    let content = |key: &str| {
        let text = get(key)?;
        Ok::<_, Fault>(text.map(|text| serde_json::from_str(&text).unwrap_or(Json::String(text))))
    };
    let (arguments, result) = (content("gen_ai.tool.call.arguments")?, content("gen_ai.tool.call.result")?);
    let answer = if has_failed(span, &get)? { "failed" } else { "result" };
    let [mut ask, mut answer] = exchange(span, TOOLS, &tool, answer)?;
    match arguments {
        // In the order of their names.
        Some(Json::Object(all)) => {
            ask.args = all.values().cloned().collect();
            ask.named = Some(all);
        }
        other => ask.args.extend(other),
    }
    answer.args.extend(result);
    Ok([ask, answer])
}

fn has_failed(span: &Json, get: impl Fn(&str) -> Result<Option<String>, Fault>) -> Result<bool, Fault> {
    let code = &span["status"]["code"];
    Ok(*code == 2 || *code == "STATUS_CODE_ERROR" || get("error.type")?.is_some())
}

/// A request to somebody at the beginning of a span, and the answer at its end.
fn exchange(span: &Json, server: &str, ask: &str, answer: &str) -> Result<[Draft; 2], Fault> {
    let time = |key: &str| {
        let found = name(span.get(key), key)?.and_then(|text| text.parse::<u64>().ok());
        found.map(|nanos| Some(nanos.into())).ok_or_else(|| wrong(format!("the span has no `{key}`")))
    };
    let ask = Draft {
        time: time("startTimeUnixNano")?,
        to: vec![server.to_owned()],
        performative: Some(ask.to_owned()),
        ..Draft::default()
    };
    let answer = Draft {
        time: time("endTimeUnixNano")?,
        from: Some(server.to_owned()),
        performative: Some(answer.to_owned()),
        ..Draft::default()
    };
    Ok([ask, answer])
}

/// The attributes that are texts or numbers.
fn attributes(of: &Json) -> Map<String, Json> {
    let mut all = Map::new();
    for attribute in of["attributes"].as_array().into_iter().flatten() {
        let value = &attribute["value"];
        let value = value.get("stringValue").or_else(|| value.get("intValue"));
        if let (Some(key), Some(value)) = (attribute["key"].as_str(), value) {
            all.insert(key.to_owned(), value.clone());
        }
    }
    all
}
