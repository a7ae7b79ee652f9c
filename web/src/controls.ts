/** Controls made from the description table: no law is named here. */
import { el } from "./dom";
import { brief } from "./plot";
import { sliderOf, textOf, type Bounds, type Law, type Parameter } from "./laws";

const steps = 400;

function slider(p: Parameter, value: string, change: (text: string | undefined, moving: boolean) => void) {
  const range = sliderOf(p);
  const toPosition = (v: number) =>
    steps * (range.log ? Math.log(v / range.low) / Math.log(range.high / range.low)
                       : (v - range.low) / (range.high - range.low));
  const toValue = (position: number) => {
    const share = position / steps;
    const v = range.log ? range.low * (range.high / range.low) ** share
                        : range.low + share * (range.high - range.low);
    return Number(v.toPrecision(4));
  };
  const bar = el("input", { type: "range", min: "0", max: String(steps), step: "1",
                            "aria-label": `${p.name}, ${p.sentence}` });
  // Six digits are enough to read; the parameter keeps all of them until it is moved.
  const shown = (text: string) => (Number.isFinite(Number(text)) && text.length > 8
    ? String(Number(Number(text).toPrecision(6))) : text);
  const box = el("input", { type: "text", inputmode: "decimal", value: shown(value), class: "number",
                            "aria-label": `value of ${p.name}` });
  const place = (text: string) => {
    bar.value = String(Math.min(steps, Math.max(0, toPosition(Number(text)))));
    bar.setAttribute("aria-valuetext", text);
  };
  place(value);
  bar.addEventListener("input", () => {
    box.value = String(toValue(Number(bar.value)));
    bar.setAttribute("aria-valuetext", box.value);
    change(box.value, true);
  });
  bar.addEventListener("change", () => change(box.value, false));
  box.addEventListener("change", () => {
    place(box.value);
    change(box.value, false);
  });
  const reset = el("button", { type: "button", class: "quiet", title: `back to ${textOf(p.default)}`,
                               "aria-label": `reset ${p.name}`, onclick: () => {
    box.value = shown(textOf(p.default));
    place(box.value);
    change(undefined, false);
  } }, "↺");
  return [bar, box, reset];
}

function boundsText({ lower, upper, lower_open, upper_open }: Bounds): string {
  return `${lower_open ? "(" : "["}${lower === null ? "−∞" : brief(lower)}, ` +
    `${upper === null ? "∞" : brief(upper)}${upper_open ? ")" : "]"}`;
}

/** Sliders for numbers, boxes for lists and formulas, menus for choices. */
export function parameterControls(
  law: Law,
  set: Record<string, string>,
  change: (name: string, text: string | undefined, moving: boolean) => void,
): HTMLElement {
  const panel = el("div", { class: "parameters" });
  for (const p of law.parameters) {
    const value = set[p.name] ?? textOf(p.default);
    const bounds = p.bounds ? boundsText(p.bounds) : "";
    const head = el("div", { class: "head" }, el("b", {}, p.name),
                    el("span", { class: "unit" }, p.unit === "1" ? "" : p.unit),
                    el("span", { class: "bounds" }, bounds));
    const row = el("div", { class: "row" });
    if (p.kind === "number") row.append(...slider(p, value, (t, m) => change(p.name, t, m)));
    else {
      const box = el("input", { type: "text", value, class: "wide", spellcheck: "false",
                                "aria-label": `${p.name}, ${p.sentence}` });
      box.addEventListener("change", () => change(p.name, box.value, false));
      row.append(box);
    }
    panel.append(el("div", { class: "parameter", "data-name": p.name }, head, row,
                    el("small", {}, p.sentence)));
  }
  for (const option of law.options) {
    const value = set[option.name] ?? String(option.default);
    const input = option.choices
      ? el("select", { "aria-label": option.name },
           ...option.choices.map((c) => el("option", { value: c, selected: c === value }, c)))
      : el("input", { type: "text", value, class: "number", "aria-label": option.name });
    input.addEventListener("change", () =>
      change(option.name, input.value === String(option.default) ? undefined : input.value, false));
    panel.append(el("div", { class: "parameter option", "data-name": option.name },
                    el("div", { class: "head" }, el("b", {}, option.name)),
                    el("div", { class: "row" }, input), el("small", {}, option.sentence)));
  }
  return panel;
}

/** A list of laws that can be searched, each with its sketch and its sentence. */
export function lawPicker(
  laws: Law[],
  sketch: (name: string) => Promise<string>,
  choose: (name: string) => void,
): { element: HTMLElement; mark(name: string): void } {
  const search = el("input", { type: "search", placeholder: "Search laws",
                               "aria-label": "search laws" });
  const list = el("div", { class: "laws", role: "listbox", "aria-label": "laws" });
  const items = new Map<string, HTMLElement>();
  const seen = new IntersectionObserver((entries) => {
    for (const entry of entries)
      if (entry.isIntersecting) {
        seen.unobserve(entry.target);
        const name = (entry.target as HTMLElement).dataset["name"]!;
        void sketch(name).then((svg) => (entry.target.querySelector(".sketch")!.innerHTML = svg));
      }
  });
  for (const law of laws) {
    const item = el("button", { type: "button", class: "law", role: "option", "data-name": law.name,
                                "aria-selected": "false", tabindex: "-1",
                                onclick: () => choose(law.name) },
      el("span", { class: "sketch", "aria-hidden": "true" }),
      el("span", { class: "words" }, el("b", {}, law.name), el("small", {}, law.sentence)));
    items.set(law.name, item);
    list.append(item);
    seen.observe(item);
  }
  const none = el("p", { class: "hint", hidden: true }, "No law has that in its name or sentence.");
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    // Laws whose names begin with what is typed, then other names, then sentences and sources.
    const place = (law: Law) => {
      const name = law.name.toLowerCase();
      const text = `${name} ${law.sentence} ${law.family} ${law.citation}`.toLowerCase();
      return words.length && name.startsWith(words.join("-")) ? 0
        : words.every((word) => name.includes(word)) ? 1
        : words.every((word) => text.includes(word)) ? 2 : 3;
    };
    const places = new Map(laws.map((law) => [law, place(law)]));
    const order = [...laws].sort((a, b) => places.get(a)! - places.get(b)!);
    for (const law of order) items.get(law.name)!.hidden = places.get(law) === 3;
    list.append(...order.map((law) => items.get(law.name)!));
    list.scrollTop = 0;
    none.hidden = order.some((law) => places.get(law) !== 3);
    stop();
  });
  const visible = () => ([...list.children] as HTMLElement[]).filter((item) => !item.hidden);
  /** The Tab key comes to one law of the list, the chosen one if it is shown; arrows go on. */
  const stop = () => {
    const shown = visible();
    const one = shown.find((item) => item.classList.contains("chosen")) ?? shown[0];
    for (const item of items.values()) item.tabIndex = item === one ? 0 : -1;
  };
  const element = el("div", { class: "picker" }, search, none, list);
  element.addEventListener("keydown", (event) => {
    const shown = visible();
    if (event.key === "Enter" && event.target === search) shown[0]?.click();
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step) return;
    const at = shown.indexOf(document.activeElement as HTMLElement);
    if (at + step < 0) search.focus();
    else shown[Math.min(shown.length - 1, at + step)]?.focus();
    event.preventDefault();
  });
  return {
    element,
    mark(name) {
      for (const [key, item] of items) {
        item.classList.toggle("chosen", key === name);
        item.setAttribute("aria-selected", String(key === name));
      }
      stop();
      // In the list only: the page stays where it is.
      const item = items.get(name);
      if (!item || !list.clientHeight) return;
      const top = item.offsetTop, bottom = top + item.offsetHeight;
      if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight)
        list.scrollTop = top - (list.clientHeight - item.offsetHeight) / 2;
    },
  };
}
