// Puts the page, its script, the worker and the engine into one file: dist/index.html.
// Usage: node build.mjs ENGINE_FOLDER, which holds microslip.js and microslip.wasm
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
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
const wasm = gzipSync(readFileSync(join(engine, "microslip.wasm")), { level: 9 }).toString("base64");
// A function as replacement: "$&" in a bundle must stay what it is. "</script" would end the element.
const parts = {
  STYLE: readFileSync(join(here, "src/style.css"), "utf8"),
  ENGINE: wasm,
  SCRIPT: script.replaceAll("</script", "<\\/script"),
};
const page = readFileSync(join(here, "src/index.html"), "utf8")
  .replace(/\/\*(STYLE|ENGINE|SCRIPT)\*\//g, (_, name) => parts[name]);
mkdirSync(join(here, "dist"), { recursive: true });
writeFileSync(join(here, "dist/index.html"), page);
const sent = gzipSync(page, { level: 9 }).length;
console.log(`web/dist/index.html: ${(page.length / 1e6).toFixed(2)} MB, ${(sent / 1e6).toFixed(2)} MB compressed`);
