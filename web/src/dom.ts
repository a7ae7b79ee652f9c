/** Small helpers that make elements. */
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

/** Where a mistake is reported: a sentence that screen readers announce. */
export function complaint(): { element: HTMLElement; say(text: string, mild?: boolean): void } {
  const element = el("p", { class: "complaint", role: "alert" });
  return {
    element,
    say(text, mild = false) {
      if (element.textContent !== text) element.textContent = text;
      element.classList.toggle("mild", mild);
      element.hidden = text === "";
    },
  };
}

/** Runs a job when asked, one at a time; of several requests in the meantime only the last counts. */
export class Latest {
  private busy = false;
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
