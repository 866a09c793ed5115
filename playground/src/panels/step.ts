// Steps by hand: what can happen now, what has happened, back and forth, and a tree of all that was tried.

import { button, h } from '../dom.ts';
import type { StepAnswer, Told, Way } from '../engine/answers.ts';
import { told } from '../words.ts';
import type { Context } from './context.ts';
import { FromHere } from './from-here.ts';
import { StateGraph } from './graph.ts';
import { refused } from './search.ts';
import { showEnd, stepsChart } from './steps-chart.ts';

/** A place in the tree of what was tried. */
interface Place {
  step: Told | undefined;
  above: Place | undefined;
  below: Place[];
  /** How the run stands there. */
  standing: string;
}

/** The panel of steps. */
export class Steps {
  /** The steps that were taken. */
  steps: string[] = [];
  /** Those that were taken back, the next one last. */
  private undone: string[] = [];
  /** The initial values. */
  initial: number[] = [];
  private readonly choosing = h('div', { class: 'output' });
  private readonly output = h('div', { class: 'output' });
  private readonly graph: StateGraph;
  private readonly fromHere: FromHere;
  private readonly status = h('p', { class: 'standing', role: 'status' });
  private readonly back: HTMLButtonElement;
  private readonly forth: HTMLButtonElement;
  private root: Place = { step: undefined, above: undefined, below: [], standing: '' };
  private asked = 0;

  constructor(
    private readonly context: Context,
    panel: HTMLElement,
  ) {
    this.back = button('Back', () => {
      this.go(this.steps.length - 1);
    });
    this.forth = button('Forth', () => {
      const next = this.undone.pop();
      if (next !== undefined) {
        this.steps.push(next);
        void this.show();
      }
    });
    const restart = button('From the start', () => {
      this.go(0);
    });
    const here = () => ({ initial: this.initial, steps: this.steps });
    this.graph = new StateGraph(context, here, ({ initial, steps }: Way) => void this.begin(initial, steps));
    this.fromHere = new FromHere(context, here);
    const bar = h('div', { class: 'bar' }, this.back, this.forth, restart, this.status);
    panel.append(bar, this.choosing, this.graph.box, this.output, this.fromHere.box);
  }

  /** Shows where these steps lead. */
  async begin(initial: number[], steps: string[]): Promise<void> {
    this.initial = initial;
    this.steps = [...steps];
    this.undone = [];
    await this.show();
  }

  /** Forgets everything: the text or the cast has changed. */
  forget(): void {
    this.fromHere.arrive();
    this.root = { step: undefined, above: undefined, below: [], standing: '' };
    this.undone = [];
  }

  /** Asks where the steps lead, and shows it; `whole` with all that can happen next in the chart. */
  async show(whole = false): Promise<void> {
    this.asked += 1;
    const { asked } = this;
    const { editor, cast, engine } = this.context;
    this.fromHere.arrive();
    try {
      const { initial, steps } = this;
      const played = { text: editor.text, flags: cast.flags(), initial, steps };
      const answer = await engine.ask({ ask: 'step', whole, ...played });
      if (asked === this.asked) {
        this.draw(answer);
      }
    } catch (why) {
      this.status.textContent = '';
      this.choosing.replaceChildren(refused(why));
      this.output.replaceChildren();
    }
    void this.graph.draw();
    this.context.changed();
  }

  private draw(answer: StepAnswer): void {
    const { taken, enabled, standing } = answer;
    this.steps = taken.map(it => it.step);
    this.initial = answer.initial;
    this.back.disabled = taken.length === 0;
    this.forth.disabled = this.undone.length === 0;
    this.status.textContent = `After ${taken.length} ${taken.length === 1 ? 'step' : 'steps'}: ${standing.word}`;
    this.fromHere.offer(answer.properties);
    const place = this.placeOf(taken, standing.word);
    const now: Node[] = [];
    const children: Node[] = [];
    if (answer.refused !== undefined) {
      const why = `These steps do not fit this text, which may have changed since they were taken: ${answer.refused}.`;
      now.push(h('p', { class: 'refused', role: 'alert' }, why));
    }
    if (answer.starts_with.length > 0) {
      now.push(h('p', {}, `Starts with ${answer.starts_with.join(', ')}.`));
    }
    now.push(h('h3', {}, standing.open ? 'What can happen now' : 'How it ends'));
    now.push(standing.open ? this.choices(enabled) : told(standing.said));
    const chart = this.chart(answer);
    if (chart !== undefined) {
      now.push(chart);
    }
    if (taken.length > 0) {
      children.push(h('h3', {}, 'What has happened'), this.history(taken));
    }
    if (this.branches() > 0) {
      children.push(h('h3', {}, 'What you have tried'), h('div', { class: 'tree' }, this.tree(this.root, place)));
    }
    children.push(h('details', {}, h('summary', {}, 'Every agent'), told(answer.agents)));
    const before = this.choosing.querySelector<HTMLElement>('figure.steps');
    this.choosing.replaceChildren(...now);
    if (chart !== undefined) {
      showEnd(chart, before);
    }
    this.output.replaceChildren(...children);
    this.context.editor.mark(taken.at(-1));
  }

  private choices(enabled: Told[]): HTMLElement {
    const list = h('ol', { class: 'choices' });
    for (const it of enabled) {
      const words = [h('span', { class: 'agent' }, it.agent), ` ${it.what} `, h('span', { class: 'aside' }, `line ${it.line}`)];
      if (!it.can) {
        list.append(h('li', { class: 'cut' }, ...words));
        continue;
      }
      const choose = h('button', { type: 'button' }, ...words);
      const mark = () => {
        this.context.editor.mark(it);
      };
      choose.addEventListener('pointerenter', mark);
      choose.addEventListener('focus', mark);
      choose.addEventListener('click', () => {
        this.take(it, '.choices button');
      });
      list.append(h('li', {}, choose));
    }
    return list;
  }

  private history(taken: Told[]): HTMLElement {
    const list = h('ol', { class: 'history' });
    taken.forEach((it, index) => {
      const go = button('', () => {
        this.go(index + 1);
      });
      go.append(h('span', { class: 'agent' }, it.agent), ` ${it.what}`);
      list.append(h('li', {}, go));
    });
    return list;
  }

  private chart(answer: StepAnswer): HTMLElement | undefined {
    return stepsChart(answer, {
      back: steps => {
        this.go(steps);
      },
      take: step => {
        this.take(step, '[data-next]');
      },
      point: step => {
        this.context.editor.mark(step);
      },
      whole: () => {
        void this.show(true).then(() => {
          this.focus('[data-next]');
        });
      },
    });
  }

  /** Takes a step, and goes on where it was chosen: at the first element that this selects. */
  private take({ step }: Told, selector: string): void {
    this.steps.push(step);
    this.undone = [];
    void this.show().then(() => {
      this.focus(selector);
    });
  }

  private focus(selector: string): void {
    const found = this.choosing.querySelector<HTMLElement | SVGElement>(selector);
    const figure = found?.closest('figure');
    if (figure === undefined || figure === null) {
      (found ?? this.back).focus();
      return;
    }
    // A row is as wide as its chart, whose own place has been chosen already.
    found?.focus({ preventScroll: true });
    figure.scrollIntoView({ block: 'nearest' });
  }

  private go(steps: number): void {
    while (this.steps.length > steps) {
      this.undone.push(this.steps.pop() ?? '');
    }
    void this.show();
  }

  private placeOf(taken: Told[], standing: string): Place {
    let at = this.root;
    for (const step of taken) {
      let next = at.below.find(it => it.step?.step === step.step);
      if (next === undefined) {
        next = { step, above: at, below: [], standing: '' };
        at.below.push(next);
      }
      at = next;
    }
    at.standing = standing;
    return at;
  }

  /** How many places have several ways on. */
  private branches(at = this.root): number {
    return (at.below.length > 1 ? 1 : 0) + at.below.reduce((sum, it) => sum + this.branches(it), 0);
  }

  /** The tree: runs of single steps are one line, branches can be folded. */
  private tree(from: Place, here: Place): HTMLElement {
    let at = from;
    const line: Place[] = at.step === undefined ? [] : [at];
    while (at.below.length === 1 && at.below[0] !== undefined && at !== here) {
      at = at.below[0];
      line.push(at);
    }
    const last = line.at(-1);
    const path: string[] = [];
    for (let up: Place | undefined = at; up?.step !== undefined; up = up.above) {
      path.unshift(up.step.step);
    }
    const words = last?.step === undefined ? 'start' : `${last.step.agent} ${last.step.what}`;
    const more = line.length > 1 ? `${line.length} steps, then ` : '';
    const label = button(`${more}${words}${at.standing === '' ? '' : ` (${at.standing})`}`, () => {
      void this.begin(this.initial, path);
    });
    if (at === here) {
      label.setAttribute('aria-current', 'step');
    }
    if (at.below.length === 0) {
      return h('div', { class: 'leaf' }, label);
    }
    const below = at.below.map(it => this.tree(it, here));
    return h('details', { open: '' }, h('summary', {}, label), ...below);
  }
}
