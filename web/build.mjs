// Puts the page, its script, the worker and the engine into one file: dist/index.html.
// Usage: node build.mjs ENGINE_FOLDER, which holds microslip.js and microslip.wasm
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync }
  from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const engine = process.argv[2];
if (!engine) {
  console.error("usage: node build.mjs ENGINE_FOLDER");
  process.exit(2);
}

const bundle = async (entry, define = {}) => {
  const result = await build({ entryPoints: [join(here, "src", entry)], bundle: true, minify: true,
    write: false, format: "iife", target: "es2022", define });
  return result.outputFiles[0].text;
};
const worker = readFileSync(join(engine, "microslip.js"), "utf8") + "\n" + await bundle("worker.ts");
const script = await bundle("main.ts", {
  WORKER_TEXT: JSON.stringify(worker),
  SAMPLE_RECORD: JSON.stringify(readFileSync(join(here, "../data/bolted-joint.csv"), "utf8")),
});
// Zopfli's gzip is 4 % smaller than zlib's.
const packed = (content) => {
  const folder = mkdtempSync(join(tmpdir(), "microslip-page-"));
  try {
    const file = join(folder, "content");
    writeFileSync(file, content);
    return execFileSync("zopfli", ["--i5", "-c", file], { maxBuffer: 1 << 26 }).toString("base64");
  } finally {
    rmSync(folder, { recursive: true });
  }
};
// Page and source of a law one after the other: the source repeats much of the page.
const texts = {};
for (const file of readdirSync(join(here, "../docs/laws")).filter((name) => name.endsWith(".md"))) {
  const law = file.slice(0, -3);
  const name = law.replaceAll("-", "_");
  const header = [`include/microslip/models/${name}.hpp`, `src/catalog/sliders/${name}_law.cpp`]
    .map((path) => join(here, "..", path)).find(existsSync);
  if (header)
    texts[law] = { page: readFileSync(join(here, "../docs/laws", file), "utf8"),
                   source: readFileSync(header, "utf8") };
}
// A function as replacement: "$&" in a bundle must stay what it is. "</script" would end the element.
const parts = {
  STYLE: readFileSync(join(here, "src/style.css"), "utf8"),
  ENGINE: packed(readFileSync(join(engine, "microslip.wasm"))),
  PAGES: packed(JSON.stringify(texts)),
  SCRIPT: script.replaceAll("</script", "<\\/script"),
};
const page = readFileSync(join(here, "src/index.html"), "utf8")
  .replace(/\/\*(STYLE|ENGINE|PAGES|SCRIPT)\*\//g, (_, name) => parts[name]);
mkdirSync(join(here, "dist"), { recursive: true });
writeFileSync(join(here, "dist/index.html"), page);
const sent = gzipSync(page, { level: 9 }).length;
const size = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
console.log(`engine ${size(readFileSync(join(engine, "microslip.wasm")).length)}, ` +
  `${size(parts.ENGINE.length * 3 / 4)} compressed`);
console.log(`web/dist/index.html: ${size(page.length)}, ${size(sent)} compressed`);
