/**
 * Line plots with axes, drawn on a canvas while something moves and written as SVG for export: the
 * same drawing with two pens.
 */

export interface Curve {
  x: ArrayLike<number>;
  y: ArrayLike<number>;
  color: string; // a CSS custom property, "--c1"
  width?: number;
  dash?: boolean;
  points?: boolean;
  steps?: boolean; // y[i] between x[i] and x[i+1]
  label?: string;
  faint?: boolean;
}

export interface PlotOptions {
  title: string;
  xLabel: string;
  yLabel: string;
  logX?: boolean;
  logY?: boolean;
  fromZero?: boolean;
  equal?: boolean; // one scale for both axes
}

interface Range {
  low: number;
  high: number;
}

interface Pen {
  path(points: Float64Array, count: number, color: string, width: number, dash: boolean,
       alpha: number): void;
  dots(points: Float64Array, count: number, color: string, radius: number): void;
  line(x1: number, y1: number, x2: number, y2: number, color: string): void;
  text(text: string, x: number, y: number, anchor: "start" | "middle" | "end", color: string,
       turned?: boolean): void;
}

const longestStroke = 1000, longestPath = 20000; // points

/**
 * Of neighbouring points in one column of pixels, the first, the lowest, the highest and the last: the same
 * picture, and a record of a million rows is drawn as quickly as one of a thousand. Returns how many are left.
 */
export function thinned(points: Float64Array, count: number): number {
  let kept = 0;
  const keep = (i: number) => {
    points[2 * kept] = points[2 * i]!;
    points[2 * kept + 1] = points[2 * i + 1]!;
    ++kept;
  };
  for (let first = 0; first < count;) {
    const column = Math.round(points[2 * first]!);
    let low = first, high = first, next = first + 1;
    for (; next < count && Math.round(points[2 * next]!) === column; ++next) {
      if (points[2 * next + 1]! < points[2 * low + 1]!) low = next;
      if (points[2 * next + 1]! > points[2 * high + 1]!) high = next;
    }
    // In their order, each once; places before `first` are free.
    let before = -1;
    for (const i of [first, Math.min(low, high), Math.max(low, high), next - 1])
      if (i > before) keep((before = i));
    first = next;
  }
  return kept;
}

/** Of a path that is longer than the eye can follow: the lines that come to a pixel where none was before. */
function covering(points: Float64Array, count: number, width: number, height: number): Float64Array {
  const seen = new Uint8Array((width + 1) * (height + 1));
  const kept: number[] = [];
  let down = false;
  for (let i = 0; i < count; ++i) {
    const x = points[2 * i]!, y = points[2 * i + 1]!;
    const place = Math.round(x) + (width + 1) * Math.round(y);
    if (!Number.isFinite(place) || seen[place]) {
      down = false;
      continue;
    }
    seen[place] = 1;
    if (!down && i > 0) kept.push(NaN, NaN, points[2 * i - 2]!, points[2 * i - 1]!);
    kept.push(x, y);
    down = true;
  }
  return Float64Array.from(kept);
}

const margin = { left: 58, right: 14, top: 12, bottom: 40 };
const fontSize = 12;

export function css(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim() || "#888";
}

/** Larger letters on the large pixels of a projector: the page scales its root font. */
const zoom = () => parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;

class CanvasPen implements Pen {
  constructor(private at: CanvasRenderingContext2D) {
    at.lineJoin = "round";
    at.font = `${fontSize}px system-ui, sans-serif`;
    at.textBaseline = "middle";
  }
  path(points: Float64Array, count: number, color: string, width: number, dash: boolean,
       alpha: number): void {
    this.at.globalAlpha = alpha;
    this.at.strokeStyle = color;
    this.at.lineWidth = width;
    this.at.setLineDash(dash ? [6, 4] : []);
    this.at.beginPath();
    let lifted = true, drawn = 0;
    for (let i = 0; i < count; ++i) {
      const x = points[2 * i]!, y = points[2 * i + 1]!;
      if (!(Number.isFinite(x) && Number.isFinite(y))) lifted = true;
      else if (lifted) this.at.moveTo(x, y), (lifted = false);
      else this.at.lineTo(x, y);
      // The time of a stroke grows faster than its length where it crosses itself.
      if (++drawn < longestStroke || dash || lifted) continue;
      this.at.stroke();
      this.at.beginPath();
      this.at.moveTo(x, y);
      drawn = 0;
    }
    this.at.stroke();
    this.at.setLineDash([]);
    this.at.globalAlpha = 1;
  }
  dots(points: Float64Array, count: number, color: string, radius: number): void {
    this.at.fillStyle = color;
    for (let i = 0; i < count; ++i) {
      this.at.beginPath();
      this.at.arc(points[2 * i]!, points[2 * i + 1]!, radius, 0, 7);
      this.at.fill();
    }
  }
  line(x1: number, y1: number, x2: number, y2: number, color: string): void {
    this.at.strokeStyle = color;
    this.at.lineWidth = 1;
    this.at.beginPath();
    this.at.moveTo(Math.round(x1) + 0.5, Math.round(y1) + 0.5);
    this.at.lineTo(Math.round(x2) + 0.5, Math.round(y2) + 0.5);
    this.at.stroke();
  }
  text(text: string, x: number, y: number, anchor: "start" | "middle" | "end", color: string,
       turned = false): void {
    this.at.fillStyle = color;
    this.at.textAlign = anchor === "middle" ? "center" : anchor;
    if (turned) {
      this.at.save();
      this.at.translate(x, y);
      this.at.rotate(-Math.PI / 2);
      this.at.fillText(text, 0, 0);
      this.at.restore();
    } else this.at.fillText(text, x, y);
  }
}

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

class SvgPen implements Pen {
  parts: string[] = [];
  path(points: Float64Array, count: number, color: string, width: number, dash: boolean,
       alpha: number): void {
    let text = "", lifted = true;
    for (let i = 0; i < count; ++i) {
      const x = points[2 * i]!, y = points[2 * i + 1]!;
      if (!(Number.isFinite(x) && Number.isFinite(y))) {
        lifted = true;
        continue;
      }
      text += `${lifted ? "M" : "L"}${x.toFixed(2)} ${y.toFixed(2)}`;
      lifted = false;
    }
    this.parts.push(`<path d="${text}" fill="none" stroke="${color}" stroke-width="${width}"` +
      ` stroke-linejoin="round" opacity="${alpha}"${dash ? ' stroke-dasharray="6 4"' : ""}/>`);
  }
  dots(points: Float64Array, count: number, color: string, radius: number): void {
    for (let i = 0; i < count; ++i)
      this.parts.push(`<circle cx="${points[2 * i]!.toFixed(2)}" ` +
        `cy="${points[2 * i + 1]!.toFixed(2)}" r="${radius}" fill="${color}"/>`);
  }
  line(x1: number, y1: number, x2: number, y2: number, color: string): void {
    this.parts.push(`<path d="M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ` +
      `${y2.toFixed(1)}" stroke="${color}"/>`);
  }
  text(text: string, x: number, y: number, anchor: "start" | "middle" | "end", color: string,
       turned = false): void {
    const at = `${x.toFixed(1)} ${y.toFixed(1)}`;
    this.parts.push(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" ` +
      `dominant-baseline="middle" fill="${color}"${turned ? ` transform="rotate(-90 ${at})"` : ""}>` +
      `${escaped(text)}</text>`);
  }
}

/** A number for people: four digits, no needless zeros. */
export function brief(x: number, digits = 4): string {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e5 || size < 1e-3 ? x.toExponential(digits - 1)
    : x.toPrecision(size >= 1000 ? 5 : digits);
  return text.includes("e")
    ? text.replace(/\.?0+e/, "e").replace("e+", "e").replace("-", "−").replace("e-", "e−")
    : (text.includes(".") ? text.replace(/\.?0+$/, "") : text).replace("-", "−");
}

function ticks(range: Range, log: boolean, most: number): number[] {
  if (log) {
    const first = Math.ceil(Math.log10(range.low) - 1e-9);
    const last = Math.floor(Math.log10(range.high) + 1e-9);
    const every = Math.max(1, Math.ceil((last - first + 1) / most));
    const result: number[] = [];
    for (let e = first; e <= last; e += every) result.push(10 ** e);
    if (result.length >= 2) return result;
  }
  const rough = (range.high - range.low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= rough * 0.999)!;
  const result: number[] = [];
  for (let i = Math.ceil(range.low / step - 1e-9); i * step <= range.high + 1e-9 * step; ++i)
    result.push(i * step);
  return result;
}

export class Plot {
  readonly element: HTMLElement;
  private canvas = document.createElement("canvas");
  private above = document.createElement("canvas"); // what moves: a dot
  private readout = document.createElement("div");
  private curves: Curve[] = [];
  private x: Range = { low: 0, high: 1 };
  private y: Range = { low: 0, high: 1 };
  private zoom = 1;
  private scratch = new Float64Array(0);
  private frozen?: { x: Range; y: Range };
  onPick?: (x: number, y: number) => void;

  constructor(public options: PlotOptions) {
    this.element = document.createElement("figure");
    this.element.className = "plot";
    const caption = document.createElement("figcaption");
    caption.textContent = options.title;
    const frame = document.createElement("div");
    frame.className = "frame";
    this.readout.className = "readout";
    this.canvas.setAttribute("role", "img");
    this.canvas.setAttribute("aria-label", options.title);
    this.above.className = "above";
    this.above.setAttribute("aria-hidden", "true");
    frame.append(this.canvas, this.above, this.readout);
    this.element.append(caption, frame, this.legend);
    this.legend.className = "legend";
    new ResizeObserver(() => this.draw()).observe(frame);
    window.addEventListener("repaint", () => this.draw()); // other colours
    frame.addEventListener("pointermove", (event) => this.point(event));
    frame.addEventListener("pointerleave", () => (this.readout.textContent = ""));
    const menu = document.createElement("div");
    menu.className = "copy";
    for (const kind of ["Copy", "SVG", "PNG"] as const) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = kind;
      const what = kind === "Copy" ? "copy as a picture" : `save as ${kind}`;
      button.title = what[0]!.toUpperCase() + what.slice(1);
      button.setAttribute("aria-label", `${options.title}: ${what}`);
      button.addEventListener("click", () => void this.export(kind, button));
      menu.append(button);
    }
    caption.append(menu);
  }

  private legend = document.createElement("div");

  set(curves: Curve[], description?: string): void {
    this.curves = curves;
    this.canvas.setAttribute("aria-label", description ?? this.options.title);
    const named = curves.filter((c) => c.label);
    const html = named.map((c) => `<span><i style="background:var(${c.color})${c.faint ? ";opacity:.45" : ""}"></i>` +
      `${escaped(c.label!)}</span>`).join("");
    if (this.legend.innerHTML !== html) this.legend.innerHTML = html;
    this.draw();
  }

  /** Keeps the axes while values change, so that the eye sees the curve move and not the frame. */
  freeze(on: boolean): void {
    if (on) this.frozen = { x: this.x, y: this.y };
    else delete this.frozen;
  }

  private rangeOf(which: "x" | "y"): Range {
    const log = which === "x" ? this.options.logX : this.options.logY;
    let low = Infinity, high = -Infinity;
    for (const curve of this.curves) {
      const values = curve[which];
      for (let i = 0; i < values.length; ++i) {
        const v = values[i]!;
        if (!Number.isFinite(v) || (log && v <= 0)) continue;
        if (v < low) low = v;
        if (v > high) high = v;
      }
    }
    if (low > high) return log ? { low: 0.1, high: 1 } : { low: 0, high: 1 };
    if (which === "y" && this.options.fromZero) low = Math.min(0, low);
    if (low === high) return log ? { low: low / 2, high: high * 2 }
      : { low: low - (Math.abs(low) || 1) / 2, high: high + (Math.abs(high) || 1) / 2 };
    if (log) {
      const room = (high / low) ** 0.04;
      return { low: low / room, high: high * room };
    }
    const room = (high - low) * (which === "y" ? 0.06 : 0.02);
    return { low: low - (this.options.fromZero && low === 0 ? 0 : room), high: high + room };
  }

  private place(which: "x" | "y", v: number, size: number): number {
    const range = which === "x" ? this.x : this.y;
    const log = which === "x" ? this.options.logX : this.options.logY;
    const share = log ? Math.log(v / range.low) / Math.log(range.high / range.low)
                      : (v - range.low) / (range.high - range.low);
    return which === "x" ? margin.left + share * (size - margin.left - margin.right)
                         : size - margin.bottom - share * (size - margin.top - margin.bottom);
  }

  private fitRanges(width: number, height: number): void {
    this.x = this.frozen?.x ?? this.rangeOf("x");
    this.y = this.frozen?.y ?? this.rangeOf("y");
    if (!this.options.equal || this.frozen) return;
    const across = width - margin.left - margin.right, up = height - margin.top - margin.bottom;
    const unit = Math.max((this.x.high - this.x.low) / across, (this.y.high - this.y.low) / up);
    for (const [range, size] of [[this.x, across], [this.y, up]] as const) {
      const room = (unit * size - (range.high - range.low)) / 2;
      range.low -= room;
      range.high += room;
    }
  }

  /** The names of the curves inside the picture, for one that leaves the page. */
  private paintLegend(pen: Pen): void {
    let y = margin.top + 12;
    for (const curve of this.curves) {
      if (!curve.label) continue;
      pen.path(Float64Array.of(margin.left + 8, y, margin.left + 26, y), 2, css(curve.color), 2.5,
               !!curve.dash, 1);
      pen.text(curve.label, margin.left + 32, y, "start", css("--ink"));
      y += 17;
    }
  }

  private paint(pen: Pen, width: number, height: number): void {
    const ink = css("--ink"), soft = css("--soft"), grid = css("--grid");
    const right = width - margin.right, bottom = height - margin.bottom;
    for (const v of ticks(this.x, !!this.options.logX, Math.max(2, width / 90))) {
      const x = this.place("x", v, width);
      if (x < margin.left - 1 || x > right + 1) continue;
      pen.line(x, margin.top, x, bottom, grid);
      pen.text(brief(v, 3), x, bottom + 12, "middle", soft);
    }
    for (const v of ticks(this.y, !!this.options.logY, Math.max(2, height / 55))) {
      const y = this.place("y", v, height);
      if (y < margin.top - 1 || y > bottom + 1) continue;
      pen.line(margin.left, y, right, y, grid);
      pen.text(brief(v, 3), margin.left - 6, y, "end", soft);
    }
    pen.text(this.options.xLabel, (margin.left + right) / 2, height - 10, "middle", ink);
    pen.text(this.options.yLabel, 10, (margin.top + bottom) / 2, "middle", ink, true);
    for (const curve of this.curves) {
      const n = Math.min(curve.x.length, curve.y.length);
      const doubled = curve.steps ? 2 * n : n;
      if (this.scratch.length < 2 * doubled) this.scratch = new Float64Array(2 * doubled);
      let count = 0;
      const add = (x: number, y: number) => {
        this.scratch[2 * count] = this.place("x", x, width);
        this.scratch[2 * count + 1] = this.place("y", y, height);
        ++count;
      };
      for (let i = 0; i < n; ++i) {
        add(curve.x[i]!, curve.y[i]!);
        if (curve.steps && i + 1 < curve.x.length) add(curve.x[i + 1]!, curve.y[i]!);
      }
      const color = css(curve.color);
      if (curve.points) pen.dots(this.scratch, count, color, 3);
      else {
        if (count > 4 * width) count = thinned(this.scratch, count);
        const whole = count <= longestPath;
        const path = whole ? this.scratch
          : covering(this.scratch, count, Math.ceil(width), Math.ceil(height));
        pen.path(path, whole ? count : path.length / 2, color, curve.width ?? 1.8, !!curve.dash,
                 curve.faint ? 0.45 : 1);
      }
    }
  }

  draw(): void {
    const frame = this.canvas.parentElement!;
    const width = frame.clientWidth, height = frame.clientHeight;
    if (width < 80 || height < 60) return;
    const scale = window.devicePixelRatio || 1;
    for (const canvas of [this.canvas, this.above])
      if (canvas.width !== Math.round(width * scale) ||
          canvas.height !== Math.round(height * scale)) {
        canvas.width = Math.round(width * scale);
        canvas.height = Math.round(height * scale);
      }
    const at = this.canvas.getContext("2d")!;
    this.zoom = zoom();
    at.setTransform(scale * this.zoom, 0, 0, scale * this.zoom, 0, 0);
    at.clearRect(0, 0, width, height);
    this.fitRanges(width / this.zoom, height / this.zoom);
    this.paint(new CanvasPen(at), width / this.zoom, height / this.zoom);
  }

  /** A dot that moves, without drawing the rest again. */
  dot(points: { x: number; y: number; color: string }[]): void {
    const scale = (window.devicePixelRatio || 1) * this.zoom;
    const width = this.above.width / scale, height = this.above.height / scale;
    const at = this.above.getContext("2d")!;
    at.setTransform(scale, 0, 0, scale, 0, 0);
    at.clearRect(0, 0, width, height);
    for (const point of points) {
      at.beginPath();
      at.arc(this.place("x", point.x, width), this.place("y", point.y, height), 5, 0, 7);
      at.fillStyle = css(point.color);
      at.fill();
      at.lineWidth = 2;
      at.strokeStyle = css("--paper");
      at.stroke();
    }
  }

  private value(which: "x" | "y", pixel: number, size: number): number {
    const range = which === "x" ? this.x : this.y;
    const log = which === "x" ? this.options.logX : this.options.logY;
    const share = which === "x" ? (pixel - margin.left) / (size - margin.left - margin.right)
      : (size - margin.bottom - pixel) / (size - margin.top - margin.bottom);
    return log ? range.low * (range.high / range.low) ** share
               : range.low + share * (range.high - range.low);
  }

  private point(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    const x = this.value("x", (event.clientX - box.left) / this.zoom, box.width / this.zoom);
    const y = this.value("y", (event.clientY - box.top) / this.zoom, box.height / this.zoom);
    const inside = x >= this.x.low && x <= this.x.high && y >= this.y.low && y <= this.y.high;
    this.readout.textContent = inside ? `${brief(x)}, ${brief(y)}` : "";
  }

  svg(width = 640, height = 420): string {
    const pen = new SvgPen();
    this.fitRanges(width, height);
    this.paint(pen, width, height);
    this.paintLegend(pen);
    this.draw();
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
      `viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" ` +
      `font-size="${fontSize}"><title>${escaped(this.options.title)}</title>` +
      `<rect width="100%" height="100%" fill="${css("--paper")}"/>${pen.parts.join("")}</svg>`;
  }

  private png(): Promise<Blob> {
    const canvas = document.createElement("canvas");
    canvas.width = 1280;
    canvas.height = 840;
    const at = canvas.getContext("2d")!;
    at.scale(2, 2);
    at.fillStyle = css("--paper");
    at.fillRect(0, 0, 640, 420);
    const pen = new CanvasPen(at);
    this.fitRanges(640, 420);
    this.paint(pen, 640, 420);
    this.paintLegend(pen);
    this.draw();
    return new Promise((resolve, reject) => canvas.toBlob((blob) =>
      (blob ? resolve(blob) : reject(new Error("the picture is too large"))), "image/png"));
  }

  private async export(kind: "Copy" | "SVG" | "PNG", button: HTMLElement): Promise<void> {
    const name = this.options.title.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    if (kind === "SVG") return download(`${name}.svg`, this.svg(), "image/svg+xml");
    const picture = this.png();
    if (kind === "Copy") {
      // Where a page may not use the clipboard, the picture is saved.
      const copied = await Promise.resolve()
        .then(() => navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]))
        .then(() => true, () => false);
      button.textContent = copied ? "Copied" : "Saved";
      setTimeout(() => (button.textContent = kind), 1500);
      if (copied) return;
    }
    download(`${name}.png`, await picture, "image/png");
  }
}

export function download(name: string, content: string | Blob, type: string): void {
  const blob = typeof content === "string" ? new Blob([content], { type }) : content;
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
