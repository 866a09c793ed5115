// The cast as sliders, and the flags that follow from them.

import { h } from './dom.ts';
import type { Part } from './engine/answers.ts';

/** The most agents that a slider offers. */
const MOST = 9;

/** The scene, its cast, and other flags: what runs and searches are given. */
export class Cast {
  /** The scene that was chosen, if one was. */
  private wanted: string | undefined;
  /** The numbers that were chosen. */
  readonly chosen = new Map<string, number>();
  private parts: Part[] = [];

  constructor(
    private readonly box: HTMLElement,
    private readonly more: HTMLInputElement,
    private readonly changed: () => void,
  ) {
    more.addEventListener('change', changed);
  }

  /** The scene: the one that was chosen, or the first of the text. */
  get scene(): string | undefined {
    const scenes = this.scenes();
    return this.wanted !== undefined && (scenes.length === 0 || scenes.includes(this.wanted)) ? this.wanted : scenes[0];
  }

  set scene(name: string | undefined) {
    this.wanted = name;
  }

  /** Other flags. */
  get others(): string {
    return this.more.value.trim();
  }

  set others(flags: string) {
    this.more.value = flags;
  }

  /** The roles of the scene, each once. */
  get roles(): Part[] {
    const seen = new Set<string>();
    return this.shown().filter(part => !seen.has(part.name) && seen.add(part.name).size > 0);
  }

  /** All flags. */
  flags(others = this.others): string {
    const agents = this.roles.filter(part => this.count(part) !== part.count);
    const cast = agents.map(part => `${part.name}=${this.count(part)}`).join(',');
    const scene = this.scenes().length > 1 && this.scene !== undefined ? `--scene ${this.scene}` : '';
    return [scene, cast === '' ? '' : `--agents ${cast}`, others].filter(it => it !== '').join(' ');
  }

  /** The flags that ask for any number of agents of a role, the others as chosen. */
  anyNumber(name: string): string {
    const agents = this.roles.filter(part => part.name !== name && this.count(part) !== part.count);
    const cast = [...agents.map(part => `${part.name}=${this.count(part)}`), `${name}=any`].join(',');
    const scene = this.scenes().length > 1 && this.scene !== undefined ? `--scene ${this.scene} ` : '';
    return `${scene}--agents ${cast} ${this.others}`.trim();
  }

  /** Takes the flags of a line `//@`: numbers of agents become sliders. */
  take(flags: string): void {
    this.chosen.clear();
    const rest = flags.replace(/--agents[= ]([\w=,]+)(?=\s|$)/g, (all, list: string) => {
      const counts = list.split(',').map(it => /^(\w+)=(\d+)$/.exec(it));
      if (counts.some(it => it === null || Number(it[2]) > MOST)) {
        return all;
      }
      counts.forEach(it => this.chosen.set(it?.[1] ?? '', Number(it?.[2])));
      return '';
    });
    const scene = /--scene[= ](\w+)(?=\s|$)/.exec(rest);
    this.scene = scene?.[1];
    this.others = rest.replace(scene?.[0] ?? '', '').trim().replace(/\s+/g, ' ');
  }

  /** The text has these parts. */
  show(parts: Part[]): void {
    if (JSON.stringify(parts) === JSON.stringify(this.parts)) {
      return;
    }
    this.parts = parts;
    this.draw();
  }

  /** Draws the sliders anew. */
  draw(): void {
    const scenes = this.scenes();
    const children: Node[] = [];
    if (scenes.length > 1) {
      const select = h('select', { id: 'scene' }, ...scenes.map(name => h('option', { value: name }, name)));
      select.value = this.scene ?? '';
      select.addEventListener('change', () => {
        this.scene = select.value;
        this.draw();
        this.changed();
      });
      children.push(h('label', { class: 'part' }, 'Scene ', select));
    }
    children.push(...this.roles.map(part => this.slider(part)));
    this.box.replaceChildren(...children);
  }

  private count(part: Part): number {
    return this.chosen.get(part.name) ?? part.count;
  }

  private scenes(): string[] {
    return [...new Set(this.parts.map(part => part.scene))];
  }

  private shown(): Part[] {
    return this.parts.filter(part => part.scene === this.scene);
  }

  private slider(part: Part): HTMLElement {
    const count = this.count(part);
    const output = h('output', {}, String(count));
    const input = h('input', {
      type: 'range',
      min: '0',
      max: String(Math.max(MOST, count)),
      value: String(count),
      'data-part': part.name,
    });
    input.addEventListener('input', () => {
      output.textContent = input.value;
    });
    input.addEventListener('change', () => {
      this.chosen.set(part.name, Number(input.value));
      this.changed();
    });
    const title = part.name === part.role ? `%${part.name}` : `!${part.name}`;
    return h('label', { class: 'part' }, h('span', { class: 'map-role' }, title), ' ', input, ' ', output);
  }
}
