import { limits } from "@portal/contract/limits";
import type { SelectedEncoding } from "./decode-text.ts";
import { type EncodingOption, encodingOptions } from "./encoding-values.ts";
import { type ImportFormat, type ReadFault, readSource, type SourcePreview } from "./read-source.ts";
import { type ImportOptions, importBody } from "./write-body.ts";

/** A parsed file or pasted text that can be imported. */
export interface OpenedSource {
  look: SourcePreview;
  /** Builds the request's body. */
  body(options: ImportOptions): Promise<Blob>;
  /** Frees the parsed data. */
  close(): void;
}

export type WorkerRequest =
  | { kind: "read"; source: Uint8Array | string; format: ImportFormat; chosen: SelectedEncoding | undefined }
  | { kind: "body"; options: ImportOptions };
export type WorkerAnswer =
  | { kind: "look"; look: SourcePreview }
  | { kind: "fault"; fault: ReadFault }
  | { kind: "undecided"; excerpt: Uint8Array }
  | { kind: "body"; body: Blob };

/** The parsed source, why it cannot be imported, or encodings of which one has to be chosen. */
type Opened = OpenedSource | { fault: ReadFault } | { encodings: EncodingOption[] };

/** Texts up to this length are parsed on the main thread, which is faster than starting a worker. */
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
  chosen: SelectedEncoding | undefined,
): Promise<Opened> {
  const worker = new Worker(new URL("./read-worker.ts", import.meta.url), { type: "module" });
  try {
    const answer = await ask(worker, { kind: "read", source, format, chosen });
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
    if (answer.kind === "undecided") return { encodings: await encodingOptions(answer.excerpt) };
    throw new Error("the reader answered something else");
  } catch (error) {
    worker.terminate();
    throw error;
  }
}

/**
 * Parses a file or pasted text, a large one in a worker. If the encoding is undecided it returns the possible ones, and is called again
 * with the `chosen` one.
 */
export async function openSource(
  source: File | string,
  format: ImportFormat,
  chosen?: SelectedEncoding,
): Promise<Opened> {
  const isText = typeof source === "string";
  if (!isText && source.size > limits.importMaxBytes) return { fault: "too-large" };
  const given = isText ? source : new Uint8Array(await source.arrayBuffer());
  if (given.length > directLength) return openInWorker(given, format, chosen);
  const result = readSource(given, format, chosen);
  if ("excerpt" in result) return { encodings: await encodingOptions(result.excerpt) };
  if ("fault" in result) return result;
  return { look: result.look, body: async (options) => importBody(result, options), close: () => undefined };
}
