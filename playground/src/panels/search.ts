// A search in a panel: a button that begins it, one that stops it, progress, and what came out.

import { button, h, picture } from '../dom.ts';
import type { Progress, Run, SceneAnswer } from '../engine/answers.ts';
import { Refusal } from '../engine/engine.ts';
import { bytes, grouped, told } from '../words.ts';
import type { Context } from './context.ts';

/** A search of a panel. */
export class Search {
  private readonly begin: HTMLButtonElement;
  private readonly end: HTMLButtonElement;
  private readonly progress = h('span', { class: 'progress', role: 'status' });
  private readonly output = h('div', { class: 'output', 'aria-live': 'polite' });

  constructor(
    private readonly context: Context,
    panel: HTMLElement,
    label: string,
    private readonly ask: (progress: (progress: Progress) => void) => Promise<Node[]>,
  ) {
    this.begin = button(label, () => void this.start(), { class: 'primary' });
    this.end = button('Stop', () => {
      context.search.stop();
    });
    this.end.disabled = true;
    panel.append(h('div', { class: 'bar' }, this.begin, this.end, this.progress), this.output);
  }

  /** Begins the search; one that is under way is ended. */
  async start(): Promise<void> {
    this.context.search.stop();
    this.begin.disabled = true;
    this.end.disabled = false;
    this.progress.textContent = 'Searching …';
    this.output.replaceChildren();
    this.renew();
    const started = performance.now();
    try {
      const shown = await this.ask(progress => {
        this.progress.textContent = words(progress);
      });
      this.output.replaceChildren(...shown);
      const seconds = (performance.now() - started) / 1000;
      this.progress.textContent = seconds < 0.1 ? 'Done' : `Done in ${seconds.toFixed(1)} s`;
    } catch (why) {
      this.progress.textContent = '';
      this.output.replaceChildren(refused(why));
    }
    this.begin.disabled = false;
    this.end.disabled = true;
  }

  /** Says that what is shown is about something else than what is asked about now. */
  outdate(why = 'This is about an earlier text or cast.'): void {
    this.output.dataset['outdated'] = why;
    this.output.classList.toggle('outdated', this.output.hasChildNodes());
  }

  /** Says no more that it is. */
  renew(): void {
    this.output.classList.remove('outdated');
  }
}

function words({ about, states, depth, memory, seconds }: Progress): string {
  const subject = about === '' ? '' : `${about}: `;
  return `${subject}${grouped(states)} states, depth ${grouped(depth)}, ${bytes(memory)}, ${seconds.toFixed(0)} s`;
}

/** Why there is no answer. */
export function refused(why: unknown): HTMLElement {
  const kind = why instanceof Refusal ? why.kind : 'broken';
  const message = why instanceof Error ? why.message : String(why);
  const title = { flags: 'The flags: ', text: '', request: '', internal: 'Internal error: ', stopped: '', broken: '' }[kind];
  return h('pre', { class: `told refused ${kind}`, role: 'alert' }, title + message);
}

/** What is known of each scene, or of each cast; several have titles. */
export function scenesShown(context: Context, scenes: SceneAnswer[]): HTMLElement[] {
  return scenes.map(scene => sceneShown(context, scene, scenes.length > 1 ? scene.title : undefined));
}

/** What is known of a scene. */
export function sceneShown(context: Context, scene: SceneAnswer, title?: string): HTMLElement {
  return h(
    'section',
    { class: `scene ${scene.tone}`, 'aria-label': scene.title },
    title === undefined ? undefined : h('h3', {}, title),
    told(scene.said),
    ...scene.runs.map(run => runShown(context, run)),
  );
}

/** A run that shows something, with its chart. */
export function runShown(context: Context, run: Run): HTMLElement {
  const go = button('Go through it', () => {
    context.goThrough(run.initial, run.steps);
  });
  return h('figure', {}, h('figcaption', {}, h('b', {}, run.title), ' ', go), picture(run.chart, `Chart: ${run.title}`));
}
