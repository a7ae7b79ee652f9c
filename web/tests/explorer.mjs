// The explorer in a real browser, against the command.
// Usage: node explorer.mjs COMMAND SCREENSHOT_FOLDER [WORDS], of tests with WORDS in their name
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const here_ = dirname(fileURLToPath(import.meta.url));
const command = resolve(process.argv[2]);
const pictures = resolve(process.argv[3]);
mkdirSync(pictures, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), "explorer-"));

const html = readFileSync(join(here_, "../dist/index.html"));
const server = createServer((_, reply) => {
  reply.setHeader("Content-Type", "text/html; charset=utf-8");
  reply.end(html);
}).listen(0, "127.0.0.1");
await new Promise((done) => server.once("listening", done));
const address = `http://127.0.0.1:${server.address().port}/`;

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run",
         "--disable-component-update", "--disable-sync", "--disable-quic"],
});

const LIMIT = 2.65e6; // bytes; a module that grows is looked at before this number is raised: 2.58e6
// with laws and joints in several directions, without loops from geometry, identification and FMUs
let failed = 0;
async function test(name, work) {
  if (process.argv[4] && !name.includes(process.argv[4])) return;
  const began = Date.now();
  try {
    await work();
    console.log(`ok      ${name}  (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  } catch (reason) {
    ++failed;
    console.log(`FAILED  ${name}\n${reason.stack ?? reason}`);
  }
}

async function open(options = {}, hash = "") {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  page.problems = [];
  page.requests = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  page.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url())) page.requests.push(request.url());
  });
  await page.goto((options.from ?? address) + hash);
  await page.waitForSelector("html[data-ready=yes]", { timeout: 60000 });
  return page;
}

const close = (page) => page.context().close();
const settled = (page) => page.waitForFunction(() => window.explorer.play.numbers()?.f.length > 0);

await test("is small enough for a telephone", async () => {
  const sent = gzipSync(html, { level: 9 }).length;
  console.log(`        ${(sent / 1e6).toFixed(2)} MB compressed`);
  assert.ok(sent < LIMIT, `${sent} bytes`);
});

await test("loads, draws, and asks nothing of any other place", async () => {
  const page = await open();
  await settled(page);
  assert.deepEqual(page.problems, []);
  assert.deepEqual(page.requests, [address]);
  await close(page);
});

await test("opens from a file without a server", async () => {
  const page = await open({ from: String(pathToFileURL(join(here_, "../dist/index.html"))) });
  await settled(page);
  assert.deepEqual(page.problems, []);
  await close(page);
});

await test("numbers of every law are those of the command", async () => {
  const page = await open();
  const names = await page.evaluate(() => [...window.explorer.laws.values()]
    .filter((law) => law.family !== "planar").map((law) => [law.name, law.driven]));
  const rows = 501;
  const t = Array.from({ length: rows }, (_, i) => i * 0.01);
  const u = t.map((x) => 1.3 * Math.sin(2 * Math.PI * x) + 0.4 * Math.sin(11 * x));
  let largest = 0;
  for (const [name, driven] of names) {
    // The search for its force passes macroslip: the command and the page refuse the same row.
    if (name === "slip-front") continue;
    // Forces that every law can carry.
    const scale = driven === "force" ? 0.05 : 1;
    const input = join(scratch, "input.csv");
    writeFileSync(input, "t," + (driven === "force" ? "f" : "u") + "\n" +
      t.map((x, i) => `${x},${scale * u[i]}`).join("\n") + "\n");
    const run = spawnSync(command, ["simulate", name, "--input", input, "--drive", driven, "-q"],
                          { encoding: "utf8", maxBuffer: 1 << 28 });
    const here = await page.evaluate(async ({ name, t, u, byForce }) => {
      const answer = await window.explorer.engine.ask({ kind: "run", model: name, settings: [],
        t: Float64Array.from(t), u: Float64Array.from(u), byForce });
      return { rows: answer.rows, error: answer.error ?? answer.warning,
               f: [...(answer.columns?.f ?? [])], x: [...(answer.columns?.displacement ?? [])] };
    }, { name, t, u: u.map((v) => scale * v), byForce: driven === "force" });
    const lines = run.stdout.split("\n").filter((l) => l && !l.startsWith("#")).slice(1)
      .map((l) => l.split(",").map(Number));
    assert.equal(here.rows, lines.length, `${name}: ${here.error} / ${run.stderr}`);
    let size = 0, difference = 0;
    lines.forEach(([, x, f], i) => {
      size = Math.max(size, Math.abs(f), Math.abs(x));
      difference = Math.max(difference, Math.abs(f - here.f[i]), Math.abs(x - here.x[i]));
    });
    largest = Math.max(largest, difference / size);
    assert.ok(difference <= 1e-12 * size, `${name}: differs by ${difference / size}`);
  }
  console.log(`        ${names.length} laws, largest difference ${largest.toExponential(1)}`);
  await close(page);
});

await test("numbers of planar laws are those of the command, on every path", async () => {
  const page = await open();
  const names = await page.evaluate(() => [...window.explorer.laws.values()]
    .filter((law) => law.family === "planar").map((law) => law.name));
  assert.ok(names.length > 1);
  let largest = 0;
  for (const name of names) {
    await page.evaluate((n) => document.querySelector(`.law[data-name="${n}"]`).click(), name);
    for (const kind of name === names[0] ? ["spiral", "eight", "line", "formulas", "circle"] : ["circle"]) {
      await page.click(`[data-kind=${kind}]`);
      await page.waitForFunction(([n, k]) => {
        const { play, state } = window.explorer;
        return state.path.kind === k && play.ready() && play.numbers()?.law === n;
      }, [name, kind]);
      const here = await page.evaluate(() => {
        const { f, fy, x, t } = window.explorer.play.numbers();
        return { command: window.explorer.play.commandText(), f: [...f], fy: [...fy], x: [...x],
                 y: [...window.explorer.play.history.uy], t: [...t] };
      });
      const columns = (output, ...names) => {
        const lines = output.split("\n").filter((l) => l && !l.startsWith("#")).map((l) => l.split(","));
        return names.map((n) => lines.slice(1).map((line) => Number(line[lines[0].indexOf(n)])));
      };
      // The command that is shown has the same rows.
      const given = execFileSync("sh", ["-c", `'${command}' ${here.command.slice("microslip ".length)} -q -o -`],
                                 { encoding: "utf8", maxBuffer: 1 << 28 });
      const [time, ux, uy] = columns(given, "t", "ux", "uy");
      // Sines and cosines of two libraries differ in their last digit.
      const same = (a, b) => a.length === b.length &&
        a.every((x, i) => Math.abs(x - b[i]) <= 8 * Number.EPSILON * Math.max(1, Math.abs(x)));
      for (const [there, own] of [[time, here.t], [ux, here.x], [uy, here.y]])
        assert.ok(same(there, own), `${name}, ${kind}: other rows`);
      const input = join(scratch, "path.csv");
      writeFileSync(input, "t,ux,uy\n" + here.t.map((t, i) => `${t},${here.x[i]},${here.y[i]}\n`).join(""));
      const [fx, fy] = columns(execFileSync(command, ["simulate", name, "--input", input, "-q", "-o", "-"],
                                            { encoding: "utf8", maxBuffer: 1 << 28 }), "fx", "fy");
      const size = Math.max(...fx.map(Math.abs), ...fy.map(Math.abs));
      assert.ok(size > 0 && fx.length === here.f.length);
      const difference = Math.max(...fx.map((f, i) => Math.max(Math.abs(f - here.f[i]), Math.abs(fy[i] - here.fy[i]))));
      largest = Math.max(largest, difference / size);
      assert.ok(difference <= 1e-12 * size, `${name}, ${kind}: differs by ${difference / size}`);
    }
  }
  console.log(`        ${names.length} laws, largest difference ${largest.toExponential(1)}`);
  await page.click("[data-kind=outline]");
  await page.locator(".drawing").scrollIntoViewIfNeeded();
  const box = await page.locator(".drawing").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  for (let i = 1; i <= 30; ++i)
    await page.mouse.move(box.x + box.width * (0.5 + 0.4 * Math.sin(i / 5)),
                          box.y + box.height * (0.5 + 0.013 * i));
  await page.mouse.up();
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(() => window.explorer.state.path.outline.length), 242);
  await page.screenshot({ path: join(pictures, "planar.png"), fullPage: true });
  assert.deepEqual(page.problems, []);
  await close(page);
});

await test("every law has its derivation and its source in the page", async () => {
  const page = await open();
  const missing = await page.evaluate(async () => {
    const texts = await window.explorer.lawTexts();
    return [...window.explorer.laws.keys()].filter((law) =>
      !(texts[law]?.page.length > 400 && texts[law].source.length > 400));
  });
  assert.deepEqual(missing, []);
  for (const which of ["derivation", "source"]) {
    await page.click(`.about .${which}`);
    await page.waitForSelector("dialog[open]");
    assert.match(await page.textContent("dialog"), /Segalman/);
    if (which === "derivation") await page.screenshot({ path: join(pictures, "derivation.png") });
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
  }
  await close(page);
});

await test("the chosen law is in sight at the start", async () => {
  const page = await open();
  await settled(page);
  assert.ok(await page.evaluate(() => {
    const item = document.querySelector(".law.chosen").getBoundingClientRect();
    const list = document.querySelector(".laws").getBoundingClientRect();
    return item.top >= list.top - 1 && item.bottom <= list.bottom + 1;
  }));
  await close(page);
});

await test("every law is drawn without an error", async () => {
  const page = await open();
  for (const name of await page.evaluate(() => [...window.explorer.laws.keys()])) {
    await page.evaluate((n) => document.querySelector(`.law[data-name="${n}"]`).click(), name);
    await page.waitForFunction((n) => document.querySelector(".beside h2")?.textContent === n, name);
    await page.waitForTimeout(40);
  }
  assert.deepEqual(page.problems, []);
  await close(page);
});

await test("a slider moves the loop within a frame", async () => {
  const page = await open();
  await settled(page);
  await page.evaluate(() => (window.explorer.play.frames.length = 0));
  const frames = await page.evaluate(async () => {
    const bar = document.querySelector(".play .parameter input[type=range]");
    for (let i = 0; i < 120; ++i) {
      bar.value = String(100 + i);
      bar.dispatchEvent(new Event("input", { bubbles: true }));
      await new Promise((done) => setTimeout(done, 30));
    }
    return window.explorer.play.frames;
  });
  frames.sort((a, b) => a - b);
  const median = frames[frames.length >> 1];
  console.log(`        10 000 points, computed and drawn: median ${median.toFixed(1)} ms of ${frames.length}`);
  assert.ok(frames.length > 60);
  assert.ok(median <= 16 * Number(process.env.SLACK ?? 1), `median ${median} ms`);
  await close(page);
});

await test("memory stays steady over 1000 changes", async () => {
  const page = await open();
  const bytes = await page.evaluate(async () => {
    const { engine } = window.explorer;
    const t = Float64Array.from({ length: 2000 }, (_, i) => i * 0.01);
    const u = t.map((x) => 2 * Math.sin(7 * x));
    const sizes = [];
    for (let i = 0; i < 1000; ++i) {
      await engine.ask({ kind: "run", model: "bouc-wen", settings: [`n=${1 + i / 1000}`], t, u });
      if (i % 499 === 0) sizes.push((await engine.ask({ kind: "memory" })).rows);
    }
    return sizes;
  });
  assert.equal(bytes.at(-1), bytes[1], `memory grew: ${bytes}`);
  await close(page);
});

await test("the sample record is read and fitted, as by the command", async () => {
  const page = await open();
  await page.click("nav [data-view=data]");
  await page.click(".sample");
  await page.waitForSelector(".data table caption");
  await page.evaluate(() => {
    for (const box of document.querySelectorAll(".boxes input"))
      if (box.checked !== (box.value === "iwan4")) box.click();
  });
  await page.click(".data .main");
  await page.waitForSelector(".ranking tr[data-model=iwan4]", { timeout: 240000 });
  // The prediction is in the picture as soon as the table is there.
  assert.equal(await page.evaluate(() => window.explorer.data.loop.curves.length), 2);
  const here = await page.evaluate(() => window.explorer.data.fits[0]);
  const there = JSON.parse(execFileSync(command,
    ["fit", join(here_, "../../data/bolted-joint.csv"), "--model", "iwan4", "--json"],
    { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })).fits[0];
  assert.ok(Math.abs(here.rms_relative / there.rms_relative - 1) < 1e-3,
    `rms ${here.rms_relative} here, ${there.rms_relative} by the command`);
  assert.equal(here.status, there.status);
  for (const name of Object.keys(there.parameters)) {
    const error = there.standard_errors[name];
    const other = here.standard_errors[name];
    // The joint never slips as a whole, so beta is not determined. Along that valley both searches end where
    // rounding leaves them, and with it whether Fs, which leans on beta at its limit, has an error.
    if (name !== "Fs")
      assert.equal(other === null, error === null, `${name}: ${other} here, ${error} by the command`);
    if (error === null || other === null) continue; // the data do not determine it
    assert.ok(Math.abs(here.parameters[name] - there.parameters[name]) < 0.1 * error,
      `${name} = ${here.parameters[name]} here, ${there.parameters[name]} by the command`);
  }
  await page.screenshot({ path: join(pictures, "data.png"), fullPage: true });
  assert.deepEqual(page.problems, []);
  await close(page);
});

await test("a fit shows how far it is, the page answers meanwhile, and it can be cancelled", async () => {
  const page = await open();
  await page.click("nav [data-view=data]");
  await page.click(".sample");
  await page.waitForSelector(".data table caption");
  await page.click("[aria-label='fit no law']");
  for (const law of ["jenkins", "bouc-wen-degrading", "bouc-wen-asymmetric", "lugre", "iwan5"])
    await page.check(`.boxes input[value="${law}"]`);
  await page.fill("[data-fit=seconds]", "300");
  await page.click(".data .main");
  await page.waitForFunction(() => /^Fitting [a-z]/.test(document.querySelector(".data .progress span").textContent), null, { timeout: 120000 });
  await page.waitForFunction(() => document.querySelector(".data progress").value > 0.005, null, { timeout: 120000 });
  const began = Date.now();
  await page.evaluate(() => window.explorer.engine.ask({ kind: "run", model: "jenkins", settings: [],
    t: Float64Array.of(0, 1), u: Float64Array.of(0, 1) }));
  assert.ok(Date.now() - began < 2000 * Number(process.env.SLACK ?? 1));
  await page.click(".data .cancel");
  await page.waitForFunction(() => document.querySelector(".data .progress").hidden);
  assert.equal(await page.textContent(".data .complaint"), "");
  // What was entered is still there, and the next fit works.
  assert.equal(await page.inputValue("[data-fit=seconds]"), "300");
  await page.click("[aria-label='fit no law']");
  await page.check(".boxes input[value=jenkins]");
  await page.click(".data .main");
  await page.waitForSelector(".ranking tr[data-model=jenkins]", { timeout: 60000 });
  assert.deepEqual(page.problems, []);
  await close(page);
});

await test("a file that is too large is refused in a sentence", async () => {
  const page = await open();
  await page.click("nav [data-view=data]");
  const file = join(scratch, "enormous.csv");
  writeFileSync(file, "u,f\n");
  truncateSync(file, 101e6);
  await page.setInputFiles(".drop input[type=file]", file);
  await page.waitForFunction(() => /enormous.csv has 101 MB/.test(document.querySelector(".data .complaint").textContent));
  await close(page);
});

await test("two pasted columns are a record", async () => {
  const page = await open();
  await page.click("nav [data-view=data]");
  const rows = Array.from({ length: 200 }, (_, i) => `${Math.sin(i / 10)}\t${2 * Math.sin(i / 10 + 0.2)}`);
  await page.fill(".drop textarea", rows.join("\n"));
  await page.waitForSelector(".data table caption");
  assert.match(await page.textContent(".data .facts"), /rows200/);
  await close(page);
});

await test("broken files give the sentence of the command, and the page goes on", async () => {
  const page = await open();
  await page.click("nav [data-view=data]");
  for (const text of ["u,f\n1,2\n3,four\n5,6\n", "words and no numbers", "u,f\n", "a,b\n1,2\n2,3\n"]) {
    const file = join(scratch, "broken.csv");
    writeFileSync(file, text);
    await page.setInputFiles(".drop input[type=file]", []);
    await page.setInputFiles(".drop input[type=file]", file);
    await page.waitForFunction(() => document.querySelector(".data .complaint").textContent !== "");
    const here = await page.textContent(".data .complaint");
    const run = spawnSync(command, ["loops", "broken.csv"], { cwd: scratch, encoding: "utf8" });
    const there = run.stderr.trim().split("\n").at(-1).replace("microslip: ", "");
    assert.equal(here, there);
    await page.click(".sample");
    await page.waitForFunction(() => document.querySelector(".data .complaint").textContent === "");
  }
  assert.deepEqual(page.problems, []);
  await close(page);
});

await test("mistakes are said where they are made", async () => {
  const page = await open();
  await settled(page);
  await page.click("[data-kind=formula]");
  await page.fill("[data-input=formula]", "2*sin(");
  await page.press("[data-input=formula]", "Enter");
  await page.waitForFunction(() => document.querySelector(".play .complaint").textContent !== "");
  assert.match(await page.textContent(".play .panel .complaint"), /sin/);
  await page.fill("[data-input=formula]", "2*sin(t)");
  await page.press("[data-input=formula]", "Enter");
  await page.waitForFunction(() => document.querySelector(".play .complaint").textContent === "");
  const box = page.locator(".parameter .number").first();
  await box.fill("-5");
  await box.press("Enter");
  await page.waitForFunction(() => /must|between|outside|in \(/.test(
    document.querySelector(".play .parameter .complaint")?.textContent ?? ""));
  await close(page);
});

await test("an input drawn by hand is followed", async () => {
  const page = await open();
  await settled(page);
  await page.click("[data-kind=drawn]");
  await page.locator(".drawing").scrollIntoViewIfNeeded();
  const box = await page.locator(".drawing").boundingBox();
  await page.mouse.move(box.x + 5, box.y + box.height / 2);
  await page.mouse.down();
  for (let i = 1; i <= 20; ++i)
    await page.mouse.move(box.x + 5 + (box.width - 10) * i / 20,
                          box.y + box.height * (0.5 - 0.4 * Math.sin(i)));
  await page.mouse.up();
  await page.waitForTimeout(500);
  const drawn = await page.evaluate(() => window.explorer.state.input.drawn);
  assert.ok(drawn.length > 50 && Math.max(...drawn) > 0.5 && Math.min(...drawn) < -0.5);
  assert.deepEqual(page.problems, []);
  await close(page);
});

await test("the address carries the whole state", async () => {
  const page = await open();
  await settled(page);
  await page.evaluate(() => document.querySelector('.law[data-name="dahl"]').click());
  await page.click(".add");
  await page.evaluate(() => document.querySelector('.law[data-name="bouc-wen"]').click());
  await page.click("[data-kind=growing]");
  await page.waitForTimeout(600);
  const state = await page.evaluate(() => JSON.stringify(window.explorer.state));
  const hash = await page.evaluate(() => location.hash);
  const other = await open({}, hash);
  await settled(other);
  assert.equal(await other.evaluate(() => JSON.stringify(window.explorer.state)), state);
  await close(other);
  const damaged = await open({}, "#nonsense%%");
  assert.match(await damaged.textContent(".complaint"), /damaged/);
  await close(damaged);
  await close(page);
});

await test("a crash of the engine loses nothing", async () => {
  const page = await open();
  await settled(page);
  await page.evaluate(() => window.explorer.engine.ask({ kind: "crash" }).catch(() => 0));
  await page.evaluate(() => document.querySelector('.law[data-name="jenkins"]').click());
  await page.waitForFunction(() => document.querySelector(".beside h2").textContent === "jenkins");
  await page.waitForTimeout(1500);
  assert.equal(await page.textContent(".play .complaint"), "");
  assert.equal(await page.evaluate(() => window.explorer.engine.restarts), 1);
  await close(page);
});

await test("shake and many sliders compute", async () => {
  const page = await open();
  await page.click("nav [data-view=shake]");
  await page.waitForFunction(() => window.explorer.shake.mode.curves.length > 0, null, { timeout: 120000 });
  assert.equal(await page.textContent(".shake .complaint"), "");
  await page.screenshot({ path: join(pictures, "shake.png"), fullPage: true });
  await page.click("nav [data-view=sliders]");
  await page.waitForFunction(() => window.explorer.sliders.loop.curves.length > 1, null, { timeout: 60000 });
  assert.equal(await page.textContent(".sliders .complaint"), "");
  await page.screenshot({ path: join(pictures, "sliders.png"), fullPage: true });
  assert.deepEqual(page.problems, []);
  await close(page);
});

for (const [size, viewport] of Object.entries({ phone: { width: 390, height: 844 },
    tablet: { width: 900, height: 1100 }, wide: { width: 1600, height: 1000 } }))
  for (const theme of ["light", "dark"])
    await test(`looks right on a ${size}, ${theme}`, async () => {
      const page = await open({ viewport, colorScheme: theme, hasTouch: size === "phone" });
      await settled(page);
      await page.waitForTimeout(600);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} px wider than the screen`);
      await page.screenshot({ path: join(pictures, `play-${size}-${theme}.png`) });
      await close(page);
    });

await test("everything has a name for those who do not see it, and keys work", async () => {
  const page = await open();
  for (const [key, view] of [["2", "data"], ["3", "shake"], ["4", "sliders"], ["1", "play"]]) {
    await page.keyboard.press(key);
    assert.ok(await page.locator(`#view-${view}`).isVisible());
    const nameless = await page.evaluate((v) =>
      [...document.querySelectorAll(`header, #view-${v}`)].flatMap((part) =>
        [...part.querySelectorAll("input, select, textarea, button, canvas[role=img], progress")])
        .filter((e) => !e.getAttribute("aria-label") && !e.closest("label")?.textContent.trim() &&
                       !e.textContent.trim()).map((e) => e.outerHTML), view);
    assert.deepEqual(nameless, []);
  }
  await page.focus("[data-kind=two]");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => window.explorer.state.input.kind), "growing");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.kind), "growing");
  await page.fill("input[type=search]", "dahl");
  await page.press("input[type=search]", "Enter");
  await page.waitForFunction(() => document.querySelector(".beside h2").textContent === "dahl");
  await page.emulateMedia({ media: "print" });
  await page.screenshot({ path: join(pictures, "print.png"), fullPage: true });
  await close(page);
});

await test("no rule of accessibility is broken", async () => {
  const rules = readFileSync(join(here_, "../node_modules/axe-core/axe.min.js"), "utf8");
  for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 844 }, hasTouch: true }]) {
    const page = await open(options);
    await page.evaluate(rules);
    for (const view of ["play", "data", "shake", "sliders"]) {
      await page.click(`nav [data-view=${view}]`);
      if (view === "data") await page.click(".sample");
      if (view === "data") await page.waitForSelector(".data table caption");
      await page.waitForTimeout(300);
      const broken = await page.evaluate(() => window.axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21aa", "best-practice"] }));
      assert.deepEqual(broken.violations.map((v) => `${view}: ${v.id}: ${v.nodes[0].html}`), []);
    }
    await close(page);
  }
});

await test("a search finds names first, and few tab stops lie before the first parameter", async () => {
  const page = await open();
  await settled(page);
  await page.fill("input[type=search]", "bouc");
  assert.match(await page.textContent(".law:not([hidden])"), /^bouc/);
  await page.press("input[type=search]", "Enter");
  await page.waitForFunction(() => document.querySelector(".beside h2").textContent === "bouc");
  await page.fill("input[type=search]", "");
  await page.evaluate(() => document.activeElement.blur());
  let stops = 0;
  for (; stops < 60; ++stops) {
    await page.keyboard.press("Tab");
    if (await page.evaluate(() => document.activeElement.closest(".parameter") !== null)) break;
  }
  assert.ok(stops <= 14, `${stops} stops`);
  const input = await page.locator(".play .panel").boundingBox();
  assert.ok(input.y + input.height < 900, "the input is below the fold");
  await close(page);
});

await test("Back and forward move between views, and a record stays", async () => {
  const page = await open();
  await page.click("nav [data-view=data]");
  await page.click(".sample");
  await page.waitForSelector(".data table caption");
  await page.click("nav [data-view=sliders]");
  for (const [step, view] of [["goBack", "data"], ["goBack", "play"], ["goForward", "data"]]) {
    await page[step]();
    await page.locator(`#view-${view}`).waitFor({ state: "visible" });
    assert.equal(await page.evaluate(() => window.explorer.state.view), view);
  }
  assert.equal(await page.evaluate(() => window.explorer.data.record.u.length), 3000);
  await close(page);
});

await test("a file that is dropped beside the box is read, and does not replace the page", async () => {
  const page = await open();
  const refused = await page.evaluate(() => {
    const files = new DataTransfer();
    files.items.add(new File(["u,f\n0,0\n1,1\n0,0.5\n-1,-1\n0,-0.5\n1,1\n"], "mine.csv"));
    const drop = new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true });
    document.querySelector("footer").dispatchEvent(drop);
    return drop.defaultPrevented;
  });
  assert.ok(refused);
  await page.waitForFunction(() => window.explorer.data.record?.name === "mine.csv");
  assert.ok(await page.locator("#view-data").isVisible());
  await close(page);
});

await test("a record of a million noisy rows is drawn at once", async () => {
  const page = await open();
  await page.click("nav [data-view=data]");
  const milliseconds = await page.evaluate(async () => {
    const { data } = window.explorer;
    const rows = 1e6, of = (f) => Float64Array.from({ length: rows }, (_, i) => f(i));
    const u = of((i) => Math.sin(2e-3 * i) + 0.02 * Math.sin(7919.1 * i));
    const f = of((i) => u[i] ** 3 + 0.05 * Math.sin(104729.7 * i) + 0.3 * Math.cos(2e-3 * i));
    const other = of((i) => f[i] + 0.05 * Math.cos(15485.3 * i));
    data.record = { name: "long", content: new Uint8Array(), u, f, units: { u: "", f: "" }, columns: {} };
    data.fits = [{ model: "jenkins" }];
    data.results.replaceChildren(data.loop.element, data.residual.element);
    await new Promise((done) => setTimeout(done, 300));
    const began = performance.now();
    data.drawRecord(other);
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)));
    return performance.now() - began;
  });
  console.log(`        ${milliseconds.toFixed(0)} ms`);
  assert.ok(milliseconds < 3000 * Number(process.env.SLACK ?? 1), `${milliseconds} ms`); // 201 s before
  await close(page);
});

await test("the tour has five steps and ends", async () => {
  const page = await open();
  await page.click("text=Tour");
  for (let i = 0; i < 5; ++i) {
    assert.match(await page.textContent(".tour p"), new RegExp(`^${i + 1} of 5`));
    await page.click(".tour .main");
  }
  assert.equal(await page.locator(".tour").count(), 0);
  await close(page);
});

await browser.close();
server.close();
rmSync(scratch, { recursive: true });
console.log(failed ? `${failed} tests failed` : "all tests passed");
process.exit(failed ? 1 : 0);
