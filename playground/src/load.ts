// Runs while the page is still being read, and before its script, which takes a while: a worker begins, and unpacks the
// program as it comes. Behind each part is a script that hands it over.

import { Program } from './engine/program.ts';

declare global {
  interface Window {
    program: Program;
  }
}

window.program = new Program();
