// The playground: an editor, the library, and what can be asked of a dialogue, all in this page.

import { Cast } from './cast.ts';
import { button, byId, h, picture } from './dom.ts';
import { Editor } from './editor.ts';
import type { CheckAnswer, Limits, Protocol, Version } from './engine/answers.ts';
import { Engine } from './engine/engine.ts';
import { fragment, given, shared } from './link.ts';
import type { Context } from './panels/context.ts';
import { Search, refused, sceneShown, scenesShown } from './panels/search.ts';
import { Steps } from './panels/step.ts';
import { Tabs } from './tabs.ts';
import { told } from './words.ts';

await window.program.begun;
const engine = new Engine(window.program);
const search = new Engine(window.program);

/** The text that the page begins with, unless its address says otherwise. */
const first = byId('first').textContent;
const isGiven = location.hash.length > 1 || byId('given').textContent !== '';
/** The engine looks at it while the rest of the page is made. */
const early = isGiven ? undefined : engine.ask({ ask: 'check', text: first, flags: '' });

const notice = byId('notice');
const say = (words: string) => {
  notice.textContent = words;
};

const cast = new Cast(byId('cast'), byId('flags') as HTMLInputElement, () => {
  changed();
});
const editor = new Editor(byId('editor'), engine, {
  changed: () => {
    say('');
    changed();
  },
  checked,
  said: say,
  name: askName,
});

const context: Context = {
  editor,
  cast,
  engine,
  search,
  limits,
  detail: () => ((byId('everything') as HTMLInputElement).checked ? 'full' : 'short'),
  goThrough: (initial, chosen) => {
    void steps.begin(initial, chosen).then(() => {
      tabs.choose('step');
    });
  },
  changed: () => void remember(),
};

const verification = new Search(context, byId('panel-verify'), 'Verify', async progress => {
  const { scenes } = await search.ask(
    { ask: 'verify', text: editor.text, flags: cast.flags(), detail: context.detail(), limits: limits() },
    progress,
  );
  return scenesShown(context, scenes);
});
const role = h('select', { id: 'role' });
byId('panel-any').append(h('label', { class: 'part' }, 'Any number of agents of the role ', role));
const proof = new Search(context, byId('panel-any'), 'Prove', async progress => {
  // A text with errors may have no roles; the errors are told.
  const flags = role.value === '' ? cast.flags() : cast.anyNumber(role.value);
  const { scenes } = await search.ask(
    { ask: 'verify', text: editor.text, flags, detail: context.detail(), limits: limits() },
    progress,
  );
  return scenesShown(context, scenes);
});
const weathers = new Search(context, byId('panel-weather'), 'Try every weather', async progress => {
  const { said, rows } = await search.ask(
    { ask: 'weather', text: editor.text, flags: cast.flags(), detail: context.detail(), limits: limits() },
    progress,
  );
  return [told(said), ...rows.filter(row => row.runs.length > 0).map(row => sceneShown(context, row, row.title))];
});
const seed = h('input', { type: 'number', min: '0', value: '1', id: 'seed' });
const another = button('Another', () => {
  seed.value = String(Number(seed.value) + 1);
  void chance.start();
});
const chance = new Search(context, byId('panel-run'), 'Run', async () => {
  const { said, chart, initial, steps: made } = await search.ask({
    ask: 'run',
    text: editor.text,
    flags: cast.flags(),
    seed: Number(seed.value),
  });
  const go = button('Go through it', () => {
    context.goThrough(initial, made);
  });
  return [h('div', { class: 'bar' }, go), picture(chart, 'Chart of the run'), told(said)];
});
byId('panel-run').firstElementChild?.append(h('label', {}, 'Seed ', seed), another);
const steps = new Steps(context, byId('panel-step'));
const roles = h('div', { class: 'output' });
const drawRoles = button('Draw what each role does', () => void draw());
byId('panel-check').append(h('div', { class: 'bar' }, drawRoles), roles);

const tabs = new Tabs(byId('tabs'), name => {
  if (name === 'step') {
    void steps.show();
  } else {
    editor.mark(undefined);
  }
  void remember();
});

function limits(): Limits {
  const number = (id: string) => Number((byId(id) as HTMLInputElement).value);
  const states = number('limit-states');
  const seconds = number('limit-seconds');
  return {
    memory: Math.max(1, number('limit-memory')) * (1 << 20),
    ...(states > 0 ? { states } : {}),
    ...(seconds > 0 ? { seconds } : {}),
  };
}

function changed(): void {
  [verification, proof, weathers, chance].forEach(it => {
    it.outdate();
  });
  steps.forget();
  if (tabs.current === 'step') {
    void steps.show();
  }
  void remember();
}

function checked(answer: CheckAnswer): void {
  byId('found').replaceChildren(h('pre', { class: 'told excerpts', tabindex: '0' }, answer.said));
  const errors = answer.output.diagnostics.filter(it => it.severity === 'error').length;
  const count = answer.output.diagnostics.length;
  byId('tab-check').textContent = count === 0 ? 'Check' : `Check (${count})`;
  document.body.dataset['errors'] = String(errors);
  cast.show(answer.cast);
  const chosen = role.value;
  role.replaceChildren(...cast.roles.map(part => h('option', { value: part.name }, `%${part.name}`)));
  if (cast.roles.some(part => part.name === chosen)) {
    role.value = chosen;
  } else {
    role.selectedIndex = role.options.length - 1;
  }
  if (!isReady) {
    performance.mark('checked');
  }
}

async function draw(): Promise<void> {
  try {
    const { pictures, too_large: large } = await engine.ask({ ask: 'roles', text: editor.text, flags: cast.flags() });
    const figures = pictures.map(({ title, svg }) => h('figure', {}, h('figcaption', {}, title), picture(svg, title)));
    const rest = large.map(name => h('p', {}, `${name} is too large to be drawn.`));
    roles.replaceChildren(...figures, ...rest);
  } catch (why) {
    roles.replaceChildren(refused(why));
  }
}

/** Asks for a new name. */
function askName(old: string): Promise<string | undefined> {
  const dialog = byId('rename') as HTMLDialogElement;
  const input = byId('new-name') as HTMLInputElement;
  input.value = old;
  dialog.returnValue = '';
  dialog.showModal();
  input.select();
  return new Promise(resolve => {
    const closed = () => {
      resolve(dialog.returnValue === 'rename' ? input.value : undefined);
    };
    dialog.addEventListener('close', closed, { once: true });
  });
}

/** The fragment that was written last: it is not read again. */
let written = '';

async function remember(): Promise<void> {
  if (!isReady) {
    return;
  }
  written = await fragment({
    text: editor.text,
    ...(cast.scene === undefined ? {} : { scene: cast.scene }),
    cast: Object.fromEntries(cast.chosen),
    flags: cast.others,
    tab: tabs.current,
    initial: tabs.current === 'step' ? steps.initial : [],
    steps: tabs.current === 'step' ? steps.steps : [],
  });
  history.replaceState(null, '', `#${written}`);
}

/** Shows what the address says; `false` if it says nothing. */
async function recall(): Promise<boolean> {
  try {
    const found = (await shared(location.hash.slice(1))) ?? given(byId('given').textContent);
    if (found === undefined) {
      return false;
    }
    // Whoever made the link may have written the cast as flags.
    cast.take(found.flags);
    if (found.scene !== undefined) {
      cast.scene = found.scene;
    }
    Object.entries(found.cast).forEach(([name, count]) => cast.chosen.set(name, count));
    cast.draw();
    editor.text = found.text;
    steps.initial = found.initial;
    steps.steps = found.steps;
    await editor.check();
    tabs.choose(found.tab);
    return true;
  } catch (why) {
    say(why instanceof Error ? why.message : String(why));
    return false;
  }
}

let isReady = false;

/** Takes over what the library says of a version. */
function present(protocol: Protocol, version: Version): void {
  cast.take(version.flags);
  cast.draw();
  byId('about').textContent = version.slip ? `A slip: ${version.about}` : protocol.about;
}

function open(protocol: Protocol, name: string): void {
  const version = protocol.versions.find(it => it.name === name) ?? protocol.versions[0];
  if (version === undefined) {
    return;
  }
  present(protocol, version);
  steps.steps = [];
  steps.initial = [];
  editor.text = version.text;
}

async function start(): Promise<void> {
  const isLink = await recall();
  if (!isLink) {
    const why = notice.textContent;
    editor.text = first;
    await editor.check(early);
    say(why);
  }
  // Nobody waits for the list of the library.
  offer(await engine.ask({ ask: 'library' }), isLink);
  isReady = true;
  document.body.dataset['ready'] = 'true';
  await remember();
}

/** Offers the texts of the library. */
function offer(protocols: Protocol[], isLink: boolean): void {
  const protocol = byId('protocol') as HTMLSelectElement;
  const version = byId('version') as HTMLSelectElement;
  const chosen = () => protocols.find(it => it.name === protocol.value);
  const list = () => {
    const versions = chosen()?.versions ?? [];
    version.replaceChildren(
      ...versions.map(it => h('option', { value: it.name }, it.slip ? `${it.name} (slip)` : it.name)),
    );
  };
  protocol.replaceChildren(...protocols.map(it => h('option', { value: it.name }, it.name)));
  const load = () => {
    const found = chosen();
    if (found !== undefined) {
      open(found, version.value);
    }
  };
  protocol.addEventListener('change', () => {
    list();
    load();
  });
  version.addEventListener('change', load);
  for (const it of protocols) {
    const shown = it.versions.find(version => version.text === first);
    if (shown !== undefined) {
      protocol.value = it.name;
      list();
      version.value = shown.name;
      if (!isLink && editor.text === first) {
        present(it, shown);
        changed();
      }
    }
  }
}

byId('share').addEventListener('click', () => {
  void remember()
    .then(() => navigator.clipboard.writeText(location.href))
    .then(
      () => {
        say('The link is in the clipboard.');
      },
      () => {
        say('The address of this page is the link: copy it from there.');
      },
    );
});
byId('format').addEventListener('click', () => void editor.format());
byId('define').addEventListener('click', () => void editor.define());
byId('rename-name').addEventListener('click', () => void editor.rename());
window.addEventListener('hashchange', () => {
  if (location.hash.slice(1) !== written) {
    void recall();
  }
});
start().catch((why: unknown) => {
  say(why instanceof Error ? why.message : String(why));
});
