/** Load histories of the page: columns for the engine, and the same as options of the command. */
import type { Engine } from "./engine";
import type { State } from "./state";

export interface History {
  t: Float64Array;
  u: Float64Array;
  uy: Float64Array; // for planar laws
  period: number; // 0: none
  words: string[]; // for `microslip simulate`; empty if only a file tells it
}

export const rowsOfPlay = 10000;

/** A small generator of random numbers, the same everywhere. */
export function random(seed: number): () => number {
  let a = (seed * 2654435761) >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = a;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

interface Wave {
  share: number;
  frequency: number;
  phase: number;
}

function waves(input: State["input"]): Wave[] {
  switch (input.kind) {
    case "two":
      return [{ share: 0.68, frequency: 1, phase: 0 }, { share: 0.32, frequency: 5, phase: 0 }];
    case "random": {
      const next = random(input.seed);
      const parts = Array.from({ length: 9 }, () => ({
        share: 0.2 + next(), frequency: Number((0.3 + 3.7 * next()).toFixed(3)),
        phase: Number((6.283 * next()).toFixed(3)),
      }));
      const sum = parts.reduce((s, p) => s + p.share, 0) / 2;
      return parts.map((p) => ({ ...p, share: Number((p.share / sum).toFixed(4)) }));
    }
    default:
      return [{ share: 1, frequency: 1, phase: 0 }];
  }
}

const number = (x: number) => String(Number(x.toPrecision(8)));

function formula(input: State["input"]): string {
  const text = waves(input).map((w) => {
    const size = number(input.amplitude * w.share);
    const turn = w.frequency === 1 ? "2*pi*t" : `2*pi*${number(w.frequency)}*t`;
    // At rest at the beginning: the sum of the phases' sines is taken off.
    return w.phase === 0 ? `${size}*sin(${turn})`
                         : `${size}*(sin(${turn}+${w.phase})-sin(${w.phase}))`;
  }).join("+");
  return input.kind === "growing" ? `t/${number(input.cycles)}*(${text})` : text;
}

const sampled = (rows: number, until: number, of: (t: number) => number) => {
  const step = until / (rows - 1);
  const t = new Float64Array(rows), u = new Float64Array(rows);
  for (let i = 0; i < rows; ++i) {
    t[i] = i * step;
    u[i] = of(t[i]!);
  }
  return { t, u };
};

export async function historyOf(input: State["input"], engine: Engine): Promise<History> {
  if (!(input.amplitude > 0) || !Number.isFinite(input.amplitude))
    throw new Error("The amplitude must be a positive number.");
  const rows = rowsOfPlay;
  if (input.kind === "formula") {
    if (!(input.until > 0)) throw new Error("The end of the formula must be a positive time.");
    const step = input.until / (rows - 1);
    const words = ["--signal", input.formula, "--until", number(input.until), "--step",
                   String(step)];
    const answer = await engine.command(
      ["simulate", "linear", "--set", "k=1", ...words, "-o", "u.csv", "-q"]);
    const lines = answer.files!["u.csv"]!.split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    const t = new Float64Array(lines.length - 1), u = new Float64Array(lines.length - 1);
    for (let i = 1; i < lines.length; ++i) {
      const cells = lines[i]!.split(",");
      t[i - 1] = Number(cells[0]);
      u[i - 1] = Number(cells[1]);
    }
    return { t, u, uy: u.map((_, i) => 0.6 * u[Math.max(0, i - 400)]!), period: 0, words };
  }
  const until = input.cycles;
  if (!(until > 0) || until > 1000) throw new Error("The number of cycles must be between 0 and 1000.");
  if (input.kind === "drawn") {
    const points = input.drawn;
    const { t, u } = sampled(rows, until, (time) => {
      const place = (time / until) * (points.length - 1);
      const i = Math.min(points.length - 2, Math.floor(place));
      return input.amplitude * (points[i]! + (place - i) * (points[i + 1]! - points[i]!));
    });
    return { t, u, uy: u.map((_, i) => 0.6 * u[Math.max(0, i - 400)]!), period: 0, words: [] };
  }
  const parts = waves(input);
  const of = (time: number) => {
    let sum = 0;
    for (const w of parts)
      sum += input.amplitude * w.share *
        (w.phase === 0 ? Math.sin(2 * Math.PI * w.frequency * time)
          : Math.sin(2 * Math.PI * w.frequency * time + w.phase) - Math.sin(w.phase));
    return input.kind === "growing" ? (time / input.cycles) * sum : sum;
  };
  const { t, u } = sampled(rows, until, of);
  const uy = t.map((time) => 0.6 * (of(time + 0.25) - of(0.25)));
  return { t, u, uy, period: input.kind === "random" ? 0 : 1,
           words: ["--signal", formula(input), "--until", number(until), "--step",
                   String(until / (rows - 1))] };
}

/** The columns as a table that the command reads. */
export function tableOf(history: History): string {
  let text = "t,u\n";
  for (let i = 0; i < history.t.length; ++i) text += `${history.t[i]},${history.u[i]}\n`;
  return text;
}
