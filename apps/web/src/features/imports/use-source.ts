import { limits } from "@portal/contract/limits";
import { useEffect, useReducer, useRef } from "react";
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

/** State of the source of an import. */
export interface SourceState {
  text: string;
  file: File | null;
  phase: "empty" | "reading" | "choosing" | "ready" | "fault";
  /** Possible encodings if the file does not tell its own; otherwise empty. */
  encodings: EncodingOption[];
  /** The encoding that the user chose. */
  encoding: SelectedEncoding | undefined;
  opened: OpenedSource | null;
  fault: ReadFault | "unreadable" | null;
}

type SourceAction =
  | { type: "given"; text: string; file: File | null }
  | { type: "undecided"; encodings: EncodingOption[] }
  | { type: "chose"; encoding: SelectedEncoding }
  | { type: "reconsidered" }
  | { type: "opened"; opened: OpenedSource }
  | { type: "failed"; fault: SourceState["fault"] };

const empty: SourceState = {
  text: "",
  file: null,
  phase: "empty",
  encodings: [],
  encoding: undefined,
  opened: null,
  fault: null,
};
const typingMs = 300;

function sourceReducer(state: SourceState, action: SourceAction): SourceState {
  switch (action.type) {
    case "given": {
      const isEmpty = action.file === null && action.text.trim() === "";
      return { ...empty, text: action.text, file: action.file, phase: isEmpty ? "empty" : "reading" };
    }
    case "undecided":
      return { ...state, phase: "choosing", encodings: action.encodings };
    case "chose":
      return { ...state, phase: "reading", encoding: action.encoding };
    case "reconsidered":
      return { ...state, phase: "choosing", opened: null, fault: null };
    case "opened":
      return { ...state, phase: "ready", opened: action.opened, fault: null };
    case "failed":
      return { ...state, phase: "fault", opened: null, fault: action.fault };
  }
}

/** A pasted text or chosen file, parsed after typing pauses; an outdated result is dropped. */
export function useSource(format: ImportFormat) {
  const [state, dispatch] = useReducer(sourceReducer, empty);
  const { text, file, phase, encoding, opened } = state;
  const latest = useRef<OpenedSource | null>(null);

  useEffect(() => {
    latest.current = opened;
  }, [opened]);
  useEffect(() => () => latest.current?.close(), []);

  useEffect(() => {
    if (phase !== "reading") return;
    let overtaken = false;
    const read = async () => {
      try {
        const result = await openSource(file ?? text, format, encoding);
        if (overtaken) "close" in result && result.close();
        else if ("encodings" in result) dispatch({ type: "undecided", encodings: result.encodings });
        else if ("fault" in result) dispatch({ type: "failed", fault: result.fault });
        else dispatch({ type: "opened", opened: result });
      } catch {
        if (!overtaken) dispatch({ type: "failed", fault: "unreadable" });
      }
    };
    const timer = setTimeout(() => void read(), file ? 0 : typingMs);
    return () => {
      overtaken = true;
      clearTimeout(timer);
    };
  }, [phase, file, text, format, encoding]);

  function give(next: { text: string; file: File | null }): void {
    opened?.close();
    dispatch({ type: "given", ...next });
  }
  return {
    state,
    typed: (next: string) => give({ text: next, file: null }),
    chosen: (next: File | null) => give({ text: "", file: next }),
    readAs: (next: SelectedEncoding) => dispatch({ type: "chose", encoding: next }),
    reconsider: () => {
      opened?.close();
      dispatch({ type: "reconsidered" });
    },
  };
}

/**
 * Parses a file or pasted text, a large one in a worker. If the encoding is undecided it returns the possible ones, and is called again
 * with the `chosen` one.
 */
async function openSource(
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

/** Texts up to this length are parsed on the main thread, which is faster than starting a worker. */
const directLength = 100_000;

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

function ask(worker: Worker, request: WorkerRequest): Promise<WorkerAnswer> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer>) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
    worker.postMessage(request);
  });
}
