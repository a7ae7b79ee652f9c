/** Many sliders: which of them slip while the load goes round, and the reduced law over it. */
import { button, complaint, el, field, progressBar } from "./dom";
import { Stopped, type Engine } from "./engine";
import { brief, css, Plot } from "./plot";
import type { State } from "./state";
import { readTable } from "./table";

const legend = () => el("div", { class: "legend" },
  ...[["--c1", "slips forward"], ["--c2", "slips back"], ["--line", "sticks"]].map(([color, word]) =>
    el("span", {}, el("i", { style: `background:var(${color})` }), word)));

export class Sliders {
  readonly element = el("section", { class: "view sliders", "aria-label": "Many sliders" });
  private mistake = complaint();
  private progress = progressBar(() => this.engine.stop());
  private loop = new Plot({ title: "Loop of the interface", xLabel: "displacement u", yLabel: "force f" });
  private count = new Plot({ title: "Share of sliders that slip", xLabel: "time t", yLabel: "share",
                             fromZero: true });
  private map = el("canvas", { class: "map", role: "img", "aria-label": "Slip map" });
  private cursor = el("div", { class: "cursor", "aria-hidden": "true" });
  private bars = el("canvas", { class: "bars", role: "img",
                                "aria-label": "Displacement of each slider while the load goes round." });
  private facts = el("dl", { class: "facts" });
  private motion?: { t: Float64Array; u: Float64Array; f: Float64Array; x: Float64Array[]; most: number };
  private shown = false;
  private turn = 0;

  constructor(private engine: Engine, private state: State, private changed: () => void) {
    const s = state.sliders;
    const numeric = (name: "n" | "load", label: string, hint: string) => {
      const box = el("input", { type: "number", step: "any", value: String(s[name]), "data-input": name });
      box.addEventListener("change", () => {
        s[name] = Number(box.value);
        this.changed();
        void this.compute();
      });
      return field(label, box, hint);
    };
    this.element.append(
      el("div", { class: "side" }, el("h2", {}, "Interface"),
        el("p", {}, "Sliders side by side, each with its own friction limit. Under a small load only " +
          "the weakest slip: microslip. The two-state law beside them has two unknowns."),
        el("div", { class: "panel" }, numeric("n", "sliders", "2 to 400"),
           numeric("load", "amplitude", "1 makes almost all of them slip")),
        this.mistake.element,
        el("div", { class: "tools" }, button("Compute", () => void this.compute(), { class: "main" })),
        this.progress.element, this.facts),
      el("div", { class: "results" }, this.loop.element,
        el("figure", { class: "plot" }, el("figcaption", {}, "Sliders now, weakest on the left"),
           el("div", { class: "frame" }, this.bars), legend()),
        el("figure", { class: "plot" }, el("figcaption", {}, "Slip map: time to the right, sliders upwards"),
           el("div", { class: "frame" }, this.map, this.cursor), legend()),
        this.count.element));
    window.addEventListener("repaint", () => {
      if (this.motion) this.draw();
      this.still();
    });
    requestAnimationFrame((now) => this.animate(now));
  }

  show(): void {
    if (this.shown) return;
    this.shown = true;
    void this.compute();
  }

  async compute(): Promise<void> {
    const { n, load } = this.state.sliders;
    this.engine.stop();
    const turn = ++this.turn;
    try {
      if (!(n >= 2 && n <= 400 && Number.isInteger(n)))
        throw new Error("The number of sliders must be a whole number from 2 to 400.");
      if (!(load > 0 && load < 100)) throw new Error("The amplitude must be a positive number below 100.");
      this.mistake.say("");
      const until = 12.566, step = 0.02;
      const signal = `${0.7 * load}*sin(t)+${0.3 * load}*sin(5*t)`;
      const system = ["--set", "kind=iwan", "--set", `n=${n}`, "--set", `mu0=${1 / n}`, "--set",
                      "output=u-bx"];
      const history = ["--signal", signal, "--until", String(until), "--step", String(step)];
      this.progress.show({ part: 0, stage: "Sliders" });
      const answer = await this.engine.command(["simulate", "sliders", ...system, ...history,
        "--columns", "states", "-o", "sliders.csv", "-q"], {},
        ({ part }) => this.progress.show({ part, stage: "Sliders" }));
      const table = readTable(answer.files!["sliders.csv"]!);
      const t = table.get("t")!, u = table.get("u")!, f = table.get("f")!;
      const x = Array.from({ length: n }, (_, i) => table.get(`x${i + 1}`)).filter((c) => c !== undefined);
      let most = 0;
      for (const column of x) for (const v of column) most = Math.max(most, Math.abs(v));
      this.motion = { t, u, f, x, most };
      this.draw();
      this.still();
      const curves = [{ x: u, y: f, color: "--soft", label: `${n} sliders` }];
      this.loop.set(curves);
      this.progress.show({ part: 0, stage: "Reducing to two unknowns" });
      const file = `[system]\nkind = "iwan"\nn = ${n}\nmu0 = ${1 / n}\noutput = "u-bx"\n\n` +
        `[[load]]\nsignal = "${signal}"\nuntil = ${until}\nstep = ${step}\n\n` +
        `[reduce]\nbasis = "analytic"\nalpha = ${0.4 / n}\nmodes = 2\nmodel = "m-state"\ndirections = 2000\n`;
      const reduced = await this.engine.command(
        ["reduce", "reduce.toml", "-o", "two-state.toml", "--json"], { "reduce.toml": file },
        ({ part }) => this.progress.show({ part, stage: "Reducing to two unknowns" }));
      const chosen = JSON.parse(reduced.output!).chosen;
      const run = await this.engine.command(
        ["simulate", chosen.model, "--params", "two-state.toml", ...history, "-o", "two.csv", "-q"],
        { "two-state.toml": reduced.files!["two-state.toml"]! });
      const two = readTable(run.files!["two.csv"]!);
      this.loop.set([...curves, { x: two.get("u")!, y: two.get("f")!, color: "--c1", label: "two-state law" }]);
      this.facts.replaceChildren(...[
        ["unknowns", `${n} → 2`],
        ["rms difference", `${brief(100 * chosen.loads[0].rms_relative, 3)} %`],
      ].flatMap(([a, b]) => [el("dt", {}, a!), el("dd", {}, b!)]));
    } catch (reason) {
      if (!(reason instanceof Stopped)) this.mistake.say((reason as Error).message);
    } finally {
      if (turn === this.turn) this.progress.hide();
    }
  }

  private draw(): void {
    const { t, x } = this.motion!;
    const rows = t.length - 1, n = x.length;
    this.map.width = rows;
    this.map.height = n;
    const at = this.map.getContext("2d")!;
    const image = at.createImageData(rows, n);
    const probe = document.createElement("canvas").getContext("2d")!;
    const rgb = (name: string): number[] => {
      probe.fillStyle = css(name);
      probe.fillRect(0, 0, 1, 1);
      return [...probe.getImageData(0, 0, 1, 1).data];
    };
    const forward = rgb("--c1"), back = rgb("--c2"), still = rgb("--paper");
    const share = new Float64Array(rows);
    for (let r = 0; r < rows; ++r)
      for (let i = 0; i < n; ++i) {
        const step = x[i]![r + 1]! - x[i]![r]!;
        if (step !== 0) share[r] = share[r]! + 1 / n;
        const color = step > 0 ? forward : step < 0 ? back : still;
        image.data.set(color, 4 * (r + rows * (n - 1 - i)));
      }
    at.putImageData(image, 0, 0);
    this.map.setAttribute("aria-label", `Which of ${n} sliders slip at which time.`);
    this.count.set([{ x: t.slice(1), y: share, color: "--c1" }]);
  }

  /** The picture where nothing moves: at the first peak of the load. */
  private still(): void {
    if (!this.motion) return;
    const { u } = this.motion;
    this.moment(u.reduce((best, v, i) => (v > u[best]! ? i : best), 0));
  }

  private moment(row: number): void {
    const { t, u, f, x, most } = this.motion!;
    const frame = this.bars.parentElement!;
    const width = frame.clientWidth, height = frame.clientHeight;
    if (width < 80) return;
    const scale = window.devicePixelRatio || 1;
    if (this.bars.width !== Math.round(width * scale)) this.bars.width = Math.round(width * scale);
    if (this.bars.height !== Math.round(height * scale)) this.bars.height = Math.round(height * scale);
    const at = this.bars.getContext("2d")!;
    at.setTransform(scale, 0, 0, scale, 0, 0);
    at.clearRect(0, 0, width, height);
    const forward = css("--c1"), back = css("--c2"), sticks = css("--soft");
    const wide = width / x.length, middle = height / 2, reach = (height / 2 - 6) / (most || 1);
    at.strokeStyle = css("--line");
    at.beginPath();
    at.moveTo(0, middle);
    at.lineTo(width, middle);
    at.stroke();
    x.forEach((column, i) => {
      const step = column[Math.min(row + 1, column.length - 1)]! - column[row]!;
      at.fillStyle = step > 0 ? forward : step < 0 ? back : sticks;
      const top = middle - reach * column[row]!;
      at.fillRect(i * wide, Math.min(top, middle) - 1, Math.max(wide - 1, 0.8),
                  Math.abs(top - middle) + 2);
    });
    this.loop.dot([{ x: u[row]!, y: f[row]!, color: "--c2" }]);
    this.cursor.style.left = `${100 * row / (t.length - 1)}%`;
  }

  private animate(now: number): void {
    requestAnimationFrame((next) => this.animate(next));
    if (!this.motion || this.element.hidden) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    this.moment(Math.floor((now / 12000) % 1 * (this.motion.t.length - 1)));
  }
}
