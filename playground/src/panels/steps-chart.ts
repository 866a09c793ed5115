// The chart of the steps: what has happened, and below it what can happen next, each of which can be chosen there.

import { choosable, h, picture } from '../dom.ts';
import type { StepAnswer, Told } from '../engine/answers.ts';

/** What can be done in the chart. */
export interface Listener {
  /** Back to where so many steps have been taken. */
  back: (steps: number) => void;
  /** This step is to be taken. */
  take: (step: Told) => void;
  /** Somebody points at this step. */
  point: (step: Told) => void;
  /** Everything that can happen next is to be drawn. */
  whole: () => void;
}

/** Says what can be done in the chart; nothing of what can happen next, if nothing can. */
function legend(taken: number, canGoOn: boolean): string {
  const next = 'Dashed is what can happen next: a click on it, or Enter, takes that step.';
  const back = 'A click on a step that was taken goes back to it.';
  return [canGoOn ? next : '', taken > 0 ? back : ''].filter(it => it !== '').join(' ');
}

/** The chart; `undefined` if there is nothing in it. */
export function stepsChart({ chart, taken, enabled }: StepAnswer, listener: Listener): HTMLElement | undefined {
  const drawn = picture(chart, 'Chart of the steps');
  const ahead = [...drawn.querySelectorAll('.next')];
  if (taken.length === 0 && ahead.length === 0) {
    return undefined;
  }
  // What can be chosen in a picture is no part of an image.
  drawn.querySelector('svg')?.setAttribute('role', 'group');
  for (const part of ahead) {
    // Who speaks to the page says what is to be seen, so that belongs to a name.
    const seen = Array.from(part.querySelectorAll('text'), it => it.textContent).join(' ');
    const step = enabled[Number(part.getAttribute('data-next')) - 1];
    if (step === undefined) {
      choosable(part, `Draw all ${enabled.filter(it => it.can).length} steps that can happen next: ${seen}`, listener.whole);
      continue;
    }
    choosable(part, `${step.agent} ${step.what}: ${seen}`, () => {
      listener.take(step);
    });
    const point = () => {
      listener.point(step);
    };
    part.addEventListener('pointerenter', point);
    part.addEventListener('focus', () => {
      point();
      aside(drawn, part);
    });
  }
  drawn.addEventListener('click', event => {
    const row = event.target instanceof Element ? event.target.closest('[data-step]') : null;
    const step = Number(row?.getAttribute('data-step'));
    if (step > 0) {
      listener.back(step);
    }
  });
  return h('figure', { class: 'steps' }, h('figcaption', { class: 'aside' }, legend(taken.length, ahead.length > 0)), drawn);
}

/** Brings the mark of a row into sight, at the height where the chart is. */
function aside(box: HTMLElement, row: Element): void {
  const mark = row.querySelector('.dot, .ask, .move, .clock, .good, .bad')?.getBoundingClientRect();
  const frame = box.getBoundingClientRect();
  if (mark !== undefined && (mark.left < frame.left + ROOM || mark.right > frame.right - ROOM)) {
    box.scrollBy(mark.left - frame.left - frame.width / 3, 0);
  }
}

/** The pixels that are left beside a mark for its words. */
const ROOM = 90;

/** The pixels above what can happen next: the names, and a step. */
const ABOVE = 110;

/** Brings what can happen next into sight; the chart stays as far to the right as the one before it. */
export function showEnd(figure: HTMLElement, before: HTMLElement | null): void {
  const box = figure.querySelector('.picture');
  if (box === null) {
    return;
  }
  box.scrollTo(before?.querySelector('.picture')?.scrollLeft ?? 0, box.scrollHeight);
  const first = box.querySelector('.next')?.getBoundingClientRect().top ?? Infinity;
  box.scrollBy(0, Math.min(0, first - box.getBoundingClientRect().top - ABOVE));
}
