// The explorer in a real browser, against the command.
// Usage: node explorer.mjs COMMAND SCREENSHOT_FOLDER
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync, mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
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

let failed = 0;
async function test(name, work) {
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
  const here = await page.evaluate(() => window.explorer.data.fits[0]);
  const there = JSON.parse(execFileSync(command,
    ["fit", join(here_, "../../data/bolted-joint.csv"), "--model", "iwan4", "--json"],
    { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })).fits[0];
  assert.ok(Math.abs(here.rms_relative / there.rms_relative - 1) < 1e-3,
    `rms ${here.rms_relative} here, ${there.rms_relative} by the command`);
  for (const name of Object.keys(there.parameters)) {
    const error = there.standard_errors[name];
    if (error === null) continue; // the data do not determine it
    assert.ok(Math.abs(here.parameters[name] - there.parameters[name]) < 0.1 * error,
      `${name} = ${here.parameters[name]} here, ${there.parameters[name]} by the command`);
  }
  await page.screenshot({ path: join(pictures, "data.png"), fullPage: true });
  assert.deepEqual(page.problems, []);
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
  assert.match(await page.textContent(".play .complaint"), /sin/);
  await page.fill("[data-input=formula]", "2*sin(t)");
  await page.press("[data-input=formula]", "Enter");
  await page.waitForFunction(() => document.querySelector(".play .complaint").textContent === "");
  const box = page.locator(".parameter .number").first();
  await box.fill("-5");
  await box.press("Enter");
  await page.waitForFunction(() => /must|between|outside|in \(/.test(
    document.querySelector(".play .complaint").textContent));
  await close(page);
});

await test("an input drawn by hand is followed", async () => {
  const page = await open();
  await settled(page);
  await page.click("[data-kind=drawn]");
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
console.log(failed ? `${failed} tests failed` : "all tests passed");
process.exit(failed ? 1 : 0);
