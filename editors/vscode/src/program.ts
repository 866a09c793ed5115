// Runs `map` with a text on its standard input.

import { execFile } from 'node:child_process';

/** What a run of the program gave. */
export interface Output {
  /** The exit code; null if it was ended. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The program is not where the settings say. */
export class NotFound extends Error {
  constructor(path: string) {
    super(`There is no program “${path}”. Install map, or set “map.path”.`);
  }
}

/** The most that a picture may be long. */
const maxBytes = 64 * 1024 * 1024;

/** Runs the program, without a shell. It is ended when the signal says so. */
export function run(path: string, args: string[], input: string, cwd: string, signal?: AbortSignal): Promise<Output> {
  return new Promise((resolve, reject) => {
    const options = { cwd, maxBuffer: maxBytes, windowsHide: true, ...(signal === undefined ? {} : { signal }) };
    const child = execFile(path, args, options, (error, stdout, stderr) => {
      if (error === null) {
        resolve({ code: 0, stdout, stderr });
      } else if (error.code === 'ENOENT') {
        reject(new NotFound(path));
      } else if (typeof error.code === 'number') {
        resolve({ code: error.code, stdout, stderr });
      } else if (error.name === 'AbortError' || error.killed === true) {
        resolve({ code: null, stdout, stderr });
      } else {
        reject(new Error(error.message));
      }
    });
    // A program that ends without reading everything closes the pipe; what it says is more to the point.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
