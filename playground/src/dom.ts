// Elements, made and found.

type Child = Node | string | undefined;

/** An element with attributes and children. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    element.setAttribute(key, value);
  }
  element.append(...children.filter(child => child !== undefined));
  return element;
}

/** A button that does something. */
export function button(label: string, act: () => void, attributes: Record<string, string> = {}): HTMLButtonElement {
  const made = h('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', act);
  return made;
}

/** The element of the page with this id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) {
    throw new Error(`the page has no #${id}`);
  }
  return found;
}

/** Makes a part of a picture a button. */
export function choosable(part: Element, label: string, act: () => void): void {
  part.setAttribute('tabindex', '0');
  part.setAttribute('role', 'button');
  part.setAttribute('aria-label', label);
  part.addEventListener('click', act);
  part.addEventListener('keydown', event => {
    if (event instanceof KeyboardEvent && (event.key === 'Enter' || event.key === ' ')) {
      event.preventDefault();
      act();
    }
  });
}

/** A picture that the engine has drawn. It escapes what people wrote; scripts are taken out all the same. */
export function picture(svg: string, label: string): HTMLElement {
  const box = h('div', { class: 'picture', tabindex: '0', role: 'group', 'aria-label': label });
  const drawn = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
  drawn.querySelectorAll('script, foreignObject').forEach(it => {
    it.remove();
  });
  box.append(document.importNode(drawn, true));
  // The names of the agents stay in sight.
  const heads = box.querySelector('.heads');
  box.addEventListener('scroll', () => {
    heads?.setAttribute('transform', `translate(0 ${box.scrollTop})`);
  });
  return box;
}
