/** What the page shows, as one value that travels in its address. */
export type InputKind = "sine" | "two" | "growing" | "random" | "drawn" | "formula";
export type PathKind = "circle" | "spiral" | "eight" | "line" | "outline" | "formulas";

export interface ChosenLaw {
  model: string;
  set: Record<string, string>; // what differs from the defaults, as --set takes it
}

export interface State {
  view: "play" | "data" | "shake" | "sliders";
  laws: ChosenLaw[];
  active: number;
  input: {
    kind: InputKind;
    amplitude: number;
    cycles: number;
    seed: number;
    formula: string;
    until: number;
    drawn: number[]; // heights between −1 and 1, evenly spaced
  };
  /** What drives planar laws; amplitude, cycles and end are those of the input. */
  path: {
    kind: PathKind;
    angle: number; // degrees
    formulas: [string, string];
    outline: number[]; // x, y, x, y, … between −1 and 1
  };
  shake: { law: ChosenLaw; k: number; c: number; levels: string; low: number; high: number };
  sliders: { kind: "iwan" | "random"; n: number; seed: number; load: number };
  fitted: string[];
  fit: { seconds: number; free: string; u: string; f: string };
}

export const initial = (): State => ({
  view: "play",
  laws: [{ model: "iwan4", set: {} }],
  active: 0,
  input: {
    kind: "two",
    amplitude: 2,
    cycles: 4,
    seed: 1,
    formula: "2*exp(-0.2*t)*sin(2*pi*t)",
    until: 6,
    drawn: [0, 0.6, 1, 0.4, -0.7, -1, -0.2, 0.5, 0.1, 0.8, 0, -0.6, 0],
  },
  path: {
    kind: "circle",
    angle: 30,
    formulas: ["2*sin(2*pi*t)", "sin(6*pi*t)"],
    outline: [0, 0, 0.9, 0.1, 0.7, 0.8, -0.1, 0.5, -0.8, 0.7, -0.9, -0.4, -0.1, -0.8, 0.6, -0.5, 0, 0],
  },
  shake: {
    law: { model: "iwan4", set: { Fs: "1", KT: "0.5" } },
    k: 1,
    c: 0.01,
    levels: "0.01, 0.03, 0.1, 0.3",
    low: 0.9,
    high: 1.35,
  },
  sliders: { kind: "iwan", n: 60, seed: 1, load: 0.9 },
  fitted: ["iwan4", "bouc-wen"],
  fit: { seconds: 20, free: "", u: "", f: "" },
});

function encoded(text: string): string {
  const bytes = new TextEncoder().encode(text);
  let binary = "";
  bytes.forEach((byte) => (binary += String.fromCharCode(byte)));
  return btoa(binary).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function decoded(text: string): string {
  const binary = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
  return new TextDecoder().decode(Uint8Array.from(binary, (c) => c.charCodeAt(0)));
}

/** Only what differs from the beginning, so that links are short. */
export function toAddress(state: State): string {
  const start = initial() as unknown as Record<string, unknown>;
  const changed: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(state))
    if (JSON.stringify(value) !== JSON.stringify(start[key])) changed[key] = value;
  return Object.keys(changed).length === 0 ? "" : `#${encoded(JSON.stringify(changed))}`;
}

/** A value of the shape of `like`; what does not fit is left out. */
function shaped<T>(given: unknown, like: T): T {
  if (Array.isArray(like)) return Array.isArray(given) ? (given as T) : like;
  if (typeof like === "object" && like !== null) {
    if (typeof given !== "object" || given === null) return like;
    const result = { ...like } as Record<string, unknown>;
    for (const [key, value] of Object.entries(like))
      if (key in given) result[key] = shaped((given as Record<string, unknown>)[key], value);
    return result as T;
  }
  return typeof given === typeof like ? (given as T) : like;
}

const isLaw = (x: unknown): x is ChosenLaw =>
  typeof x === "object" && x !== null && typeof (x as ChosenLaw).model === "string" &&
  typeof (x as ChosenLaw).set === "object";

/** The state of an address; nothing if the address is damaged. */
export function fromAddress(hash: string): State | undefined {
  if (hash.length < 2) return initial();
  try {
    const given = JSON.parse(decoded(hash.slice(1))) as Record<string, unknown>;
    const state = shaped(given, initial());
    const law = (given["shake"] as { law?: unknown } | undefined)?.law;
    if (isLaw(law)) state.shake.law = law;
    if (!state.laws.length || !state.laws.every(isLaw)) state.laws = initial().laws;
    state.fitted = state.fitted.filter((name) => typeof name === "string");
    const { formulas, outline } = state.path;
    if (formulas.length !== 2 || !formulas.every((f) => typeof f === "string") ||
        ![state.input.drawn, outline].every((l) => l.length >= 4 && l.every(Number.isFinite)))
      return undefined;
    state.active = Math.min(Math.max(0, Math.trunc(state.active)), state.laws.length - 1);
    return state;
  } catch {
    return undefined;
  }
}
