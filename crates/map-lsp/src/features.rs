//! The answers to requests about a text: each asks the analysis and turns what it says into the protocol's terms.

use ls_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, CompletionItem, CompletionParams,
    CompletionResponse, CompletionTextEdit, DocumentFormattingParams, DocumentHighlight,
    DocumentHighlightParams, DocumentRangeFormattingParams, Documentation, FoldingRange, FoldingRangeParams,
    GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverContents, HoverParams, InlayHint,
    InlayHintLabel, InlayHintParams, InlayHintTooltip, InsertTextFormat, Location, LocationLink,
    MarkupContent, MarkupKind, ParameterInformation, ParameterLabel, PrepareRenameResponse, ReferenceParams,
    RenameParams, SelectionRange, SelectionRangeParams, SignatureHelp, SignatureHelpParams,
    SignatureInformation, TextDocumentPositionParams, TextEdit, WorkspaceEdit,
};
use map_ide::{Action, Completion};

use crate::diagnostics;
use crate::kinds;
use crate::positions::to_u32;
use crate::snapshot::Snapshot;

/// The answer to a request, or why there is none.
type Answer<T> = Result<Option<T>, String>;

pub(crate) fn hover(snapshot: &Snapshot, params: &HoverParams) -> Answer<Hover> {
    let at = snapshot.offset(params.text_document_position_params.position);
    let hover = snapshot.analysis().hover(at);
    Ok(hover.map(|it| Hover {
        contents: HoverContents::Markup(markdown(it.markdown)),
        range: Some(snapshot.range(&it.range)),
    }))
}

fn markdown(value: String) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value }
}

pub(crate) fn definition(
    snapshot: &Snapshot,
    params: &GotoDefinitionParams,
) -> Answer<GotoDefinitionResponse> {
    let at = snapshot.offset(params.text_document_position_params.position);
    let targets = snapshot.analysis().definition(at);
    if snapshot.client.definition_links {
        let link = |it: &map_ide::Target| LocationLink {
            origin_selection_range: None,
            target_uri: snapshot.uri.clone(),
            target_range: snapshot.range(&it.full_range),
            target_selection_range: snapshot.range(&it.name_range),
        };
        return Ok(Some(GotoDefinitionResponse::Link(targets.iter().map(link).collect())));
    }
    let locations = targets.iter().map(|it| snapshot.location(&it.name_range)).collect();
    Ok(Some(GotoDefinitionResponse::Array(locations)))
}

pub(crate) fn references(snapshot: &Snapshot, params: &ReferenceParams) -> Answer<Vec<Location>> {
    let at = snapshot.offset(params.text_document_position.position);
    let found = snapshot.analysis().references(at, params.context.include_declaration);
    Ok(Some(found.iter().map(|it| snapshot.location(&it.range)).collect()))
}

pub(crate) fn highlights(
    snapshot: &Snapshot,
    params: &DocumentHighlightParams,
) -> Answer<Vec<DocumentHighlight>> {
    let at = snapshot.offset(params.text_document_position_params.position);
    let found = snapshot.analysis().references(at, true);
    let highlight = |it: &map_ide::Occurrence| DocumentHighlight {
        range: snapshot.range(&it.range),
        kind: Some(kinds::highlight(it.kind)),
    };
    Ok(Some(found.iter().map(highlight).collect()))
}

pub(crate) fn prepare_rename(
    snapshot: &Snapshot,
    params: &TextDocumentPositionParams,
) -> Answer<PrepareRenameResponse> {
    let at = snapshot.offset(params.position);
    let range = snapshot.analysis().rename_range(at)?;
    let placeholder = snapshot.text().as_str()[range.clone()].to_owned();
    let range = snapshot.range(&range);
    Ok(Some(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder }))
}

pub(crate) fn rename(snapshot: &Snapshot, params: &RenameParams) -> Answer<WorkspaceEdit> {
    let at = snapshot.offset(params.text_document_position.position);
    let edits = snapshot.analysis().rename(at, &params.new_name)?;
    Ok(Some(snapshot.workspace_edit(&edits)))
}

pub(crate) fn completion(snapshot: &Snapshot, params: &CompletionParams) -> Answer<CompletionResponse> {
    let at = snapshot.offset(params.text_document_position.position);
    let proposals = snapshot.analysis().completion(at).into_iter();
    let items = proposals.map(|it| completion_item(snapshot, it)).collect();
    Ok(Some(CompletionResponse::Array(items)))
}

fn completion_item(snapshot: &Snapshot, completion: Completion) -> CompletionItem {
    let Completion { label, kind, detail, documentation, replace, insert, snippet, rank } = completion;
    let (insert, snippet) = match snippet && !snapshot.client.snippets {
        true => (without_places(&insert), false),
        false => (insert, snippet),
    };
    let format = if snippet { InsertTextFormat::SNIPPET } else { InsertTextFormat::PLAIN_TEXT };
    // Editors filter by what is replaced, up to the cursor: that includes the sigil.
    let filter = (!snippet && insert != label).then(|| insert.clone());
    CompletionItem {
        kind: Some(kinds::completion(kind)),
        detail,
        documentation: documentation.map(|it| Documentation::MarkupContent(markdown(it))),
        sort_text: Some(format!("{rank:05}{label}")),
        filter_text: filter,
        insert_text_format: Some(format),
        text_edit: Some(CompletionTextEdit::Edit(TextEdit {
            range: snapshot.range(&replace),
            new_text: insert,
        })),
        label,
        ..CompletionItem::default()
    }
}

/// A snippet as plain text: places to fill become what stands in them.
fn without_places(snippet: &str) -> String {
    let mut plain = String::new();
    let mut letters = snippet.chars().peekable();
    let mut open = 0;
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => plain.extend(letters.next()),
            '$' => {
                open += usize::from(letters.next_if_eq(&'{').is_some());
                while letters.next_if(char::is_ascii_digit).is_some() {}
                letters.next_if_eq(&':');
            }
            '}' if open > 0 => open -= 1,
            other => plain.push(other),
        }
    }
    plain
}

pub(crate) fn signature_help(snapshot: &Snapshot, params: &SignatureHelpParams) -> Answer<SignatureHelp> {
    let at = snapshot.offset(params.text_document_position_params.position);
    let Some(signature) = snapshot.analysis().signature(at) else { return Ok(None) };
    let encoding = snapshot.text().encoding();
    let label = &signature.label;
    let units = |bytes: usize| to_u32(encoding.length(label.get(..bytes).unwrap_or(label)));
    let parameters = signature.parameters.iter().map(|it| ParameterInformation {
        label: ParameterLabel::LabelOffsets([units(it.start), units(it.end)]),
        documentation: None,
    });
    let active = Some(to_u32(signature.active));
    let signatures = vec![SignatureInformation {
        label: label.clone(),
        documentation: signature.documentation.map(|it| Documentation::MarkupContent(markdown(it))),
        parameters: Some(parameters.collect()),
        active_parameter: active,
    }];
    Ok(Some(SignatureHelp { signatures, active_signature: Some(0), active_parameter: active }))
}

pub(crate) fn folding_ranges(snapshot: &Snapshot, _: &FoldingRangeParams) -> Answer<Vec<FoldingRange>> {
    let folds = snapshot.analysis().folds();
    let fold = |it: &map_ide::Fold| {
        let range = snapshot.range(&it.range);
        FoldingRange {
            start_line: range.start.line,
            start_character: Some(range.start.character),
            end_line: range.end.line,
            end_character: Some(range.end.character),
            kind: kinds::fold(it.kind),
            collapsed_text: None,
        }
    };
    Ok(Some(folds.iter().map(fold).collect()))
}

pub(crate) fn selection_ranges(
    snapshot: &Snapshot,
    params: &SelectionRangeParams,
) -> Answer<Vec<SelectionRange>> {
    let around = |&position| {
        let at = snapshot.offset(position);
        let ranges = snapshot.analysis().selection(at);
        let outermost_first = ranges.iter().rev();
        outermost_first
            .fold(None, |parent: Option<Box<SelectionRange>>, range| {
                Some(Box::new(SelectionRange { range: snapshot.range(range), parent }))
            })
            // The answer has an entry for each position.
            .map_or_else(|| SelectionRange { range: snapshot.range(&(at..at)), parent: None }, |it| *it)
    };
    Ok(Some(params.positions.iter().map(around).collect()))
}

pub(crate) fn inlay_hints(snapshot: &Snapshot, params: &InlayHintParams) -> Answer<Vec<InlayHint>> {
    let within = snapshot.text().offsets(params.range);
    let hints = snapshot.analysis().inlay_hints(within);
    let hint = |it: map_ide::Inlay| InlayHint {
        position: snapshot.text().position(it.at),
        label: InlayHintLabel::String(it.label),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(it.tooltip)),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    };
    Ok(Some(hints.into_iter().map(hint).collect()))
}

pub(crate) fn formatting(snapshot: &Snapshot, _: &DocumentFormattingParams) -> Answer<Vec<TextEdit>> {
    Ok(snapshot.analysis().format()?.map(|edits| snapshot.text_edits(&edits)))
}

pub(crate) fn range_formatting(
    snapshot: &Snapshot,
    params: &DocumentRangeFormattingParams,
) -> Answer<Vec<TextEdit>> {
    let range = snapshot.text().offsets(params.range);
    Ok(snapshot.analysis().format_range(range)?.map(|edits| snapshot.text_edits(&edits)))
}

pub(crate) fn code_actions(
    snapshot: &Snapshot,
    params: &CodeActionParams,
) -> Answer<Vec<CodeActionOrCommand>> {
    let wanted = |kinds: &Vec<CodeActionKind>| {
        // The kinds form a tree: an empty one stands for all.
        kinds.iter().any(|it| it.as_str().is_empty() || it.as_str() == CodeActionKind::QUICKFIX.as_str())
    };
    if !params.context.only.as_ref().is_none_or(wanted) {
        return Ok(Some(Vec::new()));
    }
    let range = snapshot.text().offsets(params.range);
    let problems = snapshot.analysis().diagnostics();
    let action = |it: &Action| {
        let problem = it.problem.and_then(|index| problems.get(index));
        let mends = problem.map(|it| vec![diagnostics::of_problem(&snapshot.uri, &snapshot.analysed, it)]);
        CodeActionOrCommand::CodeAction(CodeAction {
            title: it.title.clone(),
            kind: Some(CodeActionKind::QUICKFIX),
            diagnostics: mends,
            edit: Some(snapshot.workspace_edit(&it.edits)),
            is_preferred: it.preferred.then_some(true),
            ..CodeAction::default()
        })
    };
    Ok(Some(snapshot.analysis().actions(range).iter().map(action).collect()))
}

#[cfg(test)]
mod tests {
    use super::without_places;

    #[test]
    fn snippets_without_their_places() {
        for (snippet, plain) in [
            ("ask($1)", "ask()"),
            ("\\$v = ${1:ask}(${2:x, y})$0", "$v = ask(x, y)"),
            ("${1:a ${2:b} c} \\} \\\\", "a b c } \\"),
            ("{ }", "{ }"),
        ] {
            assert_eq!(without_places(snippet), plain);
        }
    }
}
