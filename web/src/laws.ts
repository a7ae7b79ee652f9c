/** The description table of the engine. */
export interface Bounds {
  lower: number | null;
  upper: number | null;
  lower_open: boolean;
  upper_open: boolean;
}

export interface Parameter {
  name: string;
  unit: string;
  kind: "number" | "list" | "matrix" | "expression";
  bounds?: Bounds; // none of a formula
  default: number | number[] | number[][] | string;
  sentence: string;
}

export interface Choice {
  name: string;
  choices?: string[];
  bounds?: Bounds;
  default: string | number;
  sentence: string;
}

export interface Law {
  name: string;
  sentence: string;
  equation: string;
  family: "rate-independent" | "rate-dependent" | "planar";
  directions: string[]; // of a law with several
  driven: "displacement" | "force";
  parameters: Parameter[];
  options: Choice[];
  claims: Record<string, { verdict: string; condition?: string }>;
  citation: string;
}

export function textOf(value: Parameter["default"]): string {
  if (Array.isArray(value)) return Array.isArray(value[0]) ? JSON.stringify(value) : value.join(",");
  return String(value);
}

export const settingsOf = (set: Record<string, string>): string[] =>
  Object.entries(set).map(([name, value]) => `${name}=${value}`);

/** Where a slider of a number goes, and how: logarithmic if the number must be positive. */
export function sliderOf(p: Parameter): { low: number; high: number; log: boolean } {
  const start = typeof p.default === "number" ? p.default : 1;
  const bounds = p.bounds ?? { lower: null, upper: null, lower_open: true, upper_open: true };
  const { lower, upper } = bounds;
  if (lower !== null && upper !== null) {
    const edge = (upper - lower) * 1e-3;
    return { low: bounds.lower_open ? lower + edge : lower,
             high: bounds.upper_open ? upper - edge : upper, log: false };
  }
  if (lower !== null && lower >= 0 && start > 0)
    return { low: Math.max(start / 100, lower * 1.0001), high: start * 100, log: true };
  if (lower !== null) return { low: lower, high: lower + 4 * Math.max(1, Math.abs(start)), log: false };
  if (upper !== null) return { low: upper - 4 * Math.max(1, Math.abs(start)), high: upper, log: false };
  const reach = 3 * Math.max(1, Math.abs(start));
  return { low: start - reach, high: start + reach, log: false };
}
