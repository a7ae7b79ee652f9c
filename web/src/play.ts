/** Play: a law, its sliders, an input, and what comes out while they move. */
import { arrows, button, complaint, el, field, Latest } from "./dom";
import { planeDrawing, timeDrawing } from "./drawing";
import type { Engine } from "./engine";
import { mathml } from "./formula";
import { historyOf, pathOf, tableOf, type History } from "./inputs";
import { lawPicker, parameterControls } from "./controls";
import { settingsOf, type Law } from "./laws";
import { showTexts } from "./pages";
import { brief, download, Plot, type Curve } from "./plot";
import type { ChosenLaw, InputKind, PathKind, State } from "./state";

export const palette = ["--c1", "--c2", "--c3", "--c4"];

interface Outcome {
  law: Law;
  x: Float64Array;
  f: Float64Array;
  fy?: Float64Array;
  energy: Float64Array;
  stored: Float64Array;
}

const inputs: [InputKind, string][] = [
  ["sine", "Sine"], ["two", "Two frequencies"], ["growing", "Growing sine"],
  ["random", "Random"], ["drawn", "Drawn by hand"], ["formula", "Formula"],
];
const paths: [PathKind, string][] = [
  ["circle", "Circle"], ["spiral", "Growing circle"], ["eight", "Figure of eight"],
  ["line", "Line at an angle"], ["outline", "Drawn by hand"], ["formulas", "Formulas"],
];

export const quoted = (word: string) =>
  /^[A-Za-z0-9_=+.,/:@%-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

export function sketches(engine: Engine, laws: Map<string, Law>): (name: string) => Promise<string> {
  const kept = new Map<string, Promise<string>>();
  const make = async (name: string): Promise<string> => {
    const law = laws.get(name)!;
    const rows = 161;
    const t = new Float64Array(rows), u = new Float64Array(rows);
    for (let i = 0; i < rows; ++i) {
      t[i] = i / 80;
      u[i] = 2 * Math.sin(Math.PI * t[i]! * 2) * Math.min(1, 0.55 + t[i]! / 3);
    }
    const planar = law.family === "planar";
    const answer = await engine.ask({
      kind: "run", model: name, settings: [], t, u, byForce: law.driven === "force",
      ...(planar ? { uy: u.map((_, i) => 0.6 * u[Math.max(0, i - 20)]!) } : {}) });
    const columns = answer.columns;
    if (!columns || !answer.rows) return "";
    const x = columns["displacement"]!, y = columns["f"]!;
    const range = (v: Float64Array) => {
      let low = Infinity, high = -Infinity;
      for (const a of v) if (Number.isFinite(a)) (low = Math.min(low, a)), (high = Math.max(high, a));
      return { low, size: high - low || 1 };
    };
    const rx = range(x), ry = range(y);
    let path = "";
    for (let i = 0; i < x.length; ++i)
      path += `${i ? "L" : "M"}${(2 + 44 * (x[i]! - rx.low) / rx.size).toFixed(1)} ` +
        `${(30 - 28 * (y[i]! - ry.low) / ry.size).toFixed(1)}`;
    return `<svg viewBox="0 0 48 32"><path d="${path}" fill="none" stroke="currentColor"/></svg>`;
  };
  return (name) => {
    if (!kept.has(name)) kept.set(name, make(name).catch(() => ""));
    return kept.get(name)!;
  };
}

/** The equation of a law as mathematics. */
function equationOf(law: { equation: string }): HTMLElement {
  const element = el("p", { class: "equation" });
  element.innerHTML = mathml(law.equation);
  return element;
}

/** The control of the parameter that a sentence such as "iwan4.chi = 2 must lie in …" names. */
export function besideParameter(controls: HTMLElement, sentence: string): Element | undefined {
  const name = /^[\w+()-]+\.(\w+)/.exec(sentence)?.[1] ?? /^(\w+) = /.exec(sentence)?.[1];
  return controls.querySelector(`.parameter[data-name="${name}"]`) ?? undefined;
}

export class Play {
  readonly element = el("section", { class: "view play", "aria-label": "Play" });
  private latest = new Latest();
  private history?: History;
  private historyKey = "";
  private outcomes: Outcome[] = [];
  private loop = new Plot({ title: "Loop", xLabel: "displacement u", yLabel: "force f" });
  private times = new Plot({ title: "Time histories", xLabel: "time t", yLabel: "u and f" });
  private energies = new Plot({ title: "Energy", xLabel: "time t", yLabel: "energy", fromZero: true });
  private path = new Plot({ title: "Path", xLabel: "ux", yLabel: "uy", equal: true });
  private hodograph = new Plot({ title: "Force in the plane", xLabel: "fx", yLabel: "fy", equal: true });
  private cycles = new Plot({ title: "Energy lost per cycle", xLabel: "cycle", yLabel: "energy",
                              fromZero: true });
  private parameters = el("div");
  private tabs = el("div", { class: "chips", role: "group", "aria-label": "laws that are shown" });
  private about = el("div", { class: "about" });
  private facts = el("dl", { class: "facts" });
  private inputPanel = el("div", { class: "panel" });
  private mistake = complaint();
  private command = el("code", { class: "command", tabindex: "0" });
  private picker: ReturnType<typeof lawPicker>;
  private running = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  private phase = 0;
  frames: number[] = []; // milliseconds from a change to the drawn picture, for the tests

  constructor(private engine: Engine, private laws: Map<string, Law>, private state: State,
              sketch: (name: string) => Promise<string>, private changed: () => void,
              private shake: (law: ChosenLaw) => void) {
    this.picker = lawPicker([...laws.values()], sketch, (name) => this.choose(name));
    const controls = el("div", { class: "side" },
      el("h2", {}, "Law"), this.tabs, this.picker.element,
      this.mistake.element, el("h2", {}, "Input"), this.inputPanel,
      el("h2", {}, "Parameters"), this.parameters);
    const pause = button(this.running ? "Pause" : "Play", () => {
      this.running = !this.running;
      pause.textContent = this.running ? "Pause" : "Play";
    }, { class: "pause" });
    const tools = el("div", { class: "tools" }, pause,
      button("Save CSV", () => this.saveTable()),
      button("Shake this law", () => this.shake(structuredClone(this.chosen()))));
    const results = el("div", { class: "results" }, this.loop.element,
      el("div", { class: "beside" }, this.about, this.facts, tools,
         el("p", { class: "hint" }, "The same at a terminal:"), this.command),
      this.path.element, this.hodograph.element, this.times.element, this.energies.element,
      this.cycles.element);
    this.element.append(controls, results);
    this.showLaws();
    this.showInput();
    requestAnimationFrame((now) => this.animate(now));
  }

  private chosen(): ChosenLaw {
    return this.state.laws[this.state.active]!;
  }

  /** Whether the laws that are shown move in a plane; they share one path. */
  private planar(): boolean {
    return this.state.laws.some((law) => this.laws.get(law.model)?.family === "planar");
  }

  /** Called when the view is opened. */
  show(): void {
    this.picker.mark(this.chosen().model);
    this.update();
  }

  /** One law instead of those that are shown. */
  setLaw(law: ChosenLaw): void {
    this.state.laws = [law];
    this.state.active = 0;
    this.showLaws();
    this.showInput();
    this.update();
  }

  private choose(name: string): void {
    this.state.laws[this.state.active] = { model: name, set: {} };
    this.showLaws();
    this.showInput();
    this.update();
  }

  private showLaws(): void {
    const { laws, active } = this.state;
    this.tabs.replaceChildren(...laws.map((law, i) =>
      el("span", { class: "chip" + (i === active ? " chosen" : "") },
        el("button", { type: "button", class: "name", "aria-pressed": String(i === active),
                       style: `--dot: var(${palette[i]!})`, onclick: () => {
          this.state.active = i;
          this.showLaws();
          this.update();
        } }, el("i", {}), law.model),
        laws.length > 1 ? el("button", { type: "button", class: "quiet",
                                         "aria-label": `take ${law.model} away`, onclick: () => {
          laws.splice(i, 1);
          this.state.active = Math.min(this.state.active, laws.length - 1);
          this.showLaws();
          this.showInput();
          this.update();
        } }, "×") : undefined)));
    if (laws.length < palette.length)
      this.tabs.append(button("+ compare", () => {
        laws.push(structuredClone(this.chosen()));
        this.state.active = laws.length - 1;
        this.showLaws();
        this.update();
      }, { class: "quiet add" }));
    const law = this.laws.get(this.chosen().model);
    if (!law) {
      this.mistake.say(`There is no law '${this.chosen().model}'.`);
      return;
    }
    this.picker.mark(law.name);
    this.parameters.replaceChildren(parameterControls(law, this.chosen().set,
      (name, text, moving) => {
        if (text === undefined) delete this.chosen().set[name];
        else this.chosen().set[name] = text;
        this.loop.freeze(moving);
        this.times.freeze(moving);
        if (text === undefined) this.showLaws();
        this.update();
      }));
    const claims = Object.entries(law.claims)
      .filter(([, c]) => c.verdict === "holds" || c.verdict === "depends")
      .map(([name, c]) => name.replaceAll("_", " ") + (c.condition ? ` (if ${c.condition})` : ""));
    this.about.replaceChildren(el("h2", {}, law.name), el("p", {}, law.sentence),
      equationOf(law),
      el("p", { class: "hint" }, claims.length ? `Holds: ${claims.join(", ")}.` : ""),
      el("p", { class: "hint" }, `${law.citation}.`),
      el("div", { class: "tools" },
         button("Derivation", () => void showTexts(law.name, "page"), { class: "derivation" }),
         button("Source", () => void showTexts(law.name, "source"), { class: "source" })));
  }

  private chips<Kind extends string>(kinds: [Kind, string][], chosen: Kind, set: (kind: Kind) => void) {
    return arrows(el("div", { class: "chips", role: "radiogroup", "aria-label": "input" },
      ...kinds.map(([kind, label]) =>
        el("button", { type: "button", role: "radio", "aria-checked": String(kind === chosen),
                       tabindex: kind === chosen ? "0" : "-1", "data-kind": kind,
                       class: "chip" + (kind === chosen ? " chosen" : ""), onclick: () => {
          set(kind);
          this.showInput();
          this.update();
        } }, label))));
  }

  private showInput(): void {
    const { input, path } = this.state;
    const numeric = (name: string, label: string, value: number, set: (v: number) => void) => {
      const box = el("input", { type: "number", step: "any", value: String(value),
                                "data-input": name });
      box.addEventListener("input", () => {
        set(box.value.trim() === "" ? NaN : Number(box.value));
        this.update();
      });
      return field(label, box);
    };
    const of = (name: "amplitude" | "cycles" | "seed" | "until", label: string = name) =>
      numeric(name, label, input[name], (v) => (input[name] = v));
    const formula = (name: string, label: string, value: string, set: (v: string) => void,
                     hint?: string) => {
      const box = el("input", { type: "text", value, class: "wide", spellcheck: "false",
                                autocapitalize: "off", "data-input": name });
      box.addEventListener("change", () => {
        set(box.value);
        this.update();
      });
      return field(label, box, hint);
    };
    if (this.planar()) {
      const parts: HTMLElement[] = [this.chips(paths, path.kind, (kind) => (path.kind = kind))];
      if (path.kind === "formulas")
        parts.push(formula("formula-x", "ux(t) =", path.formulas[0], (v) => (path.formulas[0] = v)),
                   formula("formula-y", "uy(t) =", path.formulas[1], (v) => (path.formulas[1] = v),
                           "for example cos(2*pi*t)"), of("until", "until t ="));
      else parts.push(of("amplitude"), of("cycles"));
      if (path.kind === "line")
        parts.push(numeric("angle", "angle in degrees", path.angle, (v) => (path.angle = v)));
      if (path.kind === "outline")
        parts.push(planeDrawing(() => path.outline, (outline) => {
          path.outline = outline;
          this.update();
        }));
      this.inputPanel.replaceChildren(...parts);
      return;
    }
    const parts: HTMLElement[] = [this.chips(inputs, input.kind, (kind) => (input.kind = kind))];
    if (input.kind === "formula")
      parts.push(formula("formula", "u(t) =", input.formula, (v) => (input.formula = v),
                         "for example 2*sin(2*pi*t)*exp(-0.1*t)"), of("until", "until t ="));
    else parts.push(of("amplitude"), of("cycles"));
    if (input.kind === "random") parts.push(of("seed"));
    if (input.kind === "drawn")
      parts.push(timeDrawing(() => input.drawn, (heights) => {
        input.drawn = heights;
        this.update();
      }));
    this.inputPanel.replaceChildren(...parts);
  }

  update(): void {
    const began = performance.now();
    this.changed();
    this.latest.run(() => this.compute(began));
  }

  private async compute(began: number): Promise<void> {
    try {
      const planar = this.planar();
      const key = JSON.stringify([planar, this.state.input, planar && this.state.path]);
      if (key !== this.historyKey) {
        const law = [...this.laws.values()].find((l) => l.family === "planar")?.name ?? "";
        try {
          this.history = await (planar ? pathOf(this.state.input, this.state.path, law, this.engine)
                                       : historyOf(this.state.input, this.engine));
        } catch (reason) {
          return this.mistake.say((reason as Error).message, false, this.inputPanel);
        }
        this.historyKey = key;
      }
      const history = this.history!;
      const outcomes: Outcome[] = [];
      let warning = "";
      for (const chosen of this.state.laws) {
        const law = this.laws.get(chosen.model);
        if (!law) throw new Error(`There is no law '${chosen.model}'.`);
        const byForce = law.driven === "force" && chosen.set["output"] !== "u-bq" &&
          chosen.set["output"] !== "u-bx";
        const answer = await this.engine.ask({
          kind: "run", model: chosen.model, settings: settingsOf(chosen.set), t: history.t,
          u: history.u, byForce, ...(law.family === "planar" ? { uy: history.uy! } : {}) });
        if (answer.error) throw new Error(answer.error);
        if (answer.warning) warning = `${law.name}: ${answer.warning}`;
        const c = answer.columns!;
        outcomes.push({ law, x: c["displacement"]!, f: c["f"]!, energy: c["energy"]!,
                        stored: c["stored"]!, ...(c["fy"] ? { fy: c["fy"] } : {}) });
      }
      this.outcomes = outcomes;
      this.mistake.say(warning, true);
      this.draw();
      this.frames.push(performance.now() - began);
      if (this.frames.length > 1000) this.frames.shift();
    } catch (reason) {
      const text = (reason as Error).message;
      this.mistake.say(text, false, besideParameter(this.parameters, text));
    }
  }

  private draw(): void {
    const history = this.history!;
    const several = this.outcomes.length > 1;
    const planar = history.uy !== undefined;
    const loops: Curve[] = [], times: Curve[] = [], energies: Curve[] = [], cycles: Curve[] = [];
    this.outcomes.forEach((o, i) => {
      const color = palette[i]!;
      const name = several ? { label: o.law.name } : {};
      loops.push({ x: o.x, y: o.f, color, ...(planar ? { label: `${several ? `${o.law.name}, ` : ""}x` } : name) });
      if (o.fy) loops.push({ x: history.uy!, y: o.fy, color, dash: true, faint: true,
                             ...(several ? {} : { label: "y" }) });
      times.push({ x: history.t, y: o.f, color, label: several ? `f ${o.law.name}` : "force f" });
      energies.push({ x: history.t, y: o.energy, color,
                      label: several ? o.law.name : "dissipated" });
      if (!several) energies.push({ x: history.t, y: o.stored, color: "--c2", label: "stored" });
      const lost = this.lostPerCycle(o);
      cycles.push({ x: lost.map((_, j) => j + 1), y: lost, color, points: true, ...name });
      cycles.push({ x: lost.map((_, j) => j + 1), y: lost, color, faint: true });
    });
    times.unshift({ x: history.t, y: history.u, color: "--soft", label: "u", width: 1.2 });
    const first = this.outcomes[0]!;
    const largest = (v: Float64Array) => v.reduce((m, a) => Math.max(m, Math.abs(a)), 0);
    const lost = first.energy.at(-1) ?? 0;
    this.loop.set(loops, `Force against displacement of ${this.outcomes.map((o) => o.law.name)
      .join(", ")}: up to ${brief(largest(first.f))} at displacements up to ` +
      `${brief(largest(first.x))}, ${brief(lost)} dissipated.`);
    this.times.set(times);
    this.energies.set(energies);
    this.path.element.hidden = this.hodograph.element.hidden = !planar;
    if (planar) {
      this.path.set([{ x: history.u, y: history.uy!, color: "--soft" }], "The path in the plane.");
      this.hodograph.set(this.outcomes.flatMap((o, i) => !o.fy ? [] : [{ x: o.f, y: o.fy,
        color: palette[i]!, ...(several ? { label: o.law.name } : {}) }]),
        "The force in the plane, one component against the other.");
    }
    this.cycles.element.hidden = history.period === 0;
    if (history.period > 0) this.cycles.set(cycles);
    const active = this.outcomes[this.state.active] ?? first;
    const rows: [string, string][] = [
      ["largest force", brief(largest(active.f))],
      ["largest displacement", brief(largest(active.x))],
      ["energy dissipated", brief(active.energy.at(-1) ?? 0)],
      ["energy stored at the end", brief(active.stored.at(-1) ?? 0)],
    ];
    const per = this.lostPerCycle(active);
    if (history.period > 0 && per.length) rows.push(["lost in the last cycle", brief(per.at(-1)!)]);
    this.facts.replaceChildren(...rows.flatMap(([a, b]) => [el("dt", {}, a), el("dd", {}, b)]));
    this.command.textContent = this.commandText();
  }

  private lostPerCycle(o: Outcome): number[] {
    const history = this.history!;
    if (history.period === 0) return [];
    // The ends of the cycles are among the rows; turning points lie between them.
    const { t, period } = history;
    const result: number[] = [];
    let before = o.energy[0] ?? 0;
    for (let row = 0, cycle = 1; row < o.energy.length; ++row) {
      if (t[row]! < cycle * period * (1 - 1e-9)) continue;
      result.push(o.energy[row]! - before);
      before = o.energy[row]!;
      ++cycle;
    }
    return result;
  }

  commandText(): string {
    const chosen = this.chosen();
    const law = this.laws.get(chosen.model);
    const words = ["microslip", "simulate", chosen.model,
                   ...settingsOf(chosen.set).flatMap((s) => ["--set", s])];
    if (law?.driven === "force") words.push("--drive", "force");
    // A law along a line takes ux of a path in the plane.
    const history = this.history;
    if (history?.words.length && (law?.family === "planar" || !history.uy)) words.push(...history.words);
    else words.push("--input", "microslip.csv");
    return words.map(quoted).join(" ");
  }

  private saveTable(): void {
    const o = this.outcomes[this.state.active], history = this.history;
    if (!o || !history) return;
    const command = this.commandText();
    if (command.endsWith("--input microslip.csv")) // the input, which no formula gives
      return download("microslip.csv", tableOf(o.fy ? history : { ...history, uy: undefined }), "text/csv");
    let text = `# ${command}\n${o.fy ? "t,ux,uy,fx,fy,energy" : "t,u,f,energy"}\n`;
    for (let i = 0; i < o.f.length; ++i)
      text += `${history.t[i]},${o.x[i]}${o.fy ? `,${history.uy![i]}` : ""},${o.f[i]}` +
        `${o.fy ? `,${o.fy[i]}` : ""},${o.energy[i]}\n`;
    download("microslip.csv", text, "text/csv");
  }

  /** For the tests: the numbers behind the picture, and whether they are those of the controls. */
  numbers() {
    const o = this.outcomes[this.state.active];
    return o && { law: o.law.name, f: o.f, fy: o.fy, x: o.x, t: this.history!.t };
  }
  ready(): boolean {
    return !this.latest.busy;
  }

  private animate(now: number): void {
    requestAnimationFrame((next) => this.animate(next));
    if (!this.running || this.element.hidden || !this.outcomes.length) return;
    if (now - this.phase < 30) return;
    this.phase = now;
    const share = (now / 8000) % 1;
    const dots = this.outcomes.map((o, i) => {
      const row = Math.floor(share * (o.f.length - 1));
      return { x: o.x[row]!, y: o.f[row]!, color: palette[i]!, row };
    }).filter((d) => Number.isFinite(d.y));
    this.loop.dot(dots);
    const t = this.history!.t;
    this.times.dot(dots.map((d) => ({ ...d, x: t[d.row]! })));
    const { u, uy } = this.history!;
    if (!uy) return;
    this.path.dot(dots.slice(0, 1).map((d) => ({ x: u[d.row]!, y: uy[d.row]!, color: "--c1" })));
    this.hodograph.dot(dots.flatMap((d, i) => {
      const fy = this.outcomes[i]?.fy;
      return fy ? [{ x: d.y, y: fy[d.row]!, color: d.color }] : [];
    }));
  }
}
