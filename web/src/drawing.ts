/** Inputs drawn with the mouse or a finger. */
import { el } from "./dom";
import { css } from "./plot";

interface Place {
  x: number;
  y: number;
}

/** A canvas that reports the places of a stroke, from −1 to 1 in both directions. */
function sheet(width: number, height: number, label: string,
               stroke: (places: Place[], done: boolean) => void): HTMLCanvasElement {
  const canvas = el("canvas", { class: "drawing", width: String(width), height: String(height),
                                role: "img", "aria-label": label });
  let places: Place[] = [];
  const place = (event: PointerEvent): Place => {
    const box = canvas.getBoundingClientRect();
    const inside = (v: number) => Math.min(1, Math.max(-1, v));
    return { x: inside((event.clientX - box.left) / box.width * 2 - 1),
             y: inside(1 - (event.clientY - box.top) / box.height * 2) };
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    places = [place(event)];
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!places.length) return;
    for (const e of event.getCoalescedEvents?.() ?? []) places.push(place(e));
    places.push(place(event));
    stroke(places, false);
  });
  const release = () => {
    if (places.length > 1) stroke(places, true);
    places = [];
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  return canvas;
}

function paint(canvas: HTMLCanvasElement, points: Place[], grid: [Place, Place][]): void {
  const { width, height } = canvas, at = canvas.getContext("2d")!;
  const line = (places: Place[], color: string, thick: number) => {
    at.strokeStyle = css(color);
    at.lineWidth = thick;
    at.lineJoin = "round";
    at.beginPath();
    for (const p of places) at.lineTo((p.x + 1) / 2 * width, (1 - p.y) / 2 * height);
    at.stroke();
  };
  at.clearRect(0, 0, width, height);
  for (const pair of grid) line(pair, "--grid", 2);
  line(points, "--c1", 4);
}

const rounded = (v: number) => Number(v.toFixed(3));

/** Heights against time, from left to right. */
export function timeDrawing(heights: () => number[], change: (heights: number[]) => void): HTMLElement {
  const canvas = sheet(600, 200, "Draw the displacement against time with the mouse or a finger.",
    (places) => {
      const ahead = places.filter((p, i) => places.slice(0, i).every((q) => q.x < p.x));
      // Evenly spaced; before and after the stroke its ends stay.
      const count = 121;
      change(Array.from({ length: count }, (_, i) => {
        const x = 2 * i / (count - 1) - 1;
        const after = ahead.findIndex((q) => q.x >= x);
        if (after <= 0) return rounded((after === 0 ? ahead[0]! : ahead.at(-1)!).y);
        const a = ahead[after - 1]!, b = ahead[after]!;
        return rounded(a.y + (x - a.x) / (b.x - a.x) * (b.y - a.y));
      }));
      show();
    });
  const show = () => {
    const list = heights();
    paint(canvas, list.map((y, i) => ({ x: 2 * i / (list.length - 1) - 1, y })),
          [[{ x: -1, y: 0 }, { x: 1, y: 0 }]]);
  };
  show();
  window.addEventListener("repaint", () => canvas.isConnected && show());
  return el("div", {}, canvas, el("small", {}, "Draw from left to right, with the mouse or a finger."));
}

/** A path in the plane, at even speed. */
export function planeDrawing(outline: () => number[], change: (outline: number[]) => void): HTMLElement {
  const canvas = sheet(400, 400, "Draw a path in the plane with the mouse or a finger.", (places) => {
    const lengths = [0];
    for (let i = 1; i < places.length; ++i)
      lengths.push(lengths[i - 1]! + Math.hypot(places[i]!.x - places[i - 1]!.x,
                                                places[i]!.y - places[i - 1]!.y));
    const whole = lengths.at(-1)!;
    if (whole < 0.02) return;
    const count = 121;
    const result: number[] = [];
    for (let i = 0, k = 1; i < count; ++i) {
      const s = whole * i / (count - 1);
      while (k < places.length - 1 && lengths[k]! < s) ++k;
      const a = places[k - 1]!, b = places[k]!, long = lengths[k]! - lengths[k - 1]!;
      const share = long > 0 ? (s - lengths[k - 1]!) / long : 0;
      result.push(rounded(a.x + share * (b.x - a.x)), rounded(a.y + share * (b.y - a.y)));
    }
    change(result);
    show();
  });
  canvas.classList.add("square");
  const show = () => {
    const list = outline();
    const points: Place[] = [];
    for (let i = 0; i + 1 < list.length; i += 2) points.push({ x: list[i]!, y: list[i + 1]! });
    paint(canvas, points, [[{ x: -1, y: 0 }, { x: 1, y: 0 }], [{ x: 0, y: -1 }, { x: 0, y: 1 }]]);
  };
  show();
  window.addEventListener("repaint", () => canvas.isConnected && show());
  return el("div", {}, canvas, el("small", {}, "Draw a path, with the mouse or a finger."));
}
