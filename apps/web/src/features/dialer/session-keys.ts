import type { CallOutcome } from "@portal/contract/entities/call";
import { outcomeOfKey } from "../call-dialog/outcome-keys.ts";

export type SessionKey =
  | { readonly kind: "outcome"; readonly outcome: CallOutcome }
  | { readonly kind: "save" | "pause" | "skip" };

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly repeat: boolean;
  readonly target: EventTarget | null;
}

const typed = "input, textarea, select, [contenteditable]";
const chosenOutcome = "[aria-pressed='true'][aria-keyshortcuts]";
const pressable = "button, a[href], summary, [role='combobox'], [role='radio']";

/**
 * What a key means to the session: 1 to 6 an outcome, Enter saves, Space pauses, S skips. Nothing while something is typed, except
 * that Ctrl or Cmd with Enter saves from there. A button that has the focus keeps Enter and Space for itself, unless it is the
 * outcome already chosen, where pressing again would change nothing.
 */
export function sessionKey(event: KeyPress): SessionKey | null {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (event.repeat || altKey) return null;
  const element = target instanceof Element ? target : null;
  if (key === "Enter" && (ctrlKey || metaKey)) return { kind: "save" };
  if (ctrlKey || metaKey || element?.matches(typed)) return null;
  const outcome = outcomeOfKey(event);
  if (outcome) return { kind: "outcome", outcome };
  if (key.toLowerCase() === "s") return { kind: "skip" };
  if (key !== "Enter" && key !== " ") return null;
  const button = element?.closest(pressable);
  if (button && !button.matches(chosenOutcome)) return null;
  return { kind: key === "Enter" ? "save" : "pause" };
}
