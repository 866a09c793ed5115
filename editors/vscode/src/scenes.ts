// What the commands need to know of a text without asking the language server: its scenes, and the casts that it expects
// itself to be verified under.

/** The text with its comments and strings blanked out, at the same offsets. */
function withoutComments(text: string): string {
  const blank = (found: string) => found.replace(/[^\n]/g, ' ');
  return text.replace(/\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"/g, blank);
}

/** The names of the scenes, in order, with where each begins. */
export function scenes(text: string): { name: string; offset: number }[] {
  const found = withoutComments(text).matchAll(/(?<![\w$%!@])([A-Za-z]\w*)\s*\[/g);
  return Array.from(found, match => ({ name: match[1] ?? '', offset: match.index }));
}

/** The scene at an offset: the last one that begins before it. */
export function sceneAt(text: string, offset: number): string | undefined {
  const all = scenes(text);
  return (all.filter(scene => scene.offset <= offset).at(-1) ?? all[0])?.name;
}

/** Flags of a `//@ verify` line that say what is verified. The others write files or change what is printed. */
const flagsOfScene = new Set(['--agents', '--rounds', '--depth', '--mailbox', '--timeouts', '--network', '--fairness']);

/**
 * The flags of the `//@ verify` lines about a scene, each once. A line without `--scene` is about the first scene. Lines
 * with other flags are left out, so that a text cannot make a command write to a file.
 */
export function casts(text: string, scene: string): string[][] {
  const first = scenes(text)[0]?.name;
  const found = new Map<string, string[]>();
  for (const [, flags] of text.matchAll(/^\/\/@\s*verify\b([^\n]*?)=>/gm)) {
    const kept = read((flags ?? '').split(/\s+/).filter(word => word !== ''));
    if (kept !== undefined && (kept.scene ?? first) === scene) {
      found.set(kept.flags.join(' '), kept.flags);
    }
  }
  return [...found.values()];
}

/** The scene and the other flags; nothing if one of them has no place here. */
function read(words: string[]): { scene?: string; flags: string[] } | undefined {
  const flags: string[] = [];
  let scene: string | undefined;
  for (let at = 0; at < words.length; at += 2) {
    const [flag, value] = [words[at] ?? '', words[at + 1]];
    if (value === undefined || !/^[\w=:,.%!]+$/.test(value)) {
      return undefined;
    }
    if (flag === '--scene') {
      scene = value;
    } else if (flagsOfScene.has(flag)) {
      flags.push(flag, value);
    } else {
      return undefined;
    }
  }
  return scene === undefined ? { flags } : { scene, flags };
}
