// What the panels have of the page.

import type { Cast } from '../cast.ts';
import type { Editor } from '../editor.ts';
import type { Detail, Limits } from '../engine/answers.ts';
import type { Engine } from '../engine/engine.ts';

/** What the panels have of the page. */
export interface Context {
  editor: Editor;
  cast: Cast;
  /** For short requests. */
  engine: Engine;
  /** For searches, which can be stopped. */
  search: Engine;
  /** How far a search may go. */
  limits: () => Limits;
  /** How much is said. */
  detail: () => Detail;
  /** Goes through a run step by step. */
  goThrough: (initial: number[], steps: string[]) => void;
  /** Something has changed that a link holds. */
  changed: () => void;
}
