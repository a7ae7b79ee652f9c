/** The derivation and the source of a law, which travel inside the page. */
import { button, el } from "./dom";
import { embedded } from "./engine";

interface Texts {
  page: string;
  source: string;
}

let texts: Promise<Record<string, Texts>> | undefined;

/** Emphasis, code and the words of links. */
function inline(text: string): (HTMLElement | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).map((part) =>
    part.startsWith("`") ? el("code", {}, part.slice(1, -1))
    : part.startsWith("**") ? el("b", {}, part.slice(2, -2))
    : /^\[.*\]\(.*\)$/.test(part) ? part.slice(1, part.indexOf("]")) : part);
}

/** As much of Markdown as the pages of the laws use. */
function rendered(page: string): HTMLElement {
  const result = el("div", { class: "page" });
  for (const block of page.split(/\n{2,}/)) {
    const lines = block.split("\n").filter((line) => line !== "");
    const first = lines[0];
    if (first === undefined || first.startsWith("![")) continue;
    if (first.startsWith("#"))
      result.append(el(first.startsWith("##") ? "h3" : "h2", {}, ...inline(first.replace(/^#+ /, ""))));
    else if (lines.every((line) => line.startsWith("    ")))
      result.append(el("pre", {}, lines.map((line) => line.slice(4)).join("\n")));
    else if (first.startsWith("|")) {
      const cells = (line: string, tag: "th" | "td") => el("tr", {}, ...line.split("|").slice(1, -1)
        .map((cell) => el(tag, {}, ...inline(cell.trim()))));
      result.append(el("table", {}, el("thead", {}, cells(first, "th")),
        el("tbody", {}, ...lines.slice(2).map((line) => cells(line, "td")))));
    } else result.append(el("p", {}, ...inline(lines.join(" "))));
  }
  return result;
}

export function lawTexts(): Promise<Record<string, Texts>> {
  return (texts ??= embedded("pages").json() as Promise<Record<string, Texts>>);
}

export async function showTexts(law: string, which: keyof Texts): Promise<void> {
  const found = (await lawTexts())[law];
  const close = () => {
    dialog.close();
    dialog.remove();
  };
  const shut = button("Close", close, { class: "shut" });
  const dialog = el("dialog", { class: "texts", "aria-label": `${law}: ${which}` }, shut,
    !found ? el("p", {}, `There is no page about ${law}.`)
    : which === "page" ? rendered(found.page)
    : el("pre", { class: "source", tabindex: "0" }, found.source));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (event) => event.target === dialog && close());
  document.body.append(dialog);
  dialog.showModal();
}
