// What can be asked of the engine, and what it answers: the types of `crates/map-web`. Offsets are bytes.

export interface Limits {
  states?: number;
  memory?: number;
  seconds?: number;
}

export type Detail = 'short' | 'full';

interface Played {
  text: string;
  flags: string;
}

/** Where somebody is. */
export interface Way {
  initial: number[];
  steps: string[];
}

/** What is asked from there. */
export type Question = 'ends' | { property: string } | { formula: string };

export type Request =
  | { ask: 'library' }
  | ({ ask: 'check' } & Played)
  | { ask: 'hover' | 'complete' | 'define' | 'references' | 'rename-range'; text: string; at: number }
  | { ask: 'rename'; text: string; at: number; name: string }
  | { ask: 'format'; text: string }
  | { ask: 'explain'; code: string }
  | ({ ask: 'run'; seed: number } & Played)
  | ({ ask: 'step'; whole: boolean } & Way & Played)
  | ({ ask: 'states'; states: number } & Way & Played)
  | ({ ask: 'from-here'; question: Question; detail: Detail; limits: Limits } & Way & Played)
  | ({ ask: 'verify' | 'weather'; detail: Detail; limits: Limits } & Played)
  | ({ ask: 'roles' } & Played);

export type Tone = 'good' | 'bad' | 'doubtful';

export interface Piece {
  role?: Tone | 'agent' | 'aside' | 'heading';
  text: string;
}

export interface Range {
  start: number;
  end: number;
}

export interface Edit extends Range {
  text: string;
}

export interface Version {
  name: string;
  about: string;
  slip: boolean;
  text: string;
  flags: string;
}

export interface Protocol {
  name: string;
  about: string;
  versions: Version[];
}

export interface Diagnostic {
  code: string;
  severity: 'error' | 'warning';
  text: string;
  labels: { primary: boolean; text: string; span: Range & { line: number; column: number } }[];
  notes: string[];
  help: string[];
}

export interface Action extends Range {
  title: string;
  edits: Edit[];
  preferred: boolean;
  code?: string;
}

export interface Part {
  scene: string;
  name: string;
  role: string;
  count: number;
}

export interface CheckAnswer {
  said: string;
  output: { diagnostics: Diagnostic[] };
  actions: Action[];
  tokens: [number, number, string][];
  cast: Part[];
}

export interface Proposal extends Range {
  label: string;
  kind: string;
  detail: string | null;
  documentation: string | null;
  insert: string;
  snippet: boolean;
  rank: number;
}

export interface Run {
  title: string;
  property?: string;
  initial: number[];
  steps: string[];
  repeated_from?: number;
  chart: string;
}

export interface SceneAnswer {
  title: string;
  tone: Tone;
  said: Piece[];
  output: Record<string, unknown>;
  runs: Run[];
}

export interface Told extends Range {
  step: string;
  agent: string;
  what: string;
  line: number;
  can: boolean;
}

export interface StepAnswer {
  taken: Told[];
  refused?: string;
  initial: number[];
  starts_with: string[];
  enabled: Told[];
  standing: { open: boolean; word: string; tone: Tone; said: Piece[] };
  agents: Piece[];
  chart: string;
  properties: string[];
}

export interface StatesAnswer {
  whole: boolean;
  here?: number;
  ways: Way[];
  svg: string;
}

export interface Answers {
  library: Protocol[];
  check: CheckAnswer;
  hover: (Range & { markdown: string }) | null;
  complete: Proposal[];
  define: Range[];
  references: Range[];
  'rename-range': Range;
  rename: Edit[];
  format: Edit[];
  explain: { markdown: string };
  run: { said: Piece[]; initial: number[]; steps: string[]; chart: string; seed: number };
  step: StepAnswer;
  states: StatesAnswer;
  'from-here': { tone: Tone; said: Piece[]; runs: Run[] };
  verify: { scenes: SceneAnswer[] };
  weather: { said: Piece[]; rows: SceneAnswer[] };
  roles: { pictures: { title: string; svg: string }[]; too_large: string[] };
}

export interface Progress {
  about: string;
  states: number;
  depth: number;
  left: number;
  memory: number;
  seconds: number;
}
