//! The commands of the server: a scene or a property is verified in the background, with progress, and may be
//! cancelled.

use std::sync::Arc;

use crossbeam_channel::bounded;
use ls_types::notification::{Notification as _, Progress};
use ls_types::request::{CodeLensRefresh, Request as _, WorkDoneProgressCreate};
use ls_types::{
    ExecuteCommandParams, ProgressParams, ProgressParamsValue, ProgressToken, Uri, WorkDoneProgress,
    WorkDoneProgressBegin, WorkDoneProgressCancelParams, WorkDoneProgressCreateParams, WorkDoneProgressEnd,
    WorkDoneProgressReport,
};
use lsp_server::{ErrorCode, RequestId, Response, ResponseError};
use serde_json::{Value, json};

use super::{Server, cancelled};
use crate::dispatch::refusal;
use crate::jobs::{Running, Shown};
use crate::lenses::{CANCEL, VERIFY};
use crate::search::Found;
use crate::verdicts::Subject;
use crate::verification::Request;
use crate::verifier::{Job, News};

impl Server {
    pub(super) fn execute(
        &mut self,
        id: &RequestId,
        params: ExecuteCommandParams,
    ) -> Result<(), ResponseError> {
        let (uri, subject) = arguments(&params)?;
        match params.command.as_str() {
            VERIFY => {
                let token = params.work_done_progress_params.work_done_token;
                self.verify(id, uri, subject, token)
            }
            CANCEL => {
                self.cancel_job(|job| job.uri == uri && job.subject == subject);
                self.respond(id.clone(), Ok(Value::Null));
                Ok(())
            }
            other => Err(refusal(ErrorCode::InvalidParams, format!("there is no command {other}"))),
        }
    }

    fn verify(
        &mut self,
        id: &RequestId,
        uri: Uri,
        subject: Subject,
        token: Option<ProgressToken>,
    ) -> Result<(), ResponseError> {
        let Some(document) = self.documents.get(&uri) else {
            return Err(refusal(ErrorCode::InvalidParams, format!("{} is not open", uri.as_str())));
        };
        let text = Arc::clone(&document.text);
        self.cancel_jobs(|job| job.uri == uri && job.subject == subject, "a newer one was asked for");
        let number = self.jobs.number();
        let (cancel, cancelled) = bounded(0);
        let shown = match token {
            Some(token) => {
                self.begin_progress(&token, &subject);
                Shown::At(token)
            }
            None if self.client.create_progress => {
                let token = ProgressToken::String(format!("map/verify/{number}"));
                let params = WorkDoneProgressCreateParams { token: token.clone() };
                let request = self.request(WorkDoneProgressCreate::METHOD, params);
                Shown::Asked(request, token)
            }
            None => Shown::Nowhere,
        };
        let request = Request { text: Arc::clone(&text), name: name_of(&uri), subject: subject.clone() };
        let job = Job { number, request, budget: self.budget.clone(), cancelled };
        let running = Running { number, request: id.clone(), uri, subject, text, shown, _cancel: cancel };
        self.jobs.add(running);
        self.verifier.send(job).map_err(|_| {
            refusal(
                ErrorCode::InternalError,
                "the thread that verifies has ended: a defect of map".to_owned(),
            )
        })?;
        self.refresh_lenses();
        Ok(())
    }

    pub(super) fn on_news(&mut self, news: News) {
        match news {
            News::Progress(number, message) => {
                let shown = self.jobs.find(|it| it.number == number).map(|it| it.shown.clone());
                if let Some(Shown::At(token)) = shown {
                    let report = WorkDoneProgressReport {
                        cancellable: Some(true),
                        message: Some(message),
                        percentage: None,
                    };
                    self.progress(token, WorkDoneProgress::Report(report));
                }
            }
            News::Finished(number, result) => {
                // Those that were cancelled have been taken out.
                for job in self.jobs.take(|it| it.number == number) {
                    self.finish(job, result.clone());
                }
            }
        }
    }

    fn finish(&mut self, job: Running, result: Result<Vec<Found>, String>) {
        let words = match &result {
            Ok(found) => found.iter().map(in_a_line).collect::<Vec<_>>().join("; "),
            Err(why) => why.clone(),
        };
        self.end_progress(&job, words);
        let answer = match result {
            Ok(found) => {
                let output = output(&found);
                if let Some(document) = self.documents.get_mut(&job.uri) {
                    document.verdicts.keep(&job.subject, &job.text, found);
                }
                self.publish(&job.uri);
                Ok(output)
            }
            Err(why) => Err(refusal(ErrorCode::RequestFailed, why)),
        };
        self.respond(job.request, answer);
        self.refresh_lenses();
    }

    /// Ends a verification, as its client asked.
    pub(super) fn cancel_job(&mut self, is_it: impl Fn(&Running) -> bool) {
        let taken = self.jobs.take(is_it);
        let any = !taken.is_empty();
        for job in taken {
            self.end_progress(&job, "cancelled".to_owned());
            self.respond(job.request.clone(), Err(cancelled()));
        }
        if any {
            self.refresh_lenses();
        }
    }

    /// Ends verifications for another reason.
    pub(super) fn cancel_jobs(&mut self, is_it: impl Fn(&Running) -> bool, why: &str) {
        for job in self.jobs.take(is_it) {
            self.end_progress(&job, why.to_owned());
            let refused = refusal(ErrorCode::RequestFailed, format!("the verification was stopped: {why}"));
            self.respond(job.request.clone(), Err(refused));
        }
    }

    pub(super) fn cancel_shown(&mut self, params: &WorkDoneProgressCancelParams) {
        self.cancel_job(|job| job.shown == Shown::At(params.token.clone()));
    }

    /// The client has made room for progress, or has refused to.
    pub(super) fn on_response(&mut self, response: &Response) {
        let is_it = |job: &Running| matches!(&job.shown, Shown::Asked(id, _) if *id == response.id);
        let Some(job) = self.jobs.find(is_it) else { return };
        let Shown::Asked(_, token) = job.shown.clone() else { return };
        if response.response_result.is_err() {
            job.shown = Shown::Nowhere;
            return;
        }
        job.shown = Shown::At(token.clone());
        let subject = job.subject.clone();
        self.begin_progress(&token, &subject);
    }

    fn begin_progress(&self, token: &ProgressToken, subject: &Subject) {
        let begin = WorkDoneProgressBegin {
            title: format!("Verifying {}", subject.words()),
            cancellable: Some(true),
            ..WorkDoneProgressBegin::default()
        };
        self.progress(token.clone(), WorkDoneProgress::Begin(begin));
    }

    fn end_progress(&self, job: &Running, message: String) {
        if let Shown::At(token) = &job.shown {
            let end = WorkDoneProgressEnd { message: Some(message) };
            self.progress(token.clone(), WorkDoneProgress::End(end));
        }
    }

    fn progress(&self, token: ProgressToken, value: WorkDoneProgress) {
        let value = ProgressParamsValue::WorkDone(value);
        self.notify(Progress::METHOD, ProgressParams { token, value });
    }

    fn refresh_lenses(&mut self) {
        if self.client.refresh_lenses {
            self.request(CodeLensRefresh::METHOD, ());
        }
    }
}

/// The text, the scene and the property of a command; the latter two may be missing or `null`.
fn arguments(params: &ExecuteCommandParams) -> Result<(Uri, Subject), ResponseError> {
    let wrong = || {
        let what = "the arguments are the URI of a text, the name of a scene and that of a property";
        refusal(ErrorCode::InvalidParams, format!("{}: {what}", params.command))
    };
    let text = |index: usize| match params.arguments.get(index) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text.clone())),
        Some(_) => Err(wrong()),
    };
    let uri = text(0)?.and_then(|uri| uri.parse().ok()).ok_or_else(wrong)?;
    Ok((uri, Subject { scene: text(1)?, property: text(2)? }))
}

/// The last part of a path.
fn name_of(uri: &Uri) -> String {
    let path = uri.path().as_str();
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

/// What was found, for those who do not look at diagnostics.
fn output(found: &[Found]) -> Value {
    let all = found.iter().map(|it| {
        let properties =
            it.properties.iter().map(|(name, finding)| json!({"name": name, "verdict": finding.words}));
        json!({
            "scene": it.scene,
            "flags": it.flags,
            "verdict": it.termination.as_ref().map(|finding| &finding.words),
            "states": it.states,
            "properties": properties.collect::<Vec<_>>(),
        })
    });
    Value::Array(all.collect())
}

fn in_a_line(found: &Found) -> String {
    let words = found.termination.iter().map(|it| it.words.clone());
    let properties = found.properties.iter().map(|(name, it)| format!("{name}: {}", it.words));
    words.chain(properties).collect::<Vec<_>>().join(", ")
}
