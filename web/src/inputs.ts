/** Load histories of the page: columns for the engine, and the same as options of the command. */
import type { Engine } from "./engine";
import type { State } from "./state";
import { readTable } from "./table";

export interface History {
  t: Float64Array;
  u: Float64Array;
  uy?: Float64Array; // for planar laws
  period: number; // 0: none
  words: string[]; // for `microslip simulate`; empty if only a file tells it
}

export const rowsOfPlay = 10001; // 10 000 steps

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

/**
 * Rows of a formula, from the command: the turning points of the signal are among them, so that the same options at
 * a terminal give the same rows, and mistakes are reported in the command's words.
 */
async function fromFormula(signal: string, law: string[], until: number, columns: string[],
                           engine: Engine): Promise<{ words: string[]; found: Float64Array[] }> {
  if (!(until > 0)) throw new Error("The end of the formula must be a positive time.");
  const words = ["--signal", signal, "--until", number(until), "--step",
                 String(until / (rowsOfPlay - 1))];
  const answer = await engine.command(["simulate", ...law, ...words, "-o", "u.csv", "-q"]);
  const table = readTable(answer.files!["u.csv"]!);
  return { words, found: columns.map((name) => table.get(name)!) };
}

export async function historyOf(input: State["input"], engine: Engine): Promise<History> {
  if (input.kind === "drawn") {
    const points = input.drawn, until = durationOf(input);
    const { t, u } = sampled(rowsOfPlay, until, (time) => {
      const place = (time / until) * (points.length - 1);
      const i = Math.min(points.length - 2, Math.floor(place));
      return input.amplitude * (points[i]! + (place - i) * (points[i + 1]! - points[i]!));
    });
    return { t, u, period: 0, words: [] };
  }
  const given = input.kind === "formula";
  const { words, found } = await fromFormula(given ? input.formula : formula(input), ["linear", "--set", "k=1"],
                                             given ? input.until : durationOf(input), ["t", "u"], engine);
  return { t: found[0]!, u: found[1]!, period: given || input.kind === "random" ? 0 : 1, words };
}

function durationOf(input: State["input"]): number {
  if (!(input.amplitude > 0) || !Number.isFinite(input.amplitude))
    throw new Error("The amplitude must be a positive number.");
  if (!(input.cycles > 0) || input.cycles > 1000)
    throw new Error("The number of cycles must be between 0 and 1000.");
  return input.cycles;
}

/** A path in the plane; `law` is any planar law, which the command needs to evaluate formulas. */
export async function pathOf(input: State["input"], path: State["path"], law: string,
                             engine: Engine): Promise<History> {
  if (path.kind === "outline") {
    const until = durationOf(input), size = input.amplitude;
    const x = path.outline.filter((_, i) => i % 2 === 0), y = path.outline.filter((_, i) => i % 2);
    const at = (of: number[]) => (time: number) => {
      const place = (time / until) * (of.length - 1);
      const i = Math.min(of.length - 2, Math.floor(place));
      return size * (of[i]! + (place - i) * (of[i + 1]! - of[i]!));
    };
    const { t, u } = sampled(rowsOfPlay, until, at(x));
    return { t, u, uy: sampled(rowsOfPlay, until, at(y)).u, period: 0, words: [] };
  }
  const given = path.kind === "formulas";
  const { words, found } = await fromFormula(
    given ? path.formulas.join(";") : pathFormula(input, path), [law],
    given ? input.until : durationOf(input), ["t", "ux", "uy"], engine);
  return { t: found[0]!, u: found[1]!, uy: found[2]!, period: given ? 0 : 1, words };
}

function pathFormula(input: State["input"], path: State["path"]): string {
  if (!Number.isFinite(path.angle)) throw new Error("The angle must be a number of degrees.");
  const size = input.amplitude, a = number(size), angle = path.angle * Math.PI / 180;
  const grow = `t/${number(durationOf(input))}*`;
  const along = [Math.cos(angle), Math.sin(angle)].map((part) => number(size * part));
  switch (path.kind) {
    case "spiral":
      return `${grow}${a}*cos(2*pi*t);${grow}${a}*sin(2*pi*t)`;
    case "eight":
      return `${a}*sin(2*pi*t);${number(0.6 * size)}*sin(4*pi*t)`;
    case "line":
      return `${along[0]}*sin(2*pi*t);${along[1]}*sin(2*pi*t)`;
    default:
      return `${a}*cos(2*pi*t);${a}*sin(2*pi*t)`;
  }
}

/** The columns as a table that the command reads. */
export function tableOf({ t, u, uy }: History): string {
  let text = uy ? "t,ux,uy\n" : "t,u\n";
  for (let i = 0; i < t.length; ++i) text += `${t[i]},${u[i]}${uy ? `,${uy[i]}` : ""}\n`;
  return text;
}
