/** The engine in its own thread. Messages in: {id, request}; messages out: Report. */
import type { Answer, Report, Request } from "./protocol";

interface Engine {
  _malloc(bytes: number): number;
  _free(at: number): void;
  _explorer_error(): number;
  _explorer_laws(): number;
  _explorer_create(model: number, settings: number): number;
  _explorer_destroy(law: number): void;
  _explorer_run(law: number, rows: number, byForce: number, t: number, u: number, uy: number,
                displacement: number, f: number, fy: number, energy: number,
                stored: number): number;
  _explorer_record(file: number, u: number, f: number): number;
  _explorer_column(which: number): number;
  _explorer_unit(which: number): number;
  _explorer_driven_by_force(): number;
  _explorer_job(kind: number, request: number, name: number): number;
  HEAPF64: Float64Array;
  FS: {
    writeFile(path: string, data: Uint8Array | string): void;
    readFile(path: string, options: { encoding: "utf8" }): string;
    readFile(path: string): Uint8Array;
    readdir(path: string): string[];
    unlink(path: string): void;
    mkdir(path: string): void;
    chdir(path: string): void;
    stat(path: string): { mode: number };
    isDir(mode: number): boolean;
  };
  callMain(words: string[]): number;
  UTF8ToString(at: number): string;
  stringToUTF8(text: string, at: number, size: number): void;
  lengthBytesUTF8(text: string): number;
}

declare function createMicroslip(options: object): Promise<Engine>;

let engine: Engine;
let output: string[] = [];
let complaints: string[] = [];
let running = 0;

const columns = new Map<string, { at: number; rows: number }>();

/** A column of the engine's memory, kept from run to run. */
function column(name: string, rows: number): number {
  const kept = columns.get(name);
  if (kept && kept.rows >= rows) return kept.at;
  if (kept) engine._free(kept.at);
  const at = engine._malloc(8 * rows);
  columns.set(name, { at, rows });
  return at;
}

function written(name: string, numbers: Float64Array): number {
  const at = column(name, numbers.length);
  engine.HEAPF64.set(numbers, at / 8);
  return at;
}

function withText<T>(texts: string[], use: (places: number[]) => T): T {
  const places = texts.map((text) => {
    const size = engine.lengthBytesUTF8(text) + 1;
    const at = engine._malloc(size);
    engine.stringToUTF8(text, at, size);
    return at;
  });
  try {
    return use(places);
  } finally {
    places.forEach((at) => engine._free(at));
  }
}

const failure = () => engine.UTF8ToString(engine._explorer_error());

function run(request: Extract<Request, { kind: "run" }>): Answer {
  const rows = request.u.length;
  const law = withText([request.model, request.settings.join("\n")],
                       ([model, settings]) => engine._explorer_create(model!, settings!));
  if (law === 0) return { error: failure() };
  try {
    const began = performance.now();
    const u = written("u", request.u);
    const t = request.t ? written("t", request.t) : 0;
    const uy = request.uy ? written("uy", request.uy) : 0;
    const wanted = ["displacement", "f", "energy", "stored"];
    if (request.uy) wanted.push("fy");
    const places = new Map(wanted.map((name) => [name, column(name, rows)]));
    const done = engine._explorer_run(law, rows, request.byForce ? 1 : 0, t, u, uy,
                                      places.get("displacement")!, places.get("f")!,
                                      places.get("fy") ?? 0, places.get("energy")!,
                                      places.get("stored")!);
    const result: Record<string, Float64Array> = {};
    for (const [name, at] of places)
      result[name] = engine.HEAPF64.slice(at / 8, at / 8 + done);
    return {
      columns: result,
      rows: done,
      seconds: (performance.now() - began) / 1000,
      ...(done < rows ? { warning: failure() } : {}),
    };
  } finally {
    engine._explorer_destroy(law);
  }
}

/** The columns of a file, read as the command reads them. */
function record(request: Extract<Request, { kind: "record" }>): Answer {
  engine.FS.writeFile("/record", request.content);
  const rows = withText(["/record", request.u, request.f],
                        ([file, u, f]) => engine._explorer_record(file!, u!, f!));
  engine.FS.unlink("/record");
  if (rows === 0) return { error: failure().replace("/record", request.name) };
  const columns: Record<string, Float64Array> = {};
  const units: Record<string, string> = {};
  ["t", "u", "f"].forEach((name, i) => {
    const at = engine._explorer_column(i);
    if (at) columns[name] = engine.HEAPF64.slice(at / 8, at / 8 + rows);
    units[name] = engine.UTF8ToString(engine._explorer_unit(i));
  });
  return { columns, units, rows, byForce: engine._explorer_driven_by_force() !== 0 };
}

/** Text of the engine, which is freed; the sentence of the failure where there is none. */
function text(at: number): Answer {
  if (at === 0) return { error: failure() };
  const text = engine.UTF8ToString(at);
  engine._free(at);
  return { text };
}

function job(request: Extract<Request, { kind: "job" }>): Answer {
  return text(withText([request.job, request.request, request.name],
                       ([kind, asked, name]) => engine._explorer_job(kind!, asked!, name!)));
}

/** Runs the command in a folder that holds just the given files. */
function command(request: Extract<Request, { kind: "command" }>): Answer {
  const folder = "/job";
  for (const name of engine.FS.readdir(folder))
    if (name !== "." && name !== "..") engine.FS.unlink(`${folder}/${name}`);
  for (const [name, content] of Object.entries(request.files ?? {}))
    engine.FS.writeFile(`${folder}/${name}`, content);
  engine.FS.chdir(folder);
  output = [];
  complaints = [];
  const code = engine.callMain(request.words);
  const files: Record<string, string> = {};
  for (const name of engine.FS.readdir(folder)) {
    if (name in (request.files ?? {}) || name === "." || name === "..") continue;
    files[name] = engine.FS.readFile(`${folder}/${name}`, { encoding: "utf8" });
  }
  return { code, output: output.join("\n"), complaints: complaints.join("\n"), files };
}

function answer(request: Request): Answer {
  switch (request.kind) {
    case "laws":
      return text(engine._explorer_laws());
    case "job":
      return job(request);
    case "run":
      return run(request);
    case "record":
      return record(request);
    case "command":
      return command(request);
    case "memory":
      return { rows: engine.HEAPF64.byteLength };
    case "crash":
      throw new Error("asked to");
  }
}

const report = (message: Report) => postMessage(message);

async function start(module: WebAssembly.Module): Promise<void> {
  engine = await createMicroslip({
    instantiateWasm: (imports: WebAssembly.Imports, use: (made: WebAssembly.Instance) => void) => {
      void WebAssembly.instantiate(module, imports).then(use);
      return {};
    },
    noInitialRun: true,
    print: (line: string) => output.push(line),
    printErr: (line: string) => complaints.push(line),
    progress: (part: number, stage: string) => report({ id: running, progress: { part, stage } }),
    quit: () => undefined,
  });
  engine.FS.mkdir("/job");
}

let ready: Promise<void> | undefined;
onmessage = async (event: MessageEvent) => {
  const { id, request, module } = event.data as {
    id: number;
    request?: Request;
    module?: WebAssembly.Module;
  };
  try {
    if (module) {
      ready = start(module);
      await ready;
      report({ id, answer: {} });
      return;
    }
    await ready;
    running = id;
    report({ id, answer: answer(request!) });
  } catch (reason) {
    // After an exception from inside the engine its memory cannot be trusted: the page restarts it.
    report({ id, crashed: String((reason as Error)?.message ?? reason) });
  }
};
