// Equations of all laws as MathML: nothing is lost, everything is closed, and a browser draws it.
// Usage: node formula.mjs COMMAND [PAGE_TO_WRITE]
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const built = await build({ entryPoints: [join(here, "../src/formula.ts")], bundle: true, write: false, format: "esm" });
const { mathml } = await import("data:text/javascript;base64," + Buffer.from(built.outputFiles[0].text).toString("base64"));

assert.equal(mathml("f = (u − s)/τ").replace(/<math[^>]*>/, ""),
  "<mi>f</mi><mo>=</mo><mfrac><mrow><mi>u</mi><mo>−</mo><mi>s</mi></mrow><mi>τ</mi></mfrac></math>");
assert.equal(mathml("x^(a+1)").replace(/<math[^>]*>/, ""), "<msup><mi>x</mi><mrow><mi>a</mi><mo>+</mo><mn>1</mn></mrow></msup></math>");
assert.match(mathml("k sgn(u)"), /<mi>k<\/mi><mspace[^>]*><\/mspace><mrow><mi[^>]*>sgn/);
assert.match(mathml("∫₀^u_max"), /<msub><mi>u<\/mi><mi>max<\/mi><\/msub><\/msup>/);
assert.match(mathml("|z|ⁿ⁻¹"), /<msup><mrow>.*<mi>z<\/mi>.*<\/mrow><mi>n−1<\/mi><\/msup>/);
assert.match(mathml("z_i'"), /<msup><msub><mi>z<\/mi><mi>i<\/mi><\/msub><mo>′<\/mo><\/msup>/);

const small = { "ⁿ": "n", "ᵀ": "T", "ᵢ": "i", "₀": "0", "₁": "1", "₂": "2", "¹": "1", "²": "2", "³": "3" };
const letters = (text) => [...text].map((c) => small[c] ?? c).filter((c) => /[\p{L}\p{N}]/u.test(c)).join("");
const laws = JSON.parse(execFileSync(process.argv[2], ["models", "--json"], { encoding: "utf8", maxBuffer: 1 << 26 }));
let count = 0;
let page = '<!doctype html><meta charset="utf-8"><style>math { font-size: 1.1rem }</style><table>';
for (const { name, equation } of Array.isArray(laws) ? laws : laws.laws) {
  const markup = mathml(equation);
  // What is read aloud is what stood there, in the same order.
  assert.equal(letters(markup.replace(/&\w+;/g, " ").replace(/<[^>]*>/g, "")), letters(equation), name);
  const open = [];
  for (const [, end, tag] of markup.matchAll(/<(\/?)([a-z]+)[^>]*>/g))
    if (end) assert.equal(open.pop(), tag, `${name}: ${markup}`);
    else open.push(tag);
  assert.deepEqual(open, [], name);
  assert.ok(!/[\^_{}]/.test(markup.replace(/<[^>]*>/g, "")) || equation.includes("{"), `${name}: ${markup}`);
  page += `<tr><td>${name}<td>${markup}`;
  ++count;
}
assert.ok(count > 50);
console.log(`ok      ${count} equations as MathML`);
if (process.argv[3]) writeFileSync(process.argv[3], page);
