// Text of the engine as elements, and numbers as the engine writes them.

import { h } from './dom.ts';
import type { Piece } from './engine/answers.ts';

/** Text in pieces, with its line breaks. */
export function told(pieces: Piece[]): HTMLElement {
  const text = h('pre', { class: 'told', tabindex: '0' });
  for (const { role, text: words } of pieces) {
    text.append(role === undefined ? words : h('span', { class: role }, words));
  }
  return text;
}

/** 1,234,567. */
export function grouped(count: number): string {
  return count.toLocaleString('en-GB');
}

/** Bytes with a unit. */
export function bytes(count: number): string {
  return count < 1 << 20 ? `${Math.ceil(count / 1024)} KiB` : `${Math.ceil(count / (1 << 20))} MiB`;
}

/** The Markdown of the engine: paragraphs, code, lists; anything else stays as it is written. */
export function markdown(text: string): HTMLElement {
  const box = h('div', { class: 'markdown' });
  const blocks = text.split(/^```\w*$/m);
  blocks.forEach((block, index) => {
    if (index % 2 === 1) {
      box.append(h('pre', {}, block.replace(/^\n|\n$/g, '')));
      return;
    }
    for (const paragraph of block.split(/\n\s*\n/).filter(it => it.trim() !== '')) {
      const heading = /^#+ (.*)$/.exec(paragraph.trim());
      box.append(heading?.[1] === undefined ? h('p', {}, ...inline(paragraph.trim())) : h('p', {}, h('b', {}, heading[1])));
    }
  });
  return box;
}

function inline(text: string): (Node | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map(part => {
    if (/^`.+`$/.test(part)) {
      return h('code', {}, part.slice(1, -1));
    }
    return /^\*\*.+\*\*$/.test(part) ? h('b', {}, part.slice(2, -2)) : part;
  });
}
