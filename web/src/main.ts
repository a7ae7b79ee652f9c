import { button, el } from "./dom";
import { Data } from "./data";
import { Engine } from "./engine";
import type { Law } from "./laws";
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
  const laws = new Map((JSON.parse(answer.text!) as Law[]).map((law) => [law.name, law]));
  const given = fromAddress(location.hash);
  const state = given ?? initial();

  let own = "";
  let timer = 0;
  const changed = () => {
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      own = toAddress(state);
      history.replaceState(null, "", own || location.pathname + location.search);
    }, 150);
  };
  const sketch = sketches(engine, laws);
  const open = (view: State["view"]) => {
    state.view = view;
    for (const [name, element] of elements) element.hidden = name !== view;
    for (const tab of document.querySelectorAll<HTMLElement>("nav [role=tab]"))
      tab.setAttribute("aria-selected", String(tab.dataset["view"] === view));
    changed();
    if (view === "shake") shake.show();
    if (view === "sliders") sliders.show();
    if (view === "play") play.update();
  };
  const shake = new Shake(engine, laws, state, changed);
  const sliders = new Sliders(engine, state, changed);
  const play: Play = new Play(engine, laws, state, sketch, changed, (law) => {
    open("shake");
    shake.setLaw(law);
  });
  const data = new Data(engine, laws, state, changed, (model, set) => {
    state.laws = [{ model, set }];
    state.active = 0;
    location.hash = toAddress({ ...state, view: "play" });
    location.reload();
  });
  const elements = new Map<string, HTMLElement>([
    ["play", play.element], ["data", data.element], ["shake", shake.element],
    ["sliders", sliders.element],
  ]);
  body.replaceChildren(...elements.values());

  const nav = document.querySelector("nav")!;
  nav.append(el("div", { role: "tablist", "aria-label": "views" },
    ...views.map(([view, label]) => el("button", { type: "button", role: "tab", "data-view": view,
      onclick: () => open(view) }, label))));
  const theme = button("◐", () => {
    const dark = document.documentElement.dataset["theme"] === "dark" ||
      (!document.documentElement.dataset["theme"] && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset["theme"] = dark ? "light" : "dark";
    window.dispatchEvent(new Event("resize"));
    open(state.view);
  }, { "aria-label": "dark or light", title: "Dark or light" });
  const share = button("Copy link", () => {
    const link = location.href.split("#")[0] + toAddress(state);
    void navigator.clipboard?.writeText(link);
    share.textContent = "Copied";
    setTimeout(() => (share.textContent = "Copy link"), 1500);
  }, { title: "The address holds everything but a record" });
  nav.append(el("div", { class: "tools" }, button("Tour", () => tour(() => open("play"))), share, theme));
  if (!given) {
    const note = el("p", { class: "complaint", role: "alert" },
      "The address was damaged, so the page starts from the beginning.");
    body.prepend(note);
  }
  open(state.view);
  window.addEventListener("hashchange", () => {
    if (location.hash !== own) location.reload();
  });
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
    const view = views[Number(event.key) - 1];
    if (view && !event.ctrlKey && !event.metaKey && !event.altKey) open(view[0]);
  });
  document.documentElement.dataset["ready"] = "yes";
  Object.assign(window, { explorer: { engine, laws, state, play, data, shake, sliders } });
}

start().catch((reason: Error) => {
  document.querySelector("main")!.replaceChildren(el("p", { class: "complaint", role: "alert" },
    `The engine could not start: ${reason.message}. A browser from 2022 or later is needed.`));
});
