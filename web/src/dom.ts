/** Small helpers that make elements. */
import type { Progress } from "./protocol";

type Child = Node | string | undefined | false;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string | boolean | ((event: Event) => void)> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else element.setAttribute(name, value);
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

export const button = (text: string, press: () => void, attributes: Record<string, string> = {}) =>
  el("button", { type: "button", ...attributes, onclick: press }, text);

export function field(label: string, input: HTMLElement, hint?: string): HTMLElement {
  return el("label", { class: "field" }, el("span", {}, label), input,
            hint ? el("small", {}, hint) : undefined);
}

/** Where a mistake is reported: a sentence that screen readers announce, beside what it is about. */
export function complaint(): {
  element: HTMLElement;
  say(text: string, mild?: boolean, beside?: Element | null): void;
} {
  const element = el("p", { class: "complaint", role: "alert", hidden: true });
  const home = el("div", {}, element);
  return {
    element: home,
    say(text, mild = false, beside = home) {
      const place = beside ?? home;
      if (element.parentElement !== place) place.append(element);
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("mild", mild);
      element.hidden = text === "";
    },
  };
}

/** A bar with the name of what is under way, and a button that ends it. */
export function progressBar(cancel: () => void): {
  element: HTMLElement;
  show(progress: Progress): void;
  hide(): void;
} {
  const bar = el("progress", { max: "1", value: "0", "aria-label": "progress" });
  const words = el("span", { role: "status" });
  const element = el("div", { class: "progress", hidden: true }, bar, words,
                     button("Cancel", cancel, { class: "cancel" }));
  return {
    element,
    show({ part, stage }) {
      element.hidden = false;
      if (part > 0) bar.value = part;
      else bar.removeAttribute("value");
      if (words.textContent !== stage) words.textContent = stage;
    },
    hide() {
      element.hidden = true;
    },
  };
}

/** Arrow keys move between buttons of a group of which one is chosen, as between radio buttons. */
export function arrows(group: HTMLElement): HTMLElement {
  group.addEventListener("keydown", (event) => {
    const step = event.key === "ArrowRight" || event.key === "ArrowDown" ? 1
      : event.key === "ArrowLeft" || event.key === "ArrowUp" ? -1 : 0;
    const buttons = [...group.querySelectorAll<HTMLElement>("[role=radio], [role=tab]")];
    const at = buttons.indexOf(event.target as HTMLElement);
    if (!step || at < 0) return;
    event.preventDefault();
    const name = buttons[(at + step + buttons.length) % buttons.length]!;
    const place = buttons.indexOf(name);
    name.click();
    // A choice may make the group anew.
    const now = group.isConnected ? group
      : document.querySelector<HTMLElement>(`[aria-label="${group.getAttribute("aria-label")}"]`);
    now?.querySelectorAll<HTMLElement>("[role=radio], [role=tab]")[place]?.focus();
  });
  return group;
}

/** Runs a job when asked, one at a time; of several requests in the meantime only the last counts. */
export class Latest {
  busy = false;
  private pending?: () => Promise<void>;
  run(job: () => Promise<void>): void {
    if (this.busy) {
      this.pending = job;
      return;
    }
    this.busy = true;
    void job().finally(() => {
      this.busy = false;
      const next = this.pending;
      delete this.pending;
      if (next) this.run(next);
    });
  }
}
