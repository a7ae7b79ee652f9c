/** The page's side of the engine: a worker, started again when it crashes or is told to stop. */
import type { Answer, Progress, Report, Request } from "./protocol";

declare const WORKER_TEXT: string; // the bundled worker, put in by build.mjs

type Watch = (progress: Progress) => void;

interface Waiting {
  resolve(answer: Answer): void;
  reject(reason: Error): void;
  watch?: Watch;
}

export class Stopped extends Error {}

/** What travels compressed inside the page, so that the page is one file. */
export function embedded(id: string): Response {
  const element = document.getElementById(id)!;
  const binary = atob(element.textContent!.trim());
  element.remove();
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; ++i) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream, { headers: { "Content-Type": "application/wasm" } });
}

let compiled: Promise<WebAssembly.Module> | undefined; // once, for all workers

export class Engine {
  private worker?: Worker;
  private waiting = new Map<number, Waiting>();
  private next = 1;
  private starting?: Promise<void>;
  restarts = 0;

  private async start(): Promise<void> {
    compiled ??= WebAssembly.compileStreaming(embedded("engine"));
    const module = await compiled;
    const url = URL.createObjectURL(new Blob([WORKER_TEXT], { type: "text/javascript" }));
    const worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker = worker;
    worker.onmessage = (event) => this.receive(event.data as Report);
    worker.onerror = (event) => this.lost(new Error(event.message || "the engine stopped"));
    await new Promise<Answer>((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, module });
    });
  }

  private receive(report: Report): void {
    const waiting = this.waiting.get(report.id);
    if ("progress" in report) {
      waiting?.watch?.(report.progress);
      return;
    }
    this.waiting.delete(report.id);
    if ("answer" in report) {
      waiting?.resolve(report.answer);
      return;
    }
    const reason = new Error(
      `The engine stopped (${report.crashed}) and was started anew; nothing you entered is lost.`);
    waiting?.reject(reason);
    this.lost(reason);
  }

  private lost(reason: Error): void {
    this.worker?.terminate();
    this.worker = undefined;
    this.starting = undefined;
    this.restarts += 1;
    for (const waiting of this.waiting.values()) waiting.reject(reason);
    this.waiting.clear();
  }

  /** Ends whatever runs; the next question starts a new worker. */
  stop(): void {
    if (this.waiting.size > 0) this.lost(new Stopped("stopped"));
  }

  async ask(request: Request, watch?: Watch): Promise<Answer> {
    this.starting ??= this.start();
    await this.starting;
    return new Promise((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, { resolve, reject, ...(watch ? { watch } : {}) });
      this.worker!.postMessage({ id, request });
    });
  }

  /** A job of the library (docs/jobs.md): the text of its result. `request` is an object, in which columns
   *  t, u and f are those of the record that was read last, or the text of a file by this name. */
  async job(job: string, request: object | string, name = "", watch?: Watch): Promise<string> {
    const asked = typeof request === "string" ? request : JSON.stringify(request);
    const answer = await this.ask({ kind: "job", job, request: asked, name }, watch);
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.text!;
  }

  /** The command `microslip`, with files in and files out; its sentence as an Error if it fails. */
  async command(
    words: string[],
    files: Record<string, string | Uint8Array> = {},
    watch?: Watch,
  ): Promise<Answer> {
    const answer = await this.ask({ kind: "command", words, files }, watch);
    if (answer.code !== 0) {
      const lines = (answer.complaints ?? "").split("\n").filter((l) => l.startsWith("microslip: "));
      throw new Error(lines.at(-1)?.slice("microslip: ".length) ?? answer.complaints ??
                      "the command failed");
    }
    return answer;
  }
}
