//! Texts that are opened, changed and closed, their analyses, and the diagnostics that follow.

use std::sync::Arc;

use ls_types::notification::{Notification as _, PublishDiagnostics};
use ls_types::{
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    PublishDiagnosticsParams, Uri,
};
use lsp_server::ErrorCode;

use super::{Event, Server};
use crate::diagnostics;
use crate::dispatch::refusal;
use crate::documents::Analysed;
use crate::positions::Text;
use crate::snapshot::Snapshot;

impl Server {
    pub(super) fn open(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        let uri = document.uri;
        self.overtake(&uri);
        self.documents.open(uri.clone(), document.version, document.text, self.client.encoding);
        self.analyse(&uri);
    }

    pub(super) fn change(&mut self, params: &DidChangeTextDocumentParams) {
        let (uri, version) = (&params.text_document.uri, params.text_document.version);
        if !self.documents.change(uri, version, &params.content_changes) {
            return self.log(&format!("a change of {}, which is not open", uri.as_str()));
        }
        self.overtake(uri);
        self.analyse(uri);
    }

    pub(super) fn close(&mut self, params: &DidCloseTextDocumentParams) {
        let uri = &params.text_document.uri;
        if self.documents.close(uri) {
            self.overtake(uri);
            self.cancel_jobs(|job| job.uri == *uri, "the text was closed");
            self.publish_none(uri);
        }
    }

    /// Answers the open requests about a text that is no more as it was.
    fn overtake(&mut self, uri: &Uri) {
        for id in self.pending.overtaken(uri) {
            self.respond(id, Err(refusal(ErrorCode::ContentModified, "the text was changed".to_owned())));
        }
    }

    /// Starts the analysis of a text, unless an earlier state of it is still in work: then the newest follows.
    fn analyse(&mut self, uri: &Uri) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        if document.in_work.is_some() {
            return;
        }
        let text = Arc::clone(&document.text);
        document.in_work = Some(Arc::clone(&text));
        let (events, uri, analysed) = (self.events.clone(), uri.clone(), Arc::clone(&text));
        self.pool.spawn(
            move || Arc::new(Analysed::new(analysed)),
            move |result| _ = events.send(Event::Analysed(uri, text, result)),
        );
    }

    pub(super) fn on_analysed(&mut self, uri: &Uri, text: &Arc<Text>, result: Result<Arc<Analysed>, String>) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        // It may be that of a text that was closed and opened again.
        if document.in_work.as_ref().is_some_and(|it| Arc::ptr_eq(it, text)) {
            document.in_work = None;
        }
        let is_current = Arc::ptr_eq(&document.text, text);
        match result {
            Ok(analysed) if is_current || document.analysed.is_none() => document.analysed = Some(analysed),
            Ok(_) => {}
            Err(panic) => {
                let why = format!("a defect of map, not of your file; please report it: {panic}");
                if is_current {
                    document.defect = Some(why.clone());
                    for (id, _) in self.pending.ready(uri) {
                        self.pending.close(&id);
                        self.respond(id, Err(refusal(ErrorCode::InternalError, why.clone())));
                    }
                }
                self.log(&why);
                if is_current {
                    return;
                }
            }
        }
        if !is_current {
            return self.analyse(uri);
        }
        self.publish(uri);
        for (id, answer) in self.pending.ready(uri) {
            if let Some(snapshot) = self.snapshot(uri) {
                self.answer_from(id, snapshot, answer);
            }
        }
    }

    /// Shows the diagnostics of a text, if it is analysed.
    pub(super) fn publish(&self, uri: &Uri) {
        let Some(document) = self.documents.get(uri) else { return };
        let Some(analysed) = document.current() else { return };
        let diagnostics = diagnostics::all(uri, analysed, &document.verdicts);
        let version = Some(document.version);
        let params = PublishDiagnosticsParams { uri: uri.clone(), diagnostics, version };
        self.notify(PublishDiagnostics::METHOD, params);
    }

    fn publish_none(&self, uri: &Uri) {
        let params = PublishDiagnosticsParams { uri: uri.clone(), diagnostics: Vec::new(), version: None };
        self.notify(PublishDiagnostics::METHOD, params);
    }

    /// A text as it is now, if it is analysed.
    pub(super) fn snapshot(&self, uri: &Uri) -> Option<Snapshot> {
        let document = self.documents.get(uri)?;
        Some(self.snapshot_of(uri, document.version, document.current()?))
    }

    /// All texts, each as it was analysed last.
    pub(super) fn known_texts(&self) -> Vec<Snapshot> {
        let known = self.documents.iter();
        known.filter_map(|(uri, it)| Some(self.snapshot_of(uri, it.version, it.analysed.as_ref()?))).collect()
    }

    fn snapshot_of(&self, uri: &Uri, version: i32, analysed: &Arc<Analysed>) -> Snapshot {
        Snapshot {
            uri: uri.clone(),
            version,
            analysed: Arc::clone(analysed),
            client: Arc::clone(&self.client),
            verdicts: self.documents.get(uri).map(|it| it.verdicts.clone()).unwrap_or_default(),
            in_work: self.jobs.subjects(uri),
        }
    }
}
