// The editor: colours, diagnostics with fixes, hover, completion, definitions, renaming and layout, all from the engine.

import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, snippet } from '@codemirror/autocomplete';
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import type { Action as LintAction, Diagnostic as LintDiagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect, StateField, Transaction } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import {
  Decoration,
  EditorView,
  drawSelection,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';

import { Offsets } from './bytes.ts';
import { h } from './dom.ts';
import type { CheckAnswer, Edit, Range } from './engine/answers.ts';
import { Refusal } from './engine/engine.ts';
import type { Engine } from './engine/engine.ts';
import { markdown } from './words.ts';

/** How long nothing must be typed before the text is looked at, in milliseconds. */
const PAUSE = 120;

/** What the editor tells the page. */
export interface Listener {
  /** The text has changed. */
  changed: () => void;
  /** The text has been looked at. */
  checked: (answer: CheckAnswer) => void;
  /** Something cannot be done, or was done. */
  said: (words: string) => void;
  /** A new name is wanted for this one; `undefined` if none is given. */
  name: (old: string) => Promise<string | undefined>;
}

const setColours = StateEffect.define<DecorationSet>();
const setMark = StateEffect.define<DecorationSet>();

function decorations(effect: typeof setColours): Extension {
  return StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update(value, transaction) {
      const set = transaction.effects.find(it => it.is(effect));
      return set === undefined ? value.map(transaction.changes) : (set.value);
    },
    provide: field => EditorView.decorations.from(field),
  });
}

/** The editor of a dialogue. */
export class Editor {
  readonly view: EditorView;
  private timer: number | undefined;
  private offsets = new Offsets('');

  constructor(
    parent: HTMLElement,
    private readonly engine: Engine,
    private readonly listener: Listener,
  ) {
    this.view = new EditorView({ parent, extensions: this.extensions() });
  }

  /** The text. */
  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Puts another text in its place. */
  set text(text: string) {
    this.view.dispatch({
      changes: { from: 0, to: this.view.state.doc.length, insert: text },
      annotations: Transaction.userEvent.of('input.load'),
      selection: { anchor: 0 },
      scrollIntoView: true,
    });
  }

  /** Marks a place, and shows it. */
  mark(range: Range | undefined): void {
    const offsets = this.current();
    const [from, to] = range === undefined ? [0, 0] : [offsets.toUnits(range.start), offsets.toUnits(range.end)];
    const marks = from < to ? Decoration.set([Decoration.mark({ class: 'map-here' }).range(from, to)]) : Decoration.none;
    this.view.dispatch({ effects: setMark.of(marks) });
    // Only the editor moves: below it somebody is pointing at something.
    const { scrollDOM } = this.view;
    const line = this.view.lineBlockAt(from);
    const isSeen = line.top >= scrollDOM.scrollTop && line.bottom <= scrollDOM.scrollTop + scrollDOM.clientHeight;
    if (from < to && !isSeen) {
      scrollDOM.scrollTo({ top: line.top - 60 });
    }
  }

  /** Brings the text into its canonical layout. */
  async format(): Promise<void> {
    await this.changing(async text => { this.edit(await this.engine.ask({ ask: 'format', text })); });
  }

  /** Gives the name at the cursor another one. */
  async rename(): Promise<void> {
    await this.changing(async (text, at) => {
      const range = await this.engine.ask({ ask: 'rename-range', text, at });
      const offsets = this.current();
      const old = text.slice(offsets.toUnits(range.start), offsets.toUnits(range.end));
      const name = await this.listener.name(old);
      if (name !== undefined && name !== old && this.text === text) {
        this.edit(await this.engine.ask({ ask: 'rename', text, at, name }));
      }
    });
    this.view.focus();
  }

  /** Goes to where the name at the cursor comes from. */
  async define(): Promise<void> {
    await this.changing(async (text, at) => {
      const [target] = await this.engine.ask({ ask: 'define', text, at });
      if (target === undefined) {
        this.listener.said('Nothing is known of where this comes from.');
        return;
      }
      const anchor = this.current().toUnits(target.start);
      this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    });
  }

  /** Looks at the text at once; perhaps it has been asked for already. */
  async check(asked?: Promise<CheckAnswer>): Promise<void> {
    const { text } = this;
    window.clearTimeout(this.timer);
    try {
      const answer = await (asked ?? this.engine.ask({ ask: 'check', text, flags: '' }));
      if (text === this.text) {
        this.show(answer);
        this.listener.checked(answer);
      }
    } catch (why) {
      this.failed(why);
    }
  }

  private extensions(): Extension[] {
    const does = (act: () => Promise<void>) => () => {
      void act();
      return true;
    };
    return [
      lineNumbers(),
      history(),
      drawSelection(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      closeBrackets(),
      EditorState.tabSize.of(4),
      EditorView.contentAttributes.of({ 'aria-label': 'Dialogue', tabindex: '0', spellcheck: 'false', autocapitalize: 'off' }),
      decorations(setColours),
      decorations(setMark),
      lintGutter(),
      autocompletion({ override: [context => this.proposals(context)], icons: false }),
      hoverTooltip((_, at) => this.hover(at)),
      keymap.of([
        { key: 'F2', run: does(() => this.rename()) },
        { key: 'F12', run: does(() => this.define()) },
        { key: 'Shift-Alt-f', run: does(() => this.format()) },
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...lintKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...defaultKeymap,
        // Escape, then Tab, leaves the editor.
        indentWithTab,
      ]),
      EditorView.updateListener.of(update => {
        if (update.docChanged) {
          window.clearTimeout(this.timer);
          this.timer = window.setTimeout(() => void this.check(), PAUSE);
          this.listener.changed();
        }
      }),
    ];
  }

  /** Offsets into the text as it is. */
  private current(): Offsets {
    const { text } = this;
    if (this.offsets.text !== text) {
      this.offsets = new Offsets(text);
    }
    return this.offsets;
  }

  private show(answer: CheckAnswer): void {
    const offsets = this.current();
    const range = (it: Range) => ({ from: offsets.toUnits(it.start), to: offsets.toUnits(it.end) });
    const colours = answer.tokens
      .map(([start, end, kind]) => ({ ...range({ start, end }), kind }))
      .filter(({ from, to }) => from < to)
      .map(({ from, to, kind }) => {
        const names = kind.split(' ').map(it => `map-${it}`);
        return Decoration.mark({ class: names.join(' ') }).range(from, to);
      });
    this.view.dispatch({ effects: setColours.of(Decoration.set(colours, true)) });
    const found = answer.output.diagnostics.map((it): LintDiagnostic => {
      const primary = it.labels.find(label => label.primary);
      const place = primary === undefined ? { from: 0, to: 0 } : range(primary.span);
      const lines = [
        it.text,
        primary?.text ?? '',
        ...it.notes.map(note => `note: ${note}`),
        ...it.help.map(help => `help: ${help}`),
      ];
      const isItsOwn = (action: { code?: string } & Range) =>
        action.code === it.code && action.start === (primary?.span.start ?? 0);
      const actions = answer.actions.filter(isItsOwn).map((action): LintAction => ({
        name: action.title,
        apply: () => {
          this.edit(action.edits);
        },
      }));
      return {
        ...place,
        severity: it.severity,
        source: it.code,
        message: lines.filter(line => line !== '').join('\n'),
        actions,
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, found));
  }

  private edit(edits: Edit[]): void {
    const offsets = this.current();
    const changes = edits.map(({ start, end, text: insert }) => ({
      from: offsets.toUnits(start),
      to: offsets.toUnits(end),
      insert,
    }));
    this.view.dispatch({ changes, annotations: Transaction.userEvent.of('input.edit') });
  }

  private async changing(act: (text: string, at: number) => Promise<void>): Promise<void> {
    try {
      await act(this.text, this.current().toBytes(this.view.state.selection.main.head));
    } catch (why) {
      this.failed(why);
    }
  }

  private failed(why: unknown): void {
    this.listener.said(why instanceof Refusal ? why.message : String(why));
  }

  private async hover(unit: number) {
    const { text } = this;
    const at = this.current().toBytes(unit);
    const known = await this.engine.ask({ ask: 'hover', text, at }).catch(() => null);
    if (known === null || text !== this.text) {
      return null;
    }
    const offsets = this.current();
    return {
      pos: offsets.toUnits(known.start),
      end: offsets.toUnits(known.end),
      create: () => ({ dom: h('div', { class: 'hover' }, markdown(known.markdown)) }),
    };
  }

  private async proposals(context: CompletionContext): Promise<CompletionResult | null> {
    const before = context.matchBefore(/[$%!@_]?\w*$/);
    if (!context.explicit && (before === null || before.from === before.to)) {
      return null;
    }
    const { text } = this;
    const offsets = this.current();
    const found = await this.engine.ask({ ask: 'complete', text, at: offsets.toBytes(context.pos) }).catch(() => []);
    const [first] = found;
    if (first === undefined || context.aborted) {
      return null;
    }
    const options = found.map((it): Completion => ({
      label: it.snippet ? it.label : it.insert,
      displayLabel: it.label,
      type: it.kind,
      boost: -Math.min(it.rank, 98),
      ...(it.detail === null ? {} : { detail: it.detail }),
      ...(it.documentation === null ? {} : { info: () => markdown(it.documentation ?? '') }),
      apply: it.snippet ? snippet(ofCodeMirror(it.insert)) : it.insert,
    }));
    return { from: offsets.toUnits(first.start), options };
  }
}

/** A snippet of the engine in the notation of CodeMirror. */
export function ofCodeMirror(template: string): string {
  return template.replace(/\\([$}\\])|\$(\d)|\$\{(\d):|([{}])/g, (all, escaped, place, named, brace: string | undefined) => {
    if (escaped !== undefined) {
      return escaped === '}' ? '\\}' : String(escaped);
    }
    if (place !== undefined) {
      // The last place comes last there, too.
      return place === '0' ? '${9}' : `\${${String(place)}}`;
    }
    return named === undefined && brace === '{' ? '\\{' : all;
  });
}
