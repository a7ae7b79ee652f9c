// Code and tables that are wider than their place are scrolled, also with keys. The theme goes on changing the page
// after it was loaded.
const focusable = () => {
  for (const wide of document.querySelectorAll("pre > code, .md-typeset__scrollwrap"))
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
    else wide.removeAttribute("tabindex");
};
addEventListener("load", () => {
  const content = document.querySelector(".md-content");
  new ResizeObserver(focusable).observe(content);
  new MutationObserver(focusable).observe(content, { childList: true, subtree: true });
  document.fonts.ready.then(focusable);
  focusable();
});
