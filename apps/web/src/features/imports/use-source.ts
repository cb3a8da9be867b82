import { useEffect, useReducer, useRef } from "react";
import type { SelectedEncoding } from "./decode-text.ts";
import type { EncodingOption } from "./encoding-values.ts";
import { type OpenedSource, openSource } from "./open-source.ts";
import type { ImportFormat, ReadFault } from "./read-source.ts";

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
