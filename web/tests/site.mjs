// The web site in a real browser: wide and narrow, light and dark, search, the rules of axe.
// Usage: node site.mjs SITE_FOLDER SCREENSHOT_FOLDER [PAGE...]
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join, normalize, resolve } from "node:path";
import { chromium } from "playwright-core";

const site = resolve(process.argv[2]);
const pictures = resolve(process.argv[3]);
mkdirSync(pictures, { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// The folder above, since the list of versions lies there.
const kinds = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
                ".json": "application/json", ".png": "image/png" };
const missing = [];
const server = createServer((request, reply) => {
  const path = join(site, "..", normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)));
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, "index.html") : path;
  if (!existsSync(file)) {
    missing.push(request.url);
    reply.writeHead(404).end();
    return;
  }
  reply.setHeader("Content-Type", kinds[extname(file)] ?? "application/octet-stream");
  reply.end(readFileSync(file));
}).listen(0, "127.0.0.1");
await new Promise((done) => server.once("listening", done));
const address = `http://127.0.0.1:${server.address().port}/${site.split("/").at(-1)}/`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"],
});
const screens = {
  wide: { viewport: { width: 1440, height: 900 }, colorScheme: "light" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "dark", isMobile: true, hasTouch: true },
};
const only = process.argv.slice(4);
const pages = only.length ? only : ["index", "laws/iwan4", "laws/README", "fit", "respond", "reference/python", "reference/c", "reference/cpp",
               "notebooks/fit_a_record", "tutorials/hammer", "reproductions", "promises"]
  .filter((name) => existsSync(join(site, `${name}.html`)));

let failed = 0;
async function test(name, work) {
  try {
    await work();
    console.log(`ok      ${name}`);
  } catch (reason) {
    ++failed;
    console.log(`FAILED  ${name}\n${reason.message ?? reason}`);
  }
}

for (const [screen, options] of Object.entries(screens)) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  let problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(address.split("/").slice(0, 3).join("/")) && !/^(blob|data):/.test(request.url()))
      problems.push(`asks another place: ${request.url()}`);
  });
  for (const name of pages)
    await test(`${name}, ${screen}`, async () => {
      problems = [];
      await page.goto(`${address}${name}.html`);
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: join(pictures, `${name.replaceAll("/", "-")}-${screen}.png`) });
      assert.deepEqual(problems, []);
      const [inside, width] = await page.evaluate(() =>
        [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      assert.ok(inside <= width + 1, `${inside} pixels of text on ${width}`);
      const broken = await page.evaluate(() => [...document.images].filter((image) => image.loading !== "lazy" &&
        image.complete && !image.naturalWidth).map((image) => image.src));
      assert.deepEqual(broken, [], "pictures that are not there");
      await page.evaluate(axe);
      // What the theme brings is looked at in its own project; here, what stands in the article.
      const { violations } = await page.evaluate(() => globalThis.axe.run(".md-content", {
        iframes: false, runOnly: ["wcag2a", "wcag2aa"] }));
      assert.deepEqual(violations.filter((rule) => rule.impact === "critical" || rule.impact === "serious")
        .map((rule) => `${rule.id}: ${rule.nodes.length} × ${rule.nodes[0].html.slice(0, 120)} ` +
          (rule.nodes[0].any[0]?.message ?? "")), []);
    });
  await context.close();
}

await test("search, and the list of versions", async () => {
  const context = await browser.newContext(screens.wide);
  const page = await context.newPage();
  await page.goto(`${address}index.html`);
  await page.waitForLoadState("networkidle");
  await page.click("input[name=query]");
  await page.keyboard.type("segalman", { delay: 30 });
  await page.waitForSelector(".md-search-result__item a");
  const found = await page.$$eval(".md-search-result__item a", (links) => links.map((link) => link.href));
  assert.ok(found.some((link) => link.includes("laws/iwan4")), found.join(" "));
  await page.screenshot({ path: join(pictures, "search-wide.png") });
  assert.match(await page.textContent(".md-version"), /\d+\.\d+\.\d+/);
  await context.close();
});

await test("nothing was asked for that is not there", () => assert.deepEqual(missing, []));
await browser.close();
server.close();
process.exit(failed ? 1 : 0);
