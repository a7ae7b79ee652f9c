/** Explain my data: a measured record, its loops, and the laws that describe it. */
import { button, complaint, el, field, Latest, progressBar } from "./dom";
import { Stopped, type Engine } from "./engine";
import { parameterControls } from "./controls";
import { textOf, type Law } from "./laws";
import type { Answer } from "./protocol";
import { brief, download, Plot, type Curve } from "./plot";
import { besideParameter, quoted } from "./play";
import type { ChosenLaw, State } from "./state";
import { readTable } from "./table";

declare const SAMPLE_RECORD: string; // data/bolted-joint.csv, put in by build.mjs

interface Record {
  name: string;
  content: Uint8Array;
  u: Float64Array;
  f: Float64Array;
  t?: Float64Array;
  units: { u: string; f: string };
  columns: object; // of a request
}

interface Fit {
  model: string;
  parameters: { [name: string]: number | number[] | string };
  standard_errors: { [name: string]: number | null };
  rms_relative: number;
  energy_error: number | null;
  holdout_rms_relative: number | null;
  status: string;
  message: string;
}

const largestFile = 100e6;

async function plain(file: Blob, name: string): Promise<Uint8Array> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Error(`${name}: its gzip data are damaged.`);
  }
}

export class Data {
  readonly element = el("section", { class: "view data", "aria-label": "Explain my data" });
  private mistake = complaint();
  private record?: Record;
  private fits: Fit[] = [];
  private document = ""; // of the fits, as the command writes it
  private predicted = "";
  private chosen = 0;
  private moved: { [name: string]: string } = {};
  private loop = new Plot({ title: "Record", xLabel: "displacement u", yLabel: "force f" });
  private residual = new Plot({ title: "Residual", xLabel: "row", yLabel: "force" });
  private backbone = new Plot({ title: "Backbone", xLabel: "displacement", yLabel: "force" });
  private energy = new Plot({ title: "Energy per cycle", xLabel: "amplitude", yLabel: "energy",
                              logX: true, logY: true });
  private stiffness = new Plot({ title: "Secant stiffness", xLabel: "amplitude",
                                 yLabel: "stiffness", logX: true });
  private density = new Plot({ title: "Iwan density", xLabel: "slip displacement",
                               yLabel: "density", fromZero: true });
  private facts = el("dl", { class: "facts" });
  private notes = el("ul", { class: "notes" });
  private cycles = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "cycles" });
  private ranking = el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "fits" });
  private sliders = el("div");
  private progress = progressBar(() => this.patient.stop());
  private results = el("div", { class: "results" });
  private lawBoxes = new Map<string, HTMLInputElement>();
  private fitButton = button("Fit", () => void this.fit(), { class: "main" });
  private latest = new Latest();

  /** `engine` answers while a slider moves, `patient` does what takes long and can be stopped. */
  constructor(private engine: Engine, private patient: Engine, private laws: Map<string, Law>,
              private state: State, private changed: () => void,
              private play: (law: ChosenLaw) => void) {
    const pick = el("input", { type: "file", accept: ".csv,.txt,.dat,.tsv,.gz,text/*",
                               "aria-label": "choose a file" });
    pick.addEventListener("change", () => {
      if (pick.files?.[0]) void this.open(pick.files[0], pick.files[0].name);
      pick.value = ""; // the same file again is a change too
    });
    const paste = el("textarea", { rows: "3", placeholder: "or paste two columns: u, f",
                                   "aria-label": "paste two columns" });
    paste.addEventListener("input", () => {
      if (paste.value.trim()) void this.open(new Blob([paste.value]), "pasted.csv");
    });
    const drop = el("div", { class: "drop" },
      el("p", {}, el("b", {}, "Drop a table here"), " with displacement and force. ",
         "It stays on this machine."), pick, paste,
      button("Take a sample record", () => void this.open(new Blob([SAMPLE_RECORD]), "bolted-joint.csv"),
             { class: "sample" }));
    for (const kind of ["dragover", "dragenter"])
      drop.addEventListener(kind, (event) => (event.preventDefault(), drop.classList.add("over")));
    drop.addEventListener("dragleave", () => drop.classList.remove("over"));
    drop.addEventListener("drop", (event) => {
      event.preventDefault();
      drop.classList.remove("over");
      const file = event.dataTransfer?.files[0];
      if (file) void this.open(file, file.name);
    });
    const list = el("div", { class: "boxes" });
    for (const law of laws.values()) {
      if (law.family === "planar" || law.name === "sliders") continue;
      const box = el("input", { type: "checkbox", value: law.name,
                                checked: state.fitted.includes(law.name) });
      box.addEventListener("change", () => {
        this.state.fitted = [...this.lawBoxes].filter(([, b]) => b.checked).map(([n]) => n);
        this.changed();
      });
      this.lawBoxes.set(law.name, box);
      list.append(el("label", { title: law.sentence }, box, law.name));
    }
    const choose = (some: (name: string) => boolean) => () => {
      for (const [name, box] of this.lawBoxes) box.checked = some(name);
      this.state.fitted = [...this.lawBoxes.keys()].filter(some);
      this.changed();
    };
    const text = (name: "free" | "u" | "f", placeholder: string, done?: () => void) => {
      const box = el("input", { type: "text", value: state.fit[name], placeholder, spellcheck: "false",
                                "data-fit": name });
      box.addEventListener("change", () => {
        state.fit[name] = box.value.trim();
        this.changed();
        done?.();
      });
      return box;
    };
    const seconds = el("input", { type: "number", value: String(state.fit.seconds), min: "1",
                                  max: "3600", "data-fit": "seconds" });
    seconds.addEventListener("change", () => {
      state.fit.seconds = Number(seconds.value);
      this.changed();
    });
    this.element.append(
      el("div", { class: "side" }, el("h2", {}, "Record"), drop,
        el("details", { open: state.fit.u !== "" || state.fit.f !== "" },
           el("summary", {}, "Columns"),
           field("displacement", text("u", "by name", () => void this.read()), "heading or number"),
           field("force", text("f", "by name", () => void this.read()), "heading or number")),
        this.mistake.element, el("h2", {}, "Laws to fit"),
        el("div", { class: "tools" },
           button("All", choose(() => true), { class: "quiet", "aria-label": "fit all laws" }),
           button("None", choose(() => false), { class: "quiet", "aria-label": "fit no law" })),
        list,
        el("div", { class: "panel" }, field("seconds at most", seconds),
           field("also free", text("free", "offset, backlash"))),
        el("div", { class: "tools" }, this.fitButton), this.progress.element),
      this.results);
    this.results.append(el("p", { class: "empty" },
      "Loops, energy, stiffness, backbone and Iwan density appear here, and the laws that fit."));
  }

  async open(file: Blob, name: string): Promise<void> {
    try {
      if (file.size > largestFile)
        throw new Error(`${name} has ${brief(file.size / 1e6)} MB; up to ${largestFile / 1e6} MB are read ` +
          "here, the command reads more.");
      const content = await plain(file, name);
      if (content.length > 5 * largestFile)
        throw new Error(`${name} has ${brief(content.length / 1e6)} MB unpacked, which is too much here; ` +
          "the command reads it.");
      this.patient.stop(); // a fit of the record before
      this.record = { name, content, u: new Float64Array(), f: new Float64Array(),
                      units: { u: "", f: "" }, columns: {} };
      await this.read();
    } catch (reason) {
      this.mistake.say((reason as Error).message);
    }
  }

  private columnWords(): string[] {
    const { u, f } = this.state.fit;
    return [...(u ? ["--u", u] : []), ...(f ? ["--f", f] : [])];
  }

  /** The record of a request: its columns lie in the engine. */
  private columnsOf(name: string, answer: Answer): object {
    const units = answer.units!;
    return { name, u: "u", f: "f", ...(answer.columns!["t"] ? { t: "t", t_unit: units["t"] } : {}),
             u_unit: units["u"], f_unit: units["f"],
             driven: answer.byForce ? "force" : "displacement" };
  }

  /** Gives the record to the engine, which forgets it when it is stopped. */
  private async load(record: Record): Promise<Answer> {
    const answer = await this.patient.ask({ kind: "record", name: record.name,
      content: record.content, u: this.state.fit.u, f: this.state.fit.f });
    if (answer.error) throw new Error(answer.error);
    return answer;
  }

  private async read(): Promise<void> {
    if (!this.record) return;
    const record = this.record;
    this.progress.show({ part: 0, stage: `Reading ${record.name}` });
    try {
      const answer = await this.load(record);
      record.u = answer.columns!["u"]!;
      record.f = answer.columns!["f"]!;
      if (answer.columns!["t"]) record.t = answer.columns!["t"];
      record.columns = this.columnsOf(record.name, answer);
      const loops = await this.patient.job("loops", { record: record.columns });
      if (record !== this.record) return;
      this.mistake.say("");
      this.fits = [];
      this.show(JSON.parse(loops));
    } catch (reason) {
      if (!(reason instanceof Stopped)) this.mistake.say((reason as Error).message);
    } finally {
      if (record === this.record) this.progress.hide();
    }
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  private show(found: any): void {
    const units = found.units as { u: string; f: string };
    this.record!.units = units;
    this.results.replaceChildren(this.loop.element,
      el("div", { class: "beside" }, el("h2", {}, this.record!.name), this.facts, this.notes,
         el("div", { class: "tools" }, button("Save loops (JSON)", () =>
           download("loops.json", JSON.stringify(found, null, 2), "application/json")))),
      this.residual.element, this.ranking, this.sliders, this.energy.element,
      this.stiffness.element, this.backbone.element, this.density.element, this.cycles);
    this.residual.element.hidden = true;
    this.ranking.replaceChildren();
    this.sliders.replaceChildren();
    const unit = (name: string) => (name ? ` ${name}` : "");
    const rows: [string, string][] = [
      ["rows", String(found.rows)], ["cycles", String(found.cycles.length)],
      ["largest amplitude", brief(found.amplitude) + unit(units.u)],
      ["stiffness at small amplitude", brief(found.initial_stiffness)],
      ["largest force", brief(found.largest_force) + unit(units.f)],
      ["work done", brief(found.total_work)],
    ];
    if (found.dissipation?.exponent)
      rows.push(["energy grows as amplitude to the", brief(found.dissipation.exponent, 3)]);
    this.facts.replaceChildren(...rows.flatMap(([a, b]) => [el("dt", {}, a), el("dd", {}, b)]));
    this.notes.replaceChildren(...found.warnings.map((w: unknown) =>
      el("li", {}, typeof w === "string" ? w : JSON.stringify(w))));
    const of = (name: string): number[] => found.cycles.map((c: { [n: string]: number }) => c[name]);
    this.energy.set([{ x: of("amplitude"), y: of("energy"), color: "--c1", points: true }]);
    this.stiffness.set([{ x: of("amplitude"), y: of("secant"), color: "--c1", points: true }]);
    this.backbone.set([{ x: found.backbone.u, y: found.backbone.f, color: "--c1" }]);
    const density = found.iwan_density;
    this.density.element.hidden = !density;
    if (density)
      this.density.set([{ x: density.edges, y: density.density, color: "--c1", steps: true }]);
    const columns = ["amplitude", "energy", "secant", "damping", "mean", "closure"];
    this.cycles.replaceChildren(el("table", {},
      el("caption", {}, "Cycles"),
      el("thead", {}, el("tr", {}, el("th", {}, "rows"), ...columns.map((c) => el("th", {}, c)))),
      el("tbody", {}, ...found.cycles.slice(0, 200).map((c: { [n: string]: number } & { rows: number[] }) =>
        el("tr", {}, el("td", {}, `${c.rows[0]}–${c.rows.at(-1)}`),
           ...columns.map((name) => el("td", {}, c[name] === null ? "–" : brief(c[name]!))))))));
    this.drawRecord();
  }

  private drawRecord(prediction?: Float64Array): void {
    const record = this.record!;
    const curves: Curve[] = [{ x: record.u, y: record.f, color: "--soft", width: 1.2,
                               label: "record" }];
    this.residual.element.hidden = !prediction;
    if (prediction) {
      curves.push({ x: record.u, y: prediction, color: "--c1", label: this.fits[this.chosen]!.model });
      const rest = record.f.map((f, i) => prediction[i]! - f);
      const rms = Math.sqrt(rest.reduce((s, r) => s + r * r, 0) / rest.length);
      let low = Infinity, high = -Infinity;
      for (const f of record.f) (low = Math.min(low, f)), (high = Math.max(high, f));
      this.residual.set([{ x: rest.map((_, i) => i + 1), y: rest, color: "--c2",
        label: `rms ${brief(rms)} = ${brief(100 * rms / (high - low), 3)} % of the force range` }]);
    }
    const unit = (name: string) => (name ? ` [${name}]` : "");
    this.loop.options.xLabel = `displacement u${unit(record.units.u)}`;
    this.loop.options.yLabel = `force f${unit(record.units.f)}`;
    this.loop.set(curves, `The record ${record.name}, force against displacement.`);
  }

  private fitWords(): string[] {
    const free = this.state.fit.free.replace(/\s+/g, "");
    return ["fit", this.record!.name, "--model", this.state.fitted.join(","), "--time-budget",
            String(this.state.fit.seconds), ...this.columnWords(), ...(free ? ["--free", free] : [])];
  }

  private async fit(): Promise<void> {
    if (!this.record?.u.length) return this.mistake.say("First drop a record, or take the sample.");
    if (!this.state.fitted.length) return this.mistake.say("Choose at least one law to fit.");
    this.mistake.say("");
    this.fitButton.disabled = true;
    this.progress.show({ part: 0, stage: "Fitting" });
    try {
      const words = this.fitWords();
      await this.load(this.record);
      const free = this.state.fit.free.split(",").map((word) => word.trim()).filter(Boolean);
      this.document = await this.patient.job(
        "fit",
        { records: [this.record.columns], models: this.state.fitted,
          time_budget: this.state.fit.seconds, ...(free.length ? { free } : {}) },
        "", (progress) => this.progress.show({ ...progress, stage: `Fitting ${progress.stage}` }));
      this.fits = JSON.parse(this.document).fits as Fit[];
      this.chosen = 0;
      this.moved = {};
      const prediction = await this.predict();
      // Table, sliders and prediction appear together.
      this.rank(words);
      this.showSliders();
      if (prediction) this.drawRecord(prediction);
      this.ranking.scrollIntoView({ block: "nearest" });
    } catch (reason) {
      if (!(reason instanceof Stopped)) this.mistake.say((reason as Error).message);
    } finally {
      this.progress.hide();
      this.fitButton.disabled = false;
    }
  }

  private rank(words: string[]): void {
    const percent = (x: number | null) => (x === null ? "–" : `${brief(100 * x, 3)} %`);
    const command = ["microslip", ...words, "-o", "fit.json"].map(quoted).join(" ");
    const heads = ["law", "rms error", "energy error", "held out", "parameters", "status"];
    const value = (fit: Fit, name: string) => {
      const number = fit.parameters[name]!, error = fit.standard_errors[name];
      const text = typeof number === "number" ? brief(number) : textOf(number as number[]);
      return `${name} = ${text}` + (typeof error === "number" ? (error > 0 ? ` ± ${brief(error, 2)}` : "")
                                    : error === null ? " (not determined)" : "");
    };
    this.ranking.replaceChildren(el("table", { class: "ranking" },
      el("caption", {}, "Fits, best first"),
      el("thead", {}, el("tr", {}, ...heads.map((h) => el("th", { scope: "col" }, h)))),
      el("tbody", {}, ...this.fits.map((fit, i) => el("tr", { "data-model": fit.model,
                                                              class: i === this.chosen ? "chosen" : "" },
        el("td", {}, button(fit.model, () => this.pick(i))), el("td", {}, percent(fit.rms_relative)),
        el("td", {}, percent(fit.energy_error)), el("td", {}, percent(fit.holdout_rms_relative)),
        el("td", {}, ...Object.keys(fit.parameters ?? {}).map((name) =>
          el("span", { class: "value" }, value(fit, name))), el("small", {}, fit.message)),
        el("td", {}, fit.status))))),
      el("div", { class: "tools" },
        button("Save fit (JSON)", () => download("fit.json", this.document, "application/json")),
        button("Save prediction (CSV)", () => this.predicted && download("prediction.csv", this.predicted, "text/csv")),
        button("Open in Play", () => this.play({ model: this.fits[this.chosen]!.model,
                                                 set: this.settings() }))),
      el("p", { class: "hint" }, "The same at a terminal:"),
      el("code", { class: "command" }, command));
  }

  private settings(): { [name: string]: string } {
    const fit = this.fits[this.chosen]!;
    const set: { [name: string]: string } = {};
    for (const [name, value] of Object.entries(fit.parameters)) set[name] = textOf(value as number);
    return { ...set, ...this.moved };
  }

  private pick(index: number): void {
    this.chosen = index;
    this.moved = {};
    if (!this.fits[index]) return;
    this.ranking.querySelectorAll("tbody tr").forEach((row, i) =>
      row.classList.toggle("chosen", i === index));
    this.showSliders();
    this.follow();
  }

  private showSliders(): void {
    const fit = this.fits[this.chosen]!;
    const law = this.laws.get(fit.model);
    this.sliders.replaceChildren();
    if (law)
      this.sliders.append(el("details", { open: true },
        el("summary", {}, `Move the parameters of ${fit.model}: the residual follows`),
        parameterControls({ ...law, parameters: law.parameters.map((p) => ({
          ...p, default: fit.parameters[p.name] ?? p.default })) }, {},
          (name, text) => {
            if (text === undefined) delete this.moved[name];
            else this.moved[name] = text;
            this.follow();
          })));
  }

  private follow(): void {
    this.latest.run(async () => {
      const prediction = await this.predict();
      if (prediction) this.drawRecord(prediction);
    });
  }

  /** The law on the record, from the state in which the fit found it; nothing after a mistake. */
  private async predict(): Promise<Float64Array | undefined> {
    try {
      const document = JSON.parse(this.document) as { fits: Fit[] };
      const fit = document.fits[this.chosen]!;
      for (const [name, text] of Object.entries(this.moved)) {
        const numbers = text.split(",").map((word) => (word.trim() === "" ? NaN : Number(word)));
        if (typeof fit.parameters[name] !== "string" && numbers.some(Number.isNaN))
          throw new Error(`${fit.model}.${name} = ${text} is not a number`);
        fit.parameters[name] = typeof fit.parameters[name] === "string" ? text
          : Array.isArray(fit.parameters[name]) ? numbers : numbers[0]!;
      }
      const record = this.record!;
      const answer = await this.engine.command(
        ["simulate", "--params", "fit.json", "--fit", fit.model, "--input", record.name, "-o",
         "f.csv", "-q"],
        { "fit.json": JSON.stringify(document), [record.name]: record.content });
      this.predicted = answer.files!["f.csv"]!;
      this.mistake.say("");
      return readTable(this.predicted).get("f")!;
    } catch (reason) {
      const sentence = (reason as Error).message;
      this.mistake.say(sentence, false, besideParameter(this.sliders, sentence));
      return undefined;
    }
  }
}
