/** What the page asks of the engine, and what it answers. */
export type Request =
  | { kind: "laws" }
  | {
      kind: "run";
      model: string;
      settings: string[];
      u: Float64Array;
      t?: Float64Array;
      uy?: Float64Array;
      byForce?: boolean;
    }
  | { kind: "record"; name: string; content: Uint8Array; u: string; f: string }
  | { kind: "job"; job: string; request: string; name: string }
  | { kind: "command"; words: string[]; files?: Record<string, string | Uint8Array> }
  | { kind: "memory" }
  | { kind: "crash" };

export interface Answer {
  error?: string;
  text?: string;
  columns?: Record<string, Float64Array>;
  units?: Record<string, string>;
  byForce?: boolean;
  rows?: number;
  seconds?: number;
  warning?: string;
  code?: number;
  output?: string;
  complaints?: string;
  files?: Record<string, string>;
}

/** How far a job or a command has come, from 0 to 1, and what is under way. */
export interface Progress {
  part: number;
  stage: string;
}

export type Report =
  | { id: number; answer: Answer }
  | { id: number; progress: Progress }
  | { id: number; crashed: string };
