import { limits } from "@portal/contract/limits";
import { type ImportOptions, importBody } from "./import-body.ts";
import { type ImportFormat, type Look, type ReadFault, readSource } from "./read-source.ts";

/** A file or pasted text that was read and may be imported. */
export interface OpenedSource {
  look: Look;
  /** The request's body. */
  body(options: ImportOptions): Promise<Blob>;
  /** Lets go of what was read. */
  close(): void;
}

export type WorkerRequest =
  | { kind: "read"; source: Uint8Array | string; format: ImportFormat }
  | { kind: "body"; options: ImportOptions };
export type WorkerAnswer =
  | { kind: "look"; look: Look }
  | { kind: "fault"; fault: ReadFault }
  | { kind: "body"; body: Blob };

/** Texts up to this length are read at once: that is quicker than a thread of their own. */
const directLength = 100_000;

function ask(worker: Worker, request: WorkerRequest): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(request);
  });
}

async function openInWorker(
  source: Uint8Array | string,
  format: ImportFormat,
): Promise<OpenedSource | { fault: ReadFault }> {
  const worker = new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module" });
  try {
    const answer = await ask(worker, { kind: "read", source, format });
    if (answer.kind === "look")
      return {
        look: answer.look,
        async body(options) {
          const made = await ask(worker, { kind: "body", options });
          if (made.kind !== "body") throw new Error("the reader answered something else");
          return made.body;
        },
        close: () => worker.terminate(),
      };
    worker.terminate();
    if (answer.kind === "fault") return answer;
    throw new Error("the reader answered something else");
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

/** Reads a file or a pasted text; a large one in a thread of its own, so that the page goes on. */
export async function openSource(
  source: File | string,
  format: ImportFormat,
): Promise<OpenedSource | { fault: ReadFault }> {
  const isText = typeof source === "string";
  if (!isText && source.size > limits.importMaxBytes) return { fault: "too-large" };
  const given = isText ? source : new Uint8Array(await source.arrayBuffer());
  if (given.length > directLength) return openInWorker(given, format);
  const result = readSource(given, format);
  if ("fault" in result) return result;
  return { look: result.look, body: async (options) => importBody(result, options), close: () => undefined };
}
