import { createStore } from "./store.ts";

/**
 * Where a key works: on every page and over every dialog; on pages; on the lead whose panel is open or whose name or row has the focus; on
 * a call that waits for its outcome; in the Inbox.
 */
export type KeyScope = "anywhere" | "page" | "lead" | "outcome" | "inbox";

interface KeyEntry {
  /** The keys to press, in order; `mod` is Ctrl, on Macs Cmd. Keys are compared by character, not by position. */
  readonly keys: string;
  readonly where: KeyScope;
  /** The page to open. */
  readonly to?: `/${string}`;
}

/** All keyboard shortcuts by command. Handlers, tooltips and the help dialog use only this table. */
export const keyTable = {
  palette: { keys: "mod+k", where: "anywhere" },
  search: { keys: "/", where: "page" },
  help: { keys: "?", where: "page" },
  next: { keys: "j", where: "page" },
  previous: { keys: "k", where: "page" },
  open: { keys: "Enter", where: "page" },
  correct: { keys: "u", where: "page" },
  leads: { keys: "g l", where: "page", to: "/" },
  today: { keys: "g t", where: "page", to: "/today" },
  inbox: { keys: "g i", where: "page", to: "/inbox" },
  dialer: { keys: "g d", where: "page", to: "/auto-dialer" },
  calendar: { keys: "g c", where: "page", to: "/calendar" },
  callHistory: { keys: "g h", where: "page", to: "/call-history" },
  allLeads: { keys: "g a", where: "page", to: "/all-leads" },
  contactLists: { keys: "g k", where: "page", to: "/contacts" },
  reports: { keys: "g r", where: "page", to: "/reports" },
  settings: { keys: "g s", where: "page", to: "/settings" },
  call: { keys: "c", where: "lead" },
  text: { keys: "s", where: "lead" },
  followUp: { keys: "f", where: "lead" },
  note: { keys: "n", where: "lead" },
  outcome: { keys: "1-6", where: "outcome" },
  save: { keys: "mod+Enter", where: "outcome" },
  done: { keys: "e", where: "inbox" },
} as const satisfies Record<string, KeyEntry>;

export type KeyCommand = keyof typeof keyTable;

/** Whether single keys (without Ctrl, Alt or Cmd) work (WCAG 2.1.4), by the account's setting. */
export const singleKeys = createStore(true);

/** Handlers of the current page for its own shortcuts; an open lead's panel takes precedence. */
export const pageActs = createStore<Partial<Record<KeyCommand, () => void>>>({});

/** A control's label with its key for the tooltip; without the key if single keys are off. */
export function withKey(label: string, act: KeyCommand): string {
  return singleKeys.get() ? `${label} (${keyTable[act].keys.toUpperCase()})` : label;
}

/** The dialog that shortcuts opened: the search or the help. */
export const keyDialog = createStore<"palette" | "help" | null>(null);

/** A tab of the composer has the focus where a lead may not be texted: what is typed there was meant as words. */
const fields =
  "input:not([type=checkbox]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=combobox], [role=textbox], [role=searchbox], [data-composer] [role=tab]";
const layers =
  "[role=dialog]:not([data-lead-panel]), [role=alertdialog], [role=menu], [role=menubar], [role=listbox]";
/** Overlays get all keys, wherever the focus is. */
const covers =
  "[data-dialog]:not([data-state=closed]), [role=alertdialog]:not([data-state=closed]), [role=menu]:not([data-state=closed]), [role=listbox]";

/** Whether a focused element uses the keys itself. */
export const takesKeys = (element: Element): boolean =>
  element.matches(fields) || element.closest(layers) !== null;

/**
 * Whether a character was typed on the page: not in fields, menus, listboxes and dialogs other than a lead's panel, with Ctrl, Alt or Cmd,
 * during IME composition, or if single keys are off.
 */
export function isTypedOnPage(event: KeyboardEvent, target = event.target): boolean {
  if (!singleKeys.get() || event.key.length !== 1 || event.defaultPrevented || event.isComposing)
    return false;
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (target instanceof Element && takesKeys(target)) return false;
  return document.querySelector(covers) === null;
}

/** The character of a key press that is meant for the page; otherwise null. */
export function pageKey(event: KeyboardEvent, target = event.target): string | null {
  if (!isTypedOnPage(event, target)) return null;
  const { key } = event;
  const letter = key.toLowerCase();
  // A letter with Shift is a different key; with Caps Lock it is not.
  return letter !== key && event.shiftKey ? null : letter;
}

/** Whether the event is Ctrl+K, on Macs Cmd+K. */
export function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && !shiftKey && !repeat && key.toLowerCase() === "k";
}
