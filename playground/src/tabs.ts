// Tabs: the pattern of the ARIA Authoring Practices, with arrow keys.

/** A list of tabs, each with its panel. */
export class Tabs {
  private readonly tabs: HTMLElement[];

  constructor(
    list: HTMLElement,
    private readonly chosen: (name: string) => void,
  ) {
    this.tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]')];
    for (const tab of this.tabs) {
      tab.addEventListener('click', () => {
        this.choose(Tabs.nameOf(tab));
      });
    }
    list.addEventListener('keydown', event => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      const at = this.tabs.findIndex(tab => tab === document.activeElement);
      const next = this.tabs[(at + (step ?? 0) + this.tabs.length) % this.tabs.length];
      if (step !== undefined && at >= 0 && next !== undefined) {
        event.preventDefault();
        next.focus();
        this.choose(Tabs.nameOf(next));
      }
    });
  }

  /** The name of the tab that is open. */
  get current(): string {
    const tab = this.tabs.find(it => it.getAttribute('aria-selected') === 'true');
    return tab === undefined ? '' : Tabs.nameOf(tab);
  }

  /** Opens a tab; nothing happens if there is none of that name. */
  choose(name: string): void {
    if (!this.tabs.some(tab => Tabs.nameOf(tab) === name)) {
      return;
    }
    for (const tab of this.tabs) {
      const isChosen = Tabs.nameOf(tab) === name;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute('aria-controls') ?? '');
      if (panel !== null) {
        panel.hidden = !isChosen;
      }
    }
    this.chosen(name);
  }

  private static nameOf(tab: HTMLElement): string {
    return tab.id.replace(/^tab-/, '');
  }
}
