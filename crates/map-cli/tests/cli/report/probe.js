'use strict';
const errors = [];
addEventListener('error', (event) => errors.push(String(event.message)));
addEventListener('securitypolicyviolation', (event) => errors.push('refused: ' + event.blockedURI));
for (const kind of ['error', 'warn']) console[kind] = (...what) => errors.push(what.join(' '));

// What can be seen of each piece of text: what lies outside a box that scrolls does not count.
const texts = () => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest('script, style, title, svg')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const rect of range.getClientRects()) {
      const seen = { left: rect.left, top: rect.top, right: rect.right, bottom: rect.bottom };
      for (let box = element.closest('.scrolled, [data-part=agents]'); box; box = box.parentElement.closest('.scrolled, [data-part=agents]')) {
        const outer = box.getBoundingClientRect();
        seen.left = Math.max(seen.left, outer.left);
        seen.top = Math.max(seen.top, outer.top);
        seen.right = Math.min(seen.right, outer.right);
        seen.bottom = Math.min(seen.bottom, outer.bottom);
      }
      if (seen.right > seen.left && seen.bottom > seen.top) found.push({ element, text: node.data.trim(), ...seen });
    }
  }
  return found;
};

const overlaps = () => {
  const all = texts();
  const found = [];
  for (let i = 0; i < all.length; i++) {
    for (let j = i + 1; j < all.length; j++) {
      const [a, b] = [all[i], all[j]];
      const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      // Boxes of neighbouring lines of one paragraph share a little of the space between lines.
      if (a.element !== b.element && width > 2 && height > 5) found.push(a.text + ' | ' + b.text);
    }
  }
  return found;
};

// Texts in pictures: all of them, also where a picture has to be scrolled.
const drawnOverlaps = () => {
  const found = [];
  for (const picture of document.querySelectorAll('svg')) {
    const all = [...picture.querySelectorAll('text')].map((it) => ({ text: it.textContent, ...it.getBoundingClientRect().toJSON() }));
    all.sort((a, b) => a.top - b.top);
    for (let i = 0; i < all.length; i++) {
      for (let j = i + 1; j < all.length && all[j].top < all[i].bottom; j++) {
        const [a, b] = [all[i], all[j]];
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - b.top;
        if (width > 1 && height > 4) found.push(a.text + ' | ' + b.text);
      }
    }
  }
  return found;
};

addEventListener('load', () => {
  const stepped = [];
  const run = document.querySelector('.run');
  const note = () => run && stepped.push([
    run.querySelector('.at').textContent,
    run.querySelectorAll('.row.current').length,
    [...run.querySelectorAll('.agent')].map((it) => it.querySelectorAll('.view:not([hidden])').length).join(''),
    'line ' + [...run.querySelectorAll('.line.here .number')].map((it) => it.textContent.trim()).join(),
  ].join('; '));
  const press = (key) => {
    (document.activeElement || document.body).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    note();
  };
  note();
  press('ArrowLeft');
  if (run) run.focus();
  press('Home');
  press('ArrowRight');
  press('ArrowDown');
  press('ArrowUp');
  if (run) { run.querySelector('[data-go=on]').click(); note(); }
  const rows = run ? [...run.querySelectorAll('.row')] : [];
  for (const row of [rows[4], rows[0]].filter(Boolean)) {
    row.querySelector('.whole').dispatchEvent(new MouseEvent('click', { bubbles: true }));
    note();
  }
  press('End');
  press('ArrowRight');
  const root = document.documentElement;
  const result = { errors, stepped, overlaps: overlaps(), drawn: drawnOverlaps(), pictures: document.querySelectorAll('svg text').length, wide: root.scrollWidth - root.clientWidth, width: innerWidth, texts: texts().length };
  parent.postMessage(JSON.stringify(result), '*');
});
