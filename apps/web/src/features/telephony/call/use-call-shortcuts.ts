import { type CallOutcome, callOutcomes } from "@portal/contract/entities/call";
import { type RefObject, useEffect, useEffectEvent } from "react";
import { singleKeys } from "../../../lib/keys.ts";

type CallShortcut =
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

const typed =
  "input:not([type='radio'], [type='checkbox'], [type='range']), textarea, select, [contenteditable]";
const chosenOutcome = "[aria-pressed='true'][aria-keyshortcuts]";
const pressable = "button, input, a[href], summary, [role='combobox'], [role='radio']";

/**
 * What a key means to a call that waits for its outcome: 1 to 6 an outcome in the order shown, Enter saves, Space pauses, S skips. Nothing
 * while something is typed, except that Ctrl or Cmd with Enter saves from there. A button that has the focus keeps Enter and Space for
 * itself, unless it is the outcome already chosen, where pressing again would change nothing.
 */
function shortcutOf(event: KeyPress): CallShortcut | null {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (event.repeat || altKey) return null;
  const element = target instanceof Element ? target : null;
  if (key === "Enter" && (ctrlKey || metaKey)) return { kind: "save" };
  if (ctrlKey || metaKey || element?.matches(typed)) return null;
  const outcome = singleKeys.get() && /^[1-6]$/.test(key) ? callOutcomes[Number(key) - 1] : undefined;
  if (outcome) return { kind: "outcome", outcome };
  // A closed list goes to its entry with that letter.
  if (key.toLowerCase() === "s")
    return element?.matches("[role='combobox']") || !singleKeys.get() ? null : { kind: "skip" };
  if (key !== "Enter" && key !== " ") return null;
  const button = element?.closest(pressable);
  if (button && !button.matches(chosenOutcome)) return null;
  return { kind: key === "Enter" ? "save" : "pause" };
}

const layers = "[role='dialog'], [role='alertdialog'], [role='menu'], [role='listbox']";

/** Whether a dialog, a calendar, a menu or a list is open over the panel: what came later stands later in the page. */
function isCovered(panel: HTMLElement): boolean {
  const own = panel.closest("[role='dialog']") ?? panel;
  return [...document.querySelectorAll(layers)].some(
    (layer) =>
      layer.getAttribute("data-state") !== "closed" &&
      !layer.contains(panel) &&
      (own.compareDocumentPosition(layer) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0,
  );
}

/**
 * Handles the keys of a call that waits for its outcome, wherever the focus is, but for fields in which one types. What stands over the panel
 * keeps its keys for itself. `isMeant` narrows the keys to some elements that have the focus.
 */
export function useCallShortcuts(
  panel: RefObject<HTMLElement | null>,
  onKey: (key: CallShortcut, target: Element | null) => void,
  isMeant: (target: Element | null) => boolean = () => true,
): void {
  const handle = useEffectEvent((event: KeyboardEvent, isFirst: boolean) => {
    const { current } = panel;
    if (event.defaultPrevented || !current || isCovered(current)) return;
    const key = shortcutOf(event);
    // A closed list that has the focus would take a digit for one of its own entries: the keys of outcomes are handled before it, all others after.
    if (!key || (key.kind === "outcome") !== isFirst) return;
    const target = event.target instanceof Element ? event.target : null;
    // Beside a docked call the page is at work: but for the outcomes its keys are its own, and in a closed list these too.
    const dock = current.closest("[data-dock]");
    if (dock && !dock.contains(target) && (key.kind !== "outcome" || target?.matches("[role='combobox']")))
      return;
    if (!isMeant(target)) return;
    event.preventDefault();
    onKey(key, target);
  });
  useEffect(() => {
    const first = (event: KeyboardEvent) => handle(event, true);
    const last = (event: KeyboardEvent) => handle(event, false);
    document.addEventListener("keydown", first, true);
    document.addEventListener("keydown", last);
    return () => {
      document.removeEventListener("keydown", first, true);
      document.removeEventListener("keydown", last);
    };
  }, []);
}
