/** Five steps for newcomers. */
import { button, el } from "./dom";

const steps: { at: string; text: string }[] = [
  { at: ".picker", text: "Choose a law. Every law of the library is here; type to search." },
  { at: ".parameters", text: "Move a slider and watch the loop change. Logarithmic where a number must be positive." },
  { at: ".play .plot", text: "The loop: force against displacement. Its area is the energy lost. The dot shows where the joint is." },
  { at: "[data-kind=two]", text: "Two frequencies give minor loops inside the large one. You can also draw an input by hand." },
  { at: "nav", text: "Explain a measurement, shake a mass, look at many sliders. The address of the page holds everything: copy it to share." },
];

export function tour(openPlay: () => void): void {
  openPlay();
  let at = 0;
  const text = el("p", {});
  const next = button("Next", () => (++at < steps.length ? show() : end()), { class: "main" });
  const box = el("div", { class: "tour", role: "dialog", "aria-modal": "false", "aria-label": "Tour" },
    text, el("div", { class: "tools" }, button("End", () => end()), next));
  const escape = (event: KeyboardEvent) => event.key === "Escape" && end();
  let marked: Element | null = null;
  const end = () => {
    marked?.classList.remove("marked");
    box.remove();
    document.removeEventListener("keydown", escape);
  };
  const show = () => {
    marked?.classList.remove("marked");
    const step = steps[at]!;
    marked = document.querySelector(step.at);
    marked?.classList.add("marked");
    marked?.scrollIntoView({ block: "center" });
    text.textContent = `${at + 1} of ${steps.length}. ${step.text}`;
    next.textContent = at + 1 < steps.length ? "Next" : "Done";
    next.focus();
  };
  document.body.append(box);
  document.addEventListener("keydown", escape);
  show();
}
