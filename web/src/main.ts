import { arrows, button, el } from "./dom";
import { Data } from "./data";
import { Engine } from "./engine";
import type { Law } from "./laws";
import { lawTexts } from "./pages";
import { Play, sketches } from "./play";
import { Shake } from "./shake";
import { Sliders } from "./sliders";
import { fromAddress, initial, toAddress, type State } from "./state";
import { tour } from "./tour";

const views: [State["view"], string][] = [
  ["play", "Play"], ["data", "Explain my data"], ["shake", "Shake"], ["sliders", "Many sliders"],
];

async function start(): Promise<void> {
  const body = document.querySelector("main")!;
  const engine = new Engine();
  const answer = await engine.ask({ kind: "laws" });
  // A normal direction needs a motion of its own, which the page does not have.
  const laws = new Map((JSON.parse(answer.text!) as Law[])
    .filter((law) => !law.directions.includes("n")).map((law) => [law.name, law]));
  const given = fromAddress(location.hash);
  const state = given ?? initial();

  let own = "";
  let timer = 0;
  const changed = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      own = toAddress(state);
      history.replaceState({ view: state.view }, "", own || location.pathname + location.search);
    }, 150);
  };
  const sketch = sketches(engine, laws);
  // A view that the person opens is a place to come back to; everything else changes the address in place.
  const go = (view: State["view"]) => {
    if (view !== state.view) {
      history.replaceState({ view: state.view }, "", toAddress(state) || location.pathname + location.search);
      state.view = view;
      own = toAddress(state);
      history.pushState({ view }, "", own || location.pathname + location.search);
    }
    open(view);
  };
  const open = (view: State["view"]) => {
    state.view = view;
    for (const [name, element] of elements) element.hidden = name !== view;
    for (const tab of document.querySelectorAll<HTMLElement>("nav [role=tab]")) {
      tab.setAttribute("aria-selected", String(tab.dataset["view"] === view));
      tab.tabIndex = tab.dataset["view"] === view ? 0 : -1;
    }
    changed();
    if (view === "shake") shake.show();
    if (view === "sliders") sliders.show();
    if (view === "play") play.show();
  };
  // What takes long has a worker of its own, so that the rest of the page answers meanwhile.
  const shake = new Shake(new Engine(), laws, state, changed);
  const sliders = new Sliders(new Engine(), state, changed);
  const play: Play = new Play(engine, laws, state, sketch, changed, (law) => {
    go("shake");
    shake.setLaw(law);
  });
  const data = new Data(engine, new Engine(), laws, state, changed, (law) => {
    go("play");
    play.setLaw(law);
    window.scrollTo(0, 0);
  });
  const elements = new Map<string, HTMLElement>([
    ["play", play.element], ["data", data.element], ["shake", shake.element],
    ["sliders", sliders.element],
  ]);
  body.replaceChildren(...elements.values());

  const nav = document.querySelector("nav")!;
  nav.append(arrows(el("div", { role: "tablist", "aria-label": "views" },
    ...views.map(([view, label], i) => el("button", { type: "button", role: "tab", "data-view": view,
      "aria-controls": `view-${view}`, title: `Key ${i + 1}`, onclick: () => go(view) }, label)))));
  for (const [view, element] of elements) {
    element.id = `view-${view}`;
    element.setAttribute("role", "tabpanel");
  }
  const root = document.documentElement;
  const repaint = () => window.dispatchEvent(new Event("repaint"));
  const theme = button("◐", () => {
    const dark = root.dataset["theme"] === "dark" ||
      (!root.dataset["theme"] && matchMedia("(prefers-color-scheme: dark)").matches);
    root.dataset["theme"] = dark ? "light" : "dark";
    repaint();
  }, { "aria-label": "dark or light", title: "Dark or light" });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  // On paper everything is light.
  let before: string | undefined;
  window.addEventListener("beforeprint", () => {
    before = root.dataset["theme"];
    root.dataset["theme"] = "light";
    repaint();
  });
  window.addEventListener("afterprint", () => {
    if (before === undefined) delete root.dataset["theme"];
    else root.dataset["theme"] = before;
    repaint();
  });
  const share = button("Copy link", () => {
    const link = location.href.split("#")[0] + toAddress(state);
    const say = (word: string) => {
      share.textContent = word;
      setTimeout(() => (share.textContent = "Copy link"), 2000);
    };
    // The address in the browser's own line is the same, where a page may not use the clipboard.
    Promise.resolve().then(() => navigator.clipboard.writeText(link))
      .then(() => say("Copied"), () => say("Copy the address above"));
  }, { title: "The address holds everything but a record", "aria-live": "polite" });
  nav.append(el("div", { class: "tools" }, button("Tour", () => tour(() => go("play"))), share, theme));
  if (!given) {
    const note = el("p", { class: "complaint", role: "alert" },
      "The address was damaged, so the page starts from the beginning.");
    body.prepend(note);
  }
  // Inside a page about one law: the loop and its sliders alone.
  root.toggleAttribute("data-embed", new URLSearchParams(location.search).has("embed"));
  open(state.view);
  // Back and forward move between views; what was set in them stays. An address from elsewhere starts anew.
  window.addEventListener("popstate", (event) => {
    const view = (event.state as { view?: State["view"] } | null)?.view;
    if (!view) return;
    own = location.hash;
    open(view);
  });
  window.addEventListener("hashchange", () => {
    if (location.hash !== own && !history.state) location.reload();
  });
  // A file that is dropped beside the box would replace the page.
  window.addEventListener("dragover", (event) => event.preventDefault());
  window.addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (event.defaultPrevented) return;
    event.preventDefault();
    if (!file) return;
    go("data");
    void data.open(file, file.name);
  });
  document.addEventListener("keydown", (event) => {
    if ((event.target as Element).closest?.("input:not([type=range]), textarea, select, dialog")) return;
    const view = views[Number(event.key) - 1];
    if (view && !event.ctrlKey && !event.metaKey && !event.altKey) go(view[0]);
  });
  document.documentElement.dataset["ready"] = "yes";
  Object.assign(window, { explorer: { engine, laws, state, play, data, shake, sliders, lawTexts } });
}

start().catch((reason: Error) => {
  document.querySelector("main")!.replaceChildren(el("p", { class: "complaint", role: "alert" },
    `The engine could not start: ${reason.message}. A browser from 2023 or later is needed.`));
});
