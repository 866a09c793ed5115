//! Which request is answered by what.

use ls_types::Uri;
use ls_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, DocumentHighlightRequest, DocumentSymbolRequest,
    FoldingRangeRequest, Formatting, GotoDefinition, HoverRequest, InlayHintRequest, PrepareRenameRequest,
    RangeFormatting, References, Rename, Request, SelectionRangeRequest, SemanticTokensFullRequest,
    SemanticTokensRangeRequest, SignatureHelpRequest,
};
use lsp_server::{ErrorCode, ResponseError};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::snapshot::Snapshot;
use crate::{features, lenses, symbols, tokens};

/// Answers a request about one text.
pub(crate) type Answer = Box<dyn FnOnce(&Snapshot) -> Result<Value, ResponseError> + Send>;

/// A request about one text.
pub(crate) struct Query {
    pub(crate) uri: Uri,
    pub(crate) answer: Answer,
}

/// Reads a request about one text; `None` if the method is another one.
///
/// # Errors
/// If the parameters are not those of the method.
pub(crate) fn query(method: &str, params: Value) -> Option<Result<Query, ResponseError>> {
    Some(match method {
        HoverRequest::METHOD => on::<HoverRequest>(
            params,
            |it| &it.text_document_position_params.text_document.uri,
            features::hover,
        ),
        GotoDefinition::METHOD => on::<GotoDefinition>(
            params,
            |it| &it.text_document_position_params.text_document.uri,
            features::definition,
        ),
        References::METHOD => {
            on::<References>(params, |it| &it.text_document_position.text_document.uri, features::references)
        }
        DocumentHighlightRequest::METHOD => on::<DocumentHighlightRequest>(
            params,
            |it| &it.text_document_position_params.text_document.uri,
            features::highlights,
        ),
        PrepareRenameRequest::METHOD => {
            on::<PrepareRenameRequest>(params, |it| &it.text_document.uri, features::prepare_rename)
        }
        Rename::METHOD => {
            on::<Rename>(params, |it| &it.text_document_position.text_document.uri, features::rename)
        }
        Completion::METHOD => {
            on::<Completion>(params, |it| &it.text_document_position.text_document.uri, features::completion)
        }
        SignatureHelpRequest::METHOD => on::<SignatureHelpRequest>(
            params,
            |it| &it.text_document_position_params.text_document.uri,
            features::signature_help,
        ),
        DocumentSymbolRequest::METHOD => {
            on::<DocumentSymbolRequest>(params, |it| &it.text_document.uri, symbols::document_symbols)
        }
        FoldingRangeRequest::METHOD => {
            on::<FoldingRangeRequest>(params, |it| &it.text_document.uri, features::folding_ranges)
        }
        SelectionRangeRequest::METHOD => {
            on::<SelectionRangeRequest>(params, |it| &it.text_document.uri, features::selection_ranges)
        }
        InlayHintRequest::METHOD => {
            on::<InlayHintRequest>(params, |it| &it.text_document.uri, features::inlay_hints)
        }
        SemanticTokensFullRequest::METHOD => {
            on::<SemanticTokensFullRequest>(params, |it| &it.text_document.uri, tokens::full)
        }
        SemanticTokensRangeRequest::METHOD => {
            on::<SemanticTokensRangeRequest>(params, |it| &it.text_document.uri, tokens::range)
        }
        Formatting::METHOD => on::<Formatting>(params, |it| &it.text_document.uri, features::formatting),
        RangeFormatting::METHOD => {
            on::<RangeFormatting>(params, |it| &it.text_document.uri, features::range_formatting)
        }
        CodeActionRequest::METHOD => {
            on::<CodeActionRequest>(params, |it| &it.text_document.uri, features::code_actions)
        }
        CodeLensRequest::METHOD => {
            on::<CodeLensRequest>(params, |it| &it.text_document.uri, lenses::code_lenses)
        }
        _ => return None,
    })
}

fn on<R: Request>(
    params: Value,
    uri: fn(&R::Params) -> &Uri,
    answer: fn(&Snapshot, &R::Params) -> Result<R::Result, String>,
) -> Result<Query, ResponseError> {
    let params: R::Params = read(params)?;
    let uri = uri(&params).clone();
    let answer = move |snapshot: &Snapshot| {
        let result = answer(snapshot, &params).map_err(|why| refusal(ErrorCode::RequestFailed, why))?;
        serde_json::to_value(result).map_err(|why| refusal(ErrorCode::InternalError, why.to_string()))
    };
    Ok(Query { uri, answer: Box::new(answer) })
}

/// Reads parameters.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn read<T: DeserializeOwned>(params: Value) -> Result<T, ResponseError> {
    serde_json::from_value(params).map_err(|why| refusal(ErrorCode::InvalidParams, why.to_string()))
}

pub(crate) const fn refusal(code: ErrorCode, message: String) -> ResponseError {
    ResponseError { code: code as i32, message, data: None }
}
