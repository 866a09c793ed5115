// The command lines of `map` that the extension uses.

/** How long and how large a verification may become. */
export interface Limits {
  time: string;
  memory: string;
  states: number | null;
  threads: number | null;
}

/** `map verify`, of a text on standard input, which saves a trace if it finds a violation. */
export function verify(scene: string, cast: string[], limits: Limits, trace: string): string[] {
  const some = (flag: string, value: number | null) => (value === null ? [] : [flag, value.toString()]);
  return [
    'verify', '-', '--scene', scene, ...cast, '--quiet', '--color', 'never', '--save-trace', trace,
    '--time-limit', limits.time, '--max-memory', limits.memory,
    ...some('--max-states', limits.states), ...some('--threads', limits.threads),
  ];
}

/** `map render` of a saved trace, whose text is on standard input. */
export function chart(trace: string): string[] {
  return ['render', trace, '--file', '-', '--as', 'svg', '--color', 'never'];
}

/** `map render` of the roles of a scene, of a text on standard input. */
export function roles(scene: string): string[] {
  return ['render', '-', '--scene', scene, '--as', 'svg', '--color', 'never'];
}

/** `map run` or `map step` of a file. */
export function play(verb: 'run' | 'step', file: string, scene: string | undefined): string[] {
  return [verb, file, ...(scene === undefined ? [] : ['--scene', scene])];
}

/** The exit codes of `map verify`. */
export const exit = { holds: 0, violation: 1, errors: 3, limit: 4 };
