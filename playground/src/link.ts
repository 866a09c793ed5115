// The state of the page in the fragment of its address, so that a counterexample is a link.

/** What a link holds. */
export interface Shared {
  text: string;
  /** The scene, if the text has several. */
  scene?: string;
  /** The numbers of agents that were chosen. */
  cast: Record<string, number>;
  /** Other flags. */
  flags: string;
  tab: string;
  initial: number[];
  steps: string[];
}

/** The format of links; a link of another one is refused. */
const FORMAT = '1';

/** The most letters of a text that a link may unfold to. */
const MAX_TEXT = 1 << 20;

/** The fragment, without its `#`. */
export async function fragment(shared: Shared): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(shared));
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const packed = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(packed, byte => String.fromCharCode(byte)).join('');
  return `${FORMAT}.${btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** What a fragment holds; `undefined` if it is empty. Rejects with the reason if it is no link of this page. */
export async function shared(fragment: string): Promise<Shared | undefined> {
  if (fragment === '') {
    return undefined;
  }
  const [format, packed = ''] = fragment.split('.');
  if (format !== FORMAT) {
    throw new Error('The link was made by another version of this page, and cannot be read.');
  }
  let found: unknown;
  try {
    found = JSON.parse(await unpacked(packed));
  } catch {
    throw new Error('The link is damaged: perhaps a part of it was cut off.');
  }
  return checked(found);
}

/** What was put into the page itself, by whoever made a copy of it for a dialogue; `undefined` if nothing was. */
export function given(json: string): Shared | undefined {
  return json.trim() === '' ? undefined : checked(JSON.parse(json));
}

async function unpacked(packed: string): Promise<string> {
  const letters = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(letters, letter => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    if (text.length > 4 * MAX_TEXT) {
      throw new Error('too large');
    }
  }
  return text;
}

/** A link comes from anywhere: every part of it is looked at. */
function checked(found: unknown): Shared {
  const given = (typeof found === 'object' && found !== null ? found : {}) as Partial<Record<keyof Shared, unknown>>;
  const isList = (list: unknown): list is unknown[] => Array.isArray(list) && list.length <= 10_000;
  const { text, scene, cast, flags, tab, initial, steps } = given;
  if (typeof text !== 'string' || text.length > MAX_TEXT || typeof flags !== 'string' || typeof tab !== 'string') {
    throw new Error('The link is damaged: it has no text.');
  }
  const counts = Object.entries(typeof cast === 'object' && cast !== null ? cast : {});
  const isCount = (entry: [string, unknown]): entry is [string, number] =>
    /^\w+$/.test(entry[0]) && Number.isInteger(entry[1]) && Number(entry[1]) >= 0;
  return {
    text,
    ...(typeof scene === 'string' && /^\w+$/.test(scene) ? { scene } : {}),
    cast: Object.fromEntries(counts.filter(isCount)),
    flags,
    tab,
    initial: isList(initial) ? initial.filter(it => typeof it === 'number' && Number.isInteger(it) && it >= 0) as number[] : [],
    steps: isList(steps) ? steps.filter(it => typeof it === 'string') : [],
  };
}
