// The states around where somebody is, as a picture: a click on a node goes there.

import { choosable, h, picture } from '../dom.ts';
import type { StatesAnswer, Way } from '../engine/answers.ts';
import { grouped } from '../words.ts';
import type { Context } from './context.ts';
import { refused } from './search.ts';

/** How many states are drawn unless somebody says otherwise. */
const USUAL = '60';

/** The picture of the states. It is drawn only while it is open. */
export class StateGraph {
  readonly box: HTMLDetailsElement;
  private readonly most = h('input', { type: 'number', min: '1', max: '500', value: USUAL, id: 'most-states' });
  private readonly output = h('div', { class: 'states' });
  private asked = 0;

  constructor(
    private readonly context: Context,
    /** Where somebody is. */
    private readonly here: () => Way,
    private readonly go: (way: Way) => void,
  ) {
    const label = h('label', { class: 'part' }, 'States at most ', this.most);
    this.box = h('details', { class: 'graph' }, h('summary', {}, 'State graph'), label, this.output);
    this.box.addEventListener('toggle', () => void this.draw());
    this.most.addEventListener('change', () => void this.draw());
  }

  /** Draws it anew, if it is open. */
  async draw(): Promise<void> {
    if (!this.box.open) {
      return;
    }
    this.asked += 1;
    const { asked } = this;
    const { editor, cast, engine } = this.context;
    const states = Number(this.most.value) || Number(USUAL);
    try {
      const answer = await engine.ask({ ask: 'states', text: editor.text, flags: cast.flags(), ...this.here(), states });
      if (asked === this.asked) {
        this.show(answer);
      }
    } catch (why) {
      this.output.replaceChildren(refused(why));
    }
  }

  private show({ whole, here, ways, svg }: StatesAnswer): void {
    const count = grouped(ways.length);
    // The first state of all is reached by no step.
    const fromHere = (ways[0]?.steps.length ?? 0) > 0;
    const what = whole
      ? `All ${count} states${fromHere ? ' that can be reached from here' : ''}.`
      : `The ${count} states nearest to this one; those with a dashed border go further.`;
    const drawn = picture(svg, whole ? 'All states' : 'The nearest states');
    // What can be chosen in a picture is no part of an image.
    drawn.querySelector('svg')?.setAttribute('role', 'group');
    drawn.querySelectorAll<SVGElement>('[data-state]').forEach(node => {
      const state = Number(node.dataset['state']);
      const way = ways[state];
      if (way === undefined) {
        return;
      }
      const words = Array.from(node.querySelectorAll('text'), line => line.textContent);
      choosable(node, `Go to state ${words.join(', ')}`, () => {
        this.go(way);
      });
      if (state === here) {
        node.classList.add('here');
        node.setAttribute('aria-current', 'step');
      }
    });
    this.output.replaceChildren(h('p', {}, `${what} The one with the thick border is where you are; choose another to go there.`), drawn);
    const node = drawn.querySelector('.here')?.getBoundingClientRect();
    if (node !== undefined) {
      const box = drawn.getBoundingClientRect();
      drawn.scrollBy(node.x + node.width / 2 - box.x - box.width / 2, node.y + node.height / 2 - box.y - box.height / 2);
    }
  }
}
