/**
 * Equations of the laws as MathML. The laws write them as text: f_i, x^(a+1), |z|ⁿ⁻¹, (u − s)/τ; words stay words.
 *
 * A fraction takes the factor before and the factor behind the stroke. Names that touch a parenthesis keep it,
 * whether it is an argument or a factor: both are written alike.
 */
const small: Record<string, string> = Object.fromEntries(
  [..."⁰0¹1²2³3⁴4⁵5⁶6⁷7⁸8⁹9⁻−⁺+ⁿnᵀT₀0₁1₂2₊+ᵢi"].reduce<[string, string][]>((pairs, c, i, all) =>
    i % 2 ? pairs : [...pairs, [c, all[i + 1]!]], []));
const isRaised = (c: string | undefined) => c !== undefined && "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ⁿᵀ".includes(c);
const isLowered = (c: string | undefined) => c !== undefined && "₀₁₂₊ᵢ".includes(c);
const functions = new Set(["sgn", "exp", "max", "min", "clamp", "play", "stop", "diag"]);
const names = new Set(["gap", "ell", ...functions]);
const shortWords = new Set(["on", "or", "at", "up", "to", "it", "is"]);
const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const row = (parts: string[]) => (parts.length === 1 ? parts[0]! : `<mrow>${parts.join("")}</mrow>`);

class Reader {
  private at = 0;
  constructor(private readonly text: string) {}

  /** Up to one of the characters that end a group, or the end. */
  rest(end = ""): string[] {
    const parts: string[] = [];
    while (this.at < this.text.length && !(end && this.text[this.at] === end)) {
      const gap = /^\s+/.exec(this.text.slice(this.at))?.[0].length ?? 0;
      this.at += gap;
      if (this.at >= this.text.length || (end && this.text[this.at] === end)) break;
      // Factors stand apart as they do in the text, so that `a k` is not read as one name.
      const width = gap > 1 ? "1.2em" : "0.17em";
      const between = (part: string | undefined) => part !== undefined && !part.startsWith("<mo") && !part.startsWith("<mtext");
      if (gap > 1 || (gap === 1 && between(parts.at(-1)) && !/^[=≤≥<+−·←∈,;:]/.test(this.text.slice(this.at))))
        parts.push(`<mspace width="${width}"></mspace>`);
      const { mark, inner } = this.factor();
      if (this.text[this.at] === "/") {
        ++this.at;
        parts.push(`<mfrac>${inner ?? mark}${(({ mark, inner }) => inner ?? mark)(this.factor())}</mfrac>`);
      } else parts.push(mark);
    }
    return parts;
  }

  /** `inner` is what stands in parentheses, where they are all there is: a fraction needs none. */
  private factor(): { mark: string; inner?: string } {
    const c = this.text[this.at]!;
    const close = { "(": ")", "{": "}", "[": "]", "|": "|" }[c];
    if (close) {
      ++this.at;
      const inner = row(this.rest(close));
      ++this.at;
      const fence = (mark: string) => `<mo stretchy="false">${mark}</mo>`;
      const before = this.at;
      const mark = this.attached(`<mrow>${fence(c)}${inner}${fence(close)}</mrow>`);
      return { mark, inner: this.at === before && c !== "|" ? inner : undefined };
    }
    const word = /^\p{L}+/u.exec(this.text.slice(this.at))?.[0];
    const lone = word !== undefined && !/^[\d_^'′(\u0307]/.test(this.text[this.at + word.length] ?? "");
    if (word && lone && !names.has(word) && (/^[a-z]{4,}$/.test(word) || /^(the|are|off)$/.test(word) || shortWords.has(word))) {
      this.at += word.length;
      return { mark: `<mtext>&nbsp;${word}&nbsp;</mtext>` };
    }
    const name = /^(?:[\p{Lu}\p{Ll}]\u0307?)+\d*/u.exec(this.text.slice(this.at))?.[0].replace(/[ⁿᵀᵢ].*$/u, "");
    if (name) {
      this.at += name.length;
      const digits = /\d+$/.exec(name)?.[0];
      const letters = digits ? name.slice(0, -digits.length) : name;
      const letter = functions.has(name) ? `<mi mathvariant="normal">${name}</mi>` : `<mi>${letters}</mi>`;
      const mark = this.attached(digits ? `<msub>${letter}<mn>${digits}</mn></msub>` : letter);
      if (this.text[this.at] !== "(" && this.text[this.at] !== "[") return { mark };
      return { mark: `<mrow>${mark}${this.factor().mark}</mrow>` };
    }
    const number = /^\d+(?:\.\d+)?|^[½¼]/.exec(this.text.slice(this.at))?.[0];
    if (number) {
      this.at += number.length;
      return { mark: this.attached(`<mn>${number}</mn>`) };
    }
    ++this.at;
    return { mark: this.attached(`<mo${c === "∫" || c === "Σ" ? ' largeop="false"' : ""}>${escaped(c)}</mo>`) };
  }

  /** Exponents, indices and primes behind a factor. */
  private attached(base: string): string {
    for (;;) {
      const c = this.text[this.at];
      if (c === "'" || c === "′") {
        ++this.at;
        base = `<msup>${base}<mo>′</mo></msup>`;
      } else if (c === "^" || c === "_") {
        ++this.at;
        const script = this.script();
        base = c === "^" ? `<msup>${base}${script}</msup>` : `<msub>${base}${script}</msub>`;
      } else if (isRaised(c) || isLowered(c)) {
        const is = isRaised(c) ? isRaised : isLowered;
        let text = "";
        while (is(this.text[this.at])) text += small[this.text[this.at++]!];
        base = is === isRaised ? `<msup>${base}<mi>${text}</mi></msup>` : `<msub>${base}<mi>${text}</mi></msub>`;
      } else return base;
    }
  }

  private script(): string {
    const c = this.text[this.at];
    const close = c === "(" ? ")" : c === "{" ? "}" : "";
    if (close) {
      ++this.at;
      const inner = row(this.rest(close));
      ++this.at;
      return inner;
    }
    const run = /^[-−]?[\p{L}\p{N}.]+/u.exec(this.text.slice(this.at))?.[0] ?? "";
    this.at += run.length;
    if (this.text[this.at] !== "_") return `<mi>${run}</mi>`;
    ++this.at;
    return `<msub><mi>${run}</mi>${this.script()}</msub>`;
  }
}

/** One element for each statement: a browser breaks lines between them, and not inside. */
export const mathml = (equation: string): string =>
  equation.split(/(?<=[,;])\s{2,}/).map((statement) =>
    `<math xmlns="http://www.w3.org/1998/Math/MathML">${new Reader(statement).rest().join("")}</math>`).join(" &emsp;");
