// The part of WASI that a program needs which reads standard input, writes standard output and standard error, and looks at
// the clock.

/** What a program is given, and where its output goes. */
export interface Streams {
  input: Uint8Array;
  output: (bytes: Uint8Array) => void;
  error: (bytes: Uint8Array) => void;
}

/** The program has called `exit`. */
export class Exit extends Error {
  constructor(readonly code: number) {
    super(`exit ${code}`);
  }
}

const SUCCESS = 0;
const BAD_DESCRIPTOR = 8;
const NOT_SUPPORTED = 52;
const NO_THREAD = 6;
const CHARACTER_DEVICE = 2;

type Call = (...args: number[]) => number;

/** Runs a command to its end; a fresh instance each time, so that nothing is left of the one before. */
export function run(module: WebAssembly.Module, streams: Streams): void {
  let memory = new WebAssembly.Memory({ initial: 0 });
  const instance = new WebAssembly.Instance(module, imports(module, () => memory, streams));
  const { memory: own, _start: start } = instance.exports;
  if (!(own instanceof WebAssembly.Memory) || typeof start !== 'function') {
    throw new Error('this is no WASI command');
  }
  memory = own;
  try {
    (start as () => void)();
  } catch (thrown) {
    if (!(thrown instanceof Exit && thrown.code === 0)) {
      throw thrown;
    }
  }
}

function imports(module: WebAssembly.Module, memory: () => WebAssembly.Memory, streams: Streams): WebAssembly.Imports {
  const calls = wasi(memory, streams);
  const found: Record<string, Record<string, Call>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind !== 'function') {
      continue;
    }
    const of = (found[from] ??= {});
    if (from === 'env') {
      // A C library without threads leaves these to whoever links it.
      of[name] = () => (name === 'pthread_create' ? NO_THREAD : SUCCESS);
    } else {
      of[name] = calls[name] ?? (() => NOT_SUPPORTED);
    }
  }
  return found;
}

function wasi(memory: () => WebAssembly.Memory, streams: Streams): Record<string, Call> {
  const view = () => new DataView(memory().buffer);
  const bytes = (at: number, length: number) => new Uint8Array(memory().buffer, at, length);
  let read = 0;

  /** The parts of memory that a list of vectors names. */
  const vectors = (list: number, count: number): Uint8Array[] => {
    const found = [];
    for (let index = 0; index < count; index += 1) {
      const at = list + 8 * index;
      found.push(bytes(view().getUint32(at, true), view().getUint32(at + 4, true)));
    }
    return found;
  };

  return {
    fd_read(descriptor = 0, list = 0, count = 0, result = 0) {
      if (descriptor !== 0) {
        return BAD_DESCRIPTOR;
      }
      let total = 0;
      for (const into of vectors(list, count)) {
        const part = streams.input.subarray(read, read + into.length);
        into.set(part);
        read += part.length;
        total += part.length;
      }
      view().setUint32(result, total, true);
      return SUCCESS;
    },
    fd_write(descriptor = 0, list = 0, count = 0, result = 0) {
      if (descriptor !== 1 && descriptor !== 2) {
        return BAD_DESCRIPTOR;
      }
      let total = 0;
      for (const part of vectors(list, count)) {
        (descriptor === 1 ? streams.output : streams.error)(part.slice());
        total += part.length;
      }
      view().setUint32(result, total, true);
      return SUCCESS;
    },
    fd_close: () => SUCCESS,
    fd_fdstat_get(descriptor = 0, at = 0) {
      if (descriptor > 2) {
        return BAD_DESCRIPTOR;
      }
      bytes(at, 24).fill(0);
      view().setUint8(at, CHARACTER_DEVICE);
      return SUCCESS;
    },
    fd_prestat_get: () => BAD_DESCRIPTOR,
    fd_prestat_dir_name: () => BAD_DESCRIPTOR,
    args_sizes_get(count = 0, size = 0) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return SUCCESS;
    },
    args_get: () => SUCCESS,
    environ_sizes_get(count = 0, size = 0) {
      view().setUint32(count, 0, true);
      view().setUint32(size, 0, true);
      return SUCCESS;
    },
    environ_get: () => SUCCESS,
    clock_time_get(...[clock, , at = 0]) {
      const milliseconds = clock === 0 ? Date.now() : performance.now();
      view().setBigUint64(at, BigInt(Math.round(milliseconds * 1e6)), true);
      return SUCCESS;
    },
    random_get(at = 0, length = 0) {
      crypto.getRandomValues(bytes(at, length));
      return SUCCESS;
    },
    sched_yield: () => SUCCESS,
    proc_exit(code = 0) {
      throw new Exit(code);
    },
  };
}
