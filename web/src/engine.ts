/** The page's side of the engine: one worker, restarted when it crashes or is told to stop. */
import type { Answer, Request } from "./protocol";

declare const WORKER_TEXT: string; // the bundled worker, put in by build.mjs

interface Waiting {
  resolve(answer: Answer): void;
  reject(reason: Error): void;
  progress?: (line: string) => void;
}

export class Stopped extends Error {}

/** The engine's code travels compressed inside the page, so that the page is one file. */
async function unpacked(): Promise<ArrayBuffer> {
  const text = document.getElementById("engine")!.textContent!.trim();
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

export class Engine {
  private worker?: Worker;
  private wasm?: ArrayBuffer;
  private waiting = new Map<number, Waiting>();
  private next = 1;
  private starting?: Promise<void>;
  restarts = 0;

  private async start(): Promise<void> {
    this.wasm ??= await unpacked();
    const url = URL.createObjectURL(new Blob([WORKER_TEXT], { type: "text/javascript" }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = (event) => this.receive(event.data);
    this.worker.onerror = (event) => this.lost(new Error(event.message || "the engine stopped"));
    await new Promise<Answer>((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, { resolve, reject });
      this.worker!.postMessage({ id, wasm: this.wasm });
    });
  }

  private receive(message: {
    id: number;
    answer?: Answer;
    progress?: string;
    crashed?: string;
  }): void {
    const waiting = this.waiting.get(message.id);
    if (message.progress !== undefined) {
      waiting?.progress?.(message.progress);
      return;
    }
    this.waiting.delete(message.id);
    if (message.answer) {
      waiting?.resolve(message.answer);
      return;
    }
    const reason = new Error(
      `The engine stopped (${message.crashed}) and was started anew; nothing you entered is lost.`);
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
    if (this.worker) this.lost(new Stopped("stopped"));
  }

  async ask(request: Request, progress?: (line: string) => void): Promise<Answer> {
    this.starting ??= this.start();
    await this.starting;
    return new Promise((resolve, reject) => {
      const id = this.next++;
      this.waiting.set(id, { resolve, reject, ...(progress ? { progress } : {}) });
      this.worker!.postMessage({ id, request });
    });
  }

  /** The command `microslip`, with files in and files out; its sentence as an Error if it fails. */
  async command(
    words: string[],
    files: Record<string, string | Uint8Array> = {},
    progress?: (line: string) => void,
  ): Promise<Answer> {
    const answer = await this.ask({ kind: "command", words, files }, progress);
    if (answer.code !== 0) {
      const lines = (answer.complaints ?? "").split("\n").filter((l) => l.startsWith("microslip: "));
      throw new Error(lines.at(-1)?.slice("microslip: ".length) ?? answer.complaints ??
                      "the command failed");
    }
    return answer;
  }
}
