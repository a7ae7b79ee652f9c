/** Shake: one mass with a joint. Frequency response, mode against amplitude, ring-down. */
import { button, complaint, el, field, progressBar } from "./dom";
import { Stopped, type Engine } from "./engine";
import { parameterControls } from "./controls";
import type { Law } from "./laws";
import { brief, download, Plot } from "./plot";
import { besideParameter, palette } from "./play";
import type { State } from "./state";

type Table = Map<string, Float64Array>;

const tomlValue = (text: string): string => {
  if (/^[-+0-9.eE]+$/.test(text)) return String(Number(text)).includes("e") || text.includes(".")
    ? text : `${text}.0`;
  return text.includes(",") && !text.startsWith("[") ? `[${text}]` : JSON.stringify(text);
};

export class Shake {
  readonly element = el("section", { class: "view shake", "aria-label": "Shake" });
  private mistake = complaint();
  private progress = progressBar(() => this.engine.stop());
  private response = new Plot({ title: "Frequency response", xLabel: "circular frequency ω",
                                yLabel: "amplitude per load", logY: true });
  private mode = new Plot({ title: "Backbone: natural frequency against amplitude", xLabel: "amplitude",
                            yLabel: "ω", logX: true });
  private damping = new Plot({ title: "Damping ratio against amplitude", xLabel: "amplitude",
                               yLabel: "ζ", logX: true, fromZero: true });
  private ring = new Plot({ title: "Ring-down", xLabel: "time t", yLabel: "displacement x" });
  private instant = new Plot({ title: "Ring-down: frequency from peak to peak", xLabel: "time t",
                               yLabel: "ω" });
  private decay = new Plot({ title: "Ring-down: damping from peak to peak", xLabel: "time t",
                             yLabel: "ζ", fromZero: true });
  private parameters = el("div");
  private drawing = el("div", { class: "mass", role: "img",
                                "aria-label": "A mass on a spring and a slider, moving as the ring-down." });
  private motion?: { t: Float64Array; x: Float64Array };
  private lawMenu: HTMLSelectElement;
  private shown = false;
  private turn = 0;
  private mistakes: string[] = [];
  private file = el("pre", { class: "toml" });

  constructor(private engine: Engine, private laws: Map<string, Law>, private state: State,
              private changed: () => void) {
    this.lawMenu = el("select", { "aria-label": "law of the joint" },
      ...[...laws.values()].filter((law) => law.family !== "planar" && law.driven === "displacement")
        .map((law) => el("option", { value: law.name }, law.name)));
    this.lawMenu.addEventListener("change", () => this.setLaw({ model: this.lawMenu.value, set: {} }));
    const numeric = (name: "k" | "c" | "low" | "high", label: string) => {
      const box = el("input", { type: "number", step: "any", value: String(state.shake[name]) });
      box.addEventListener("change", () => {
        state.shake[name] = Number(box.value);
        this.changed();
        void this.compute();
      });
      return field(label, box);
    };
    const levels = el("input", { type: "text", value: state.shake.levels });
    levels.addEventListener("change", () => {
      state.shake.levels = levels.value;
      this.changed();
      void this.compute();
    });
    this.element.append(
      el("div", { class: "side" }, el("h2", {}, "One mass"), this.drawing,
        el("div", { class: "panel" }, numeric("k", "spring k"), numeric("c", "dashpot c"),
           field("loads", levels), numeric("low", "ω from"), numeric("high", "ω to")),
        el("h2", {}, "Joint"), field("law", this.lawMenu), this.parameters, this.mistake.element,
        el("div", { class: "tools" }, button("Compute", () => void this.compute(), { class: "main" })),
        this.progress.element),
      el("div", { class: "results" }, this.response.element, this.ring.element, this.mode.element,
        this.damping.element, this.instant.element, this.decay.element,
        el("details", {}, el("summary", {}, "The same at a terminal"),
           el("code", { class: "command" }, "microslip respond mass.toml"), this.file,
           button("Save mass.toml", () => download("mass.toml", this.structure(), "text/plain")))));
    this.showLaw();
    this.picture(0);
    requestAnimationFrame((now) => this.animate(now));
  }

  setLaw(law: State["shake"]["law"]): void {
    this.state.shake.law = law;
    this.showLaw();
    this.changed();
    void this.compute();
  }

  private showLaw(): void {
    const chosen = this.state.shake.law;
    const law = this.laws.get(chosen.model);
    if (!law) return this.mistake.say(`There is no law '${chosen.model}'.`);
    this.lawMenu.value = law.name;
    this.parameters.replaceChildren(parameterControls(law, chosen.set, (name, text, moving) => {
      if (text === undefined) delete chosen.set[name];
      else chosen.set[name] = text;
      this.changed();
      if (!moving) void this.compute();
    }));
  }

  /** Called when the view is opened: the first picture comes by itself. */
  show(): void {
    if (this.shown) return;
    this.shown = true;
    void this.compute();
  }

  structure(): string {
    const s = this.state.shake;
    const levels = s.levels.split(/[,; ]+/).filter(Boolean).map(Number);
    if (!levels.length || levels.some((l) => !(l > 0)))
      throw new Error("Loads must be positive numbers, for example 0.01, 0.1.");
    if (!(s.low > 0 && s.high > s.low)) throw new Error("ω must go from a positive number to a larger one.");
    const set = Object.entries(s.law.set).map(([n, v]) => `${n} = ${tomlValue(v)}`).join(", ");
    const joint = `[[joint]]\nmodel = "${s.law.model}"\n${set ? `set = { ${set} }\n` : ""}between = [0, 1]\n`;
    const number = (x: number) => (Number.isInteger(x) ? `${x}.0` : String(x));
    return `M = [1.0]\nK = [${number(s.k)}]\nC = [${number(s.c)}]\n\n${joint}\n` +
      `[[load]]\nkind = "harmonic"\ndof = 1\namplitude = 1.0\n\n` +
      `[[analysis]]\nkind = "frequency-response"\nomega = [${number(s.low)}, ${number(s.high)}]\n` +
      `levels = [${levels.map(number).join(", ")}]\noutput = "response.csv"\n\n` +
      `[[analysis]]\nkind = "nonlinear-mode"\namplitude = [0.01, 10.0]\noutput = "mode.csv"\n`;
  }

  private ringDown(): string {
    return this.structure().split("[[load]]")[0] +
      `[[load]]\nkind = "impulse"\ndof = 1\namplitude = 3.0\n\n` +
      `[[analysis]]\nkind = "time"\nuntil = 120\nstep = 0.05\noutput = "ring.csv"\n`;
  }

  /** The three analyses one after the other; a change in the meantime starts again. */
  async compute(): Promise<void> {
    this.engine.stop();
    const turn = ++this.turn;
    this.mistakes = [];
    try {
      const [head, response, mode] = this.structure().split("[[analysis]]");
      this.file.textContent = this.structure();
      this.mistake.say("");
      await this.part("Ring-down", this.ringDown(), (table) => this.drawRing(table));
      await this.part("Frequency response", `${head}[[analysis]]${response}`,
                      (table) => this.drawResponse(table));
      await this.part("Backbone", `${head}[[analysis]]${mode}`, (table) => this.drawMode(table));
    } catch (reason) {
      if (!(reason instanceof Stopped)) this.mistake.say((reason as Error).message);
    } finally {
      if (turn === this.turn) this.progress.hide();
    }
  }

  /** One analysis may fail, for example where a law has no stiffness at rest; the others go on. */
  private async part(name: string, file: string, draw: (table: Table) => void) {
    this.progress.show({ part: 0, stage: name });
    try {
      const text = await this.engine.job("respond", file, "mass.toml",
                                         ({ part }) => this.progress.show({ part, stage: name }));
      const result = JSON.parse(text) as {
        failure?: string;
        analyses: { columns: { [name: string]: (number | null)[] } }[];
      };
      if (result.failure) throw new Error(result.failure);
      draw(new Map(Object.entries(result.analyses[0]!.columns).map(([heading, values]) =>
        [heading, Float64Array.from(values, (x) => x ?? NaN)])));
    } catch (reason) {
      if (reason instanceof Stopped) throw reason;
      const sentence = (reason as Error).message.replace(/^mass\.toml, line \d+: /, "");
      if (!this.mistakes.includes(sentence)) this.mistakes.push(sentence);
      this.mistake.say(this.mistakes.join(" "), false, besideParameter(this.parameters, sentence));
    }
  }

  private drawResponse(table: Table): void {
    const level = table.get("level") ?? table.get("load");
    const omega = table.get("omega")!, x = table.get("x1")!;
    const groups = new Map<number, { x: number[]; y: number[] }>();
    omega.forEach((w, i) => {
      const key = level ? level[i]! : 1;
      const group = groups.get(key) ?? { x: [], y: [] };
      groups.set(key, group);
      group.x.push(w);
      group.y.push(x[i]! / key);
    });
    this.response.set([...groups].map(([key, g], i) => ({
      ...g, color: palette[i % palette.length]!, label: `load ${brief(key)}` })),
      "Amplitude divided by the load against frequency: the resonance moves down as the load grows.");
  }

  private drawMode(table: Table): void {
    const amplitude = table.get("amplitude")!;
    this.mode.set([{ x: amplitude, y: table.get("omega")!, color: "--c1" }]);
    this.damping.set([{ x: amplitude, y: table.get("zeta")!, color: "--c2" }]);
  }

  private drawRing(table: Table): void {
    this.motion = { t: table.get("t")!, x: table.get("x1")! };
    this.ring.set([{ x: this.motion.t, y: this.motion.x, color: "--c1" }],
                  "Displacement of the mass against time after a blow.");
    const { t, x } = this.motion;
    const times: number[] = [], sizes: number[] = [], frequency: number[] = [];
    for (let i = 1; i + 1 < x.length; ++i)
      if (x[i]! > 0 && x[i]! >= x[i - 1]! && x[i]! > x[i + 1]!) {
        const bend = x[i - 1]! - 2 * x[i]! + x[i + 1]!;
        const shift = bend === 0 ? 0 : 0.5 * (x[i - 1]! - x[i + 1]!) / bend;
        times.push(t[i]! + shift * (t[1]! - t[0]!));
        sizes.push(x[i]!);
      }
    for (let i = 1; i < times.length; ++i) frequency.push(2 * Math.PI / (times[i]! - times[i - 1]!));
    this.instant.set([{ x: times.slice(1), y: frequency, color: "--c1" }],
                     "Frequency against time, from the times between peaks.");
    // ζ = δ/√(4π² + δ²) with the logarithmic decrement δ.
    const ratio = sizes.slice(1).map((size, i) => {
      const decrement = Math.log(sizes[i]! / size);
      return decrement / Math.hypot(2 * Math.PI, decrement);
    });
    this.decay.set([{ x: times.slice(1), y: ratio, color: "--c2" }],
                   "Damping ratio against time, from the heights of peaks.");
  }

  private picture(x: number): void {
    const at = 150 + 50 * Math.max(-1, Math.min(1, x));
    let spring = `M20 46`;
    for (let i = 0; i <= 12; ++i)
      spring += `L${(30 + (at - 60) * i / 12).toFixed(1)} ${i === 0 || i === 12 ? 46 : 46 + (i % 2 ? -8 : 8)}`;
    this.drawing.innerHTML = `<svg viewBox="0 0 300 110">
      <path d="M20 15V100H290" class="wall"/><path d="${spring}L${at - 20} 46" class="line"/>
      <path d="M20 78H${at - 50}M${at - 50} 70v16h28v-16zM${at - 22} 78H${at - 20}" class="slider"/>
      <rect x="${at - 20}" y="28" width="70" height="64" rx="6" class="body"/>
      <circle cx="${at}" cy="96" r="4" class="line"/><circle cx="${at + 32}" cy="96" r="4" class="line"/></svg>`;
  }

  private animate(now: number): void {
    requestAnimationFrame((next) => this.animate(next));
    if (!this.motion || this.element.hidden) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const { t, x } = this.motion;
    const time = (now / 100) % t.at(-1)!;
    const i = Math.min(x.length - 1, Math.floor(time / (t[1]! - t[0]!)));
    this.picture(x[i]! / 3);
    this.ring.dot([{ x: t[i]!, y: x[i]!, color: "--c1" }]);
  }
}
