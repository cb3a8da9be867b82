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
const chosenFollowUp = "[aria-pressed='true'][data-follow-up]";
const pressable = "button, input, a[href], summary, [role='combobox'], [role='radio']";

/**
 * The meaning of a key for a call that waits for its outcome: 1 to 6 choose an outcome in the shown order, Enter saves, Space pauses, S
 * skips. Null while typing, except that Ctrl or Cmd with Enter saves. A focused button keeps Enter and Space, unless it is the outcome that
 * is chosen already; on the chosen follow-up Enter saves too.
 */
function shortcutOf(event: KeyPress): CallShortcut | null {
  const { key, ctrlKey, metaKey, altKey, target } = event;
  if (event.repeat || altKey) return null;
  const element = target instanceof Element ? target : null;
  if (key === "Enter" && (ctrlKey || metaKey)) return { kind: "save" };
  if (ctrlKey || metaKey || element?.matches(typed)) return null;
  const outcome = singleKeys.get() && /^[1-6]$/.test(key) ? callOutcomes[Number(key) - 1] : undefined;
  if (outcome) return { kind: "outcome", outcome };
  // A closed select uses letters itself.
  if (key.toLowerCase() === "s")
    return element?.matches("[role='combobox']") || !singleKeys.get() ? null : { kind: "skip" };
  if (key !== "Enter" && key !== " ") return null;
  const button = element?.closest(pressable);
  if (button && !button.matches(key === "Enter" ? `${chosenOutcome}, ${chosenFollowUp}` : chosenOutcome))
    return null;
  return { kind: key === "Enter" ? "save" : "pause" };
}

/** Of a call `n` and `f` open the notes and the follow-up, like those of a lead on a page. */
const fieldsByKey: Readonly<Record<string, string>> = {
  n: "textarea:enabled",
  f: "[data-follow-up]:enabled",
};

/** The field of the call that a key opens, if the focus is beside it; null while typing. */
function fieldOf(event: KeyboardEvent, panel: HTMLElement): HTMLElement | null {
  const { key, ctrlKey, metaKey, altKey, repeat, target } = event;
  const selector = singleKeys.get() ? fieldsByKey[key] : undefined;
  if (!selector || ctrlKey || metaKey || altKey || repeat) return null;
  const call = panel.closest("[data-dock]") ?? panel;
  if (!(target instanceof Element) || !call.contains(target)) return null;
  if (target.matches(typed) || target.matches("[role='combobox']")) return null;
  return call.querySelector<HTMLElement>(selector);
}

const layers = "[role='dialog'], [role='alertdialog'], [role='menu'], [role='listbox']";

/** Whether a dialog, calendar, menu or list is open over the panel; overlays come later in the DOM. */
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
 * Handles the keys of a call that waits for its outcome, wherever the focus is, except in text fields; `n` and `f` only beside it. Overlays
 * keep their keys. `isMeant` restricts the keys to some of them, or to some focused elements; the page handles the others.
 */
export function useCallShortcuts(
  panel: RefObject<HTMLElement | null>,
  onKey: (key: CallShortcut, target: Element | null) => void,
  isMeant: (target: Element | null, key: CallShortcut) => boolean = () => true,
): void {
  const handle = useEffectEvent((event: KeyboardEvent, isFirst: boolean) => {
    const { current } = panel;
    if (event.defaultPrevented || !current || isCovered(current)) return;
    const field = isFirst ? null : fieldOf(event, current);
    if (field) {
      event.preventDefault();
      field.focus();
      return;
    }
    const key = shortcutOf(event);
    // A focused closed select would use a digit itself, so the keys of outcomes are handled before it, all others after.
    if (!key || (key.kind === "outcome") !== isFirst) return;
    const target = event.target instanceof Element ? event.target : null;
    // Outside of a docked call its keys belong to the page, except for outcomes; a closed select keeps those too.
    const dock = current.closest("[data-dock]");
    if (dock && !dock.contains(target) && (key.kind !== "outcome" || target?.matches("[role='combobox']")))
      return;
    if (!isMeant(target, key)) return;
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
