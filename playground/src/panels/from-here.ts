// What holds of all runs that go on from where somebody is.

import { h } from '../dom.ts';
import type { Question, Way } from '../engine/answers.ts';
import { told } from '../words.ts';
import type { Context } from './context.ts';
import { Search, runShown } from './search.ts';

/** What is chosen where a formula is typed. */
const TYPED = 'formula';

/** The question, its answer, and how to go on with a run that shows something. */
export class FromHere {
  readonly box = h('section', { class: 'from-here', 'aria-label': 'Ask from here' });
  private readonly what = h('select', { id: 'from-here-what' });
  private readonly formula = h('input', {
    id: 'from-here-formula',
    type: 'text',
    spellcheck: 'false',
    autocomplete: 'off',
    placeholder: 'eventually ended',
    'aria-label': 'Formula',
  });
  private readonly search: Search;
  /** What the answer is about. */
  private answered = '';

  constructor(
    private readonly context: Context,
    private readonly here: () => Way,
  ) {
    const heading = h('h3', {}, 'Ask from here');
    const about = h(
      'p',
      { class: 'aside' },
      'About all runs that go on from here. A property is to hold from here on: no event happens at this moment; ',
      h('code', {}, 'before'),
      ', ',
      h('code', {}, 'count'),
      ' and ',
      h('code', {}, 'total'),
      ' remember the steps so far.',
    );
    const label = h('label', { class: 'part' }, 'Is it so that ', this.what);
    this.box.append(heading, about, h('div', { class: 'bar' }, label, this.formula));
    this.search = new Search(context, this.box, 'Ask', async progress => {
      const steps = here().steps.length;
      this.answered = this.subject();
      const { said, tone, runs } = await context.search.ask(
        {
          ask: 'from-here',
          text: context.editor.text,
          flags: context.cast.flags(),
          ...here(),
          question: this.question(),
          detail: context.detail(),
          limits: context.limits(),
        },
        progress,
      );
      // Somebody may have gone elsewhere while it was searched.
      setTimeout(() => {
        this.arrive();
      });
      const after = steps === 0 ? 'From the start' : `After ${steps === 1 ? 'this step' : `these ${steps} steps`}`;
      const shown = runs.map(run => runShown(context, run));
      return [h('section', { class: `scene ${tone}`, 'aria-label': after }, h('h4', {}, after), told(said), ...shown)];
    });
    this.what.addEventListener('change', () => {
      this.choose();
    });
    this.formula.addEventListener('keydown', event => {
      if (event.key === 'Enter') {
        void this.search.start();
      }
    });
    this.offer([]);
  }

  /** The properties of the text that can be asked about. */
  offer(properties: string[]): void {
    const chosen = this.what.value;
    this.what.replaceChildren(
      h('option', { value: 'ends' }, 'every dialogue ends'),
      ...properties.map(name => h('option', { value: `property ${name}` }, `property ${name}`)),
      h('option', { value: TYPED }, 'a formula:'),
    );
    if (Array.from(this.what.options, it => it.value).includes(chosen)) {
      this.what.value = chosen;
    }
    this.choose();
  }

  /** Somebody is somewhere, perhaps elsewhere than the answer is about. */
  arrive(): void {
    if (this.answered === this.subject()) {
      this.search.renew();
    } else {
      this.search.outdate('This is about another state, text or cast.');
    }
  }

  /** The text, the cast, and where somebody is. */
  private subject(): string {
    return JSON.stringify([this.context.editor.text, this.context.cast.flags(), this.here()]);
  }

  private choose(): void {
    this.formula.hidden = this.what.value !== TYPED;
  }

  private question(): Question {
    const { value } = this.what;
    if (value === TYPED) {
      return { formula: this.formula.value };
    }
    return value === 'ends' ? value : { property: value.replace(/^property /, '') };
  }
}
