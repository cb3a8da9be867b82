import { createStore } from "./store.ts";

/** Where a key acts: on every page and over every dialog; on pages; on the lead whose panel is open, or whose name or row has the focus; on a call that waits for its outcome; in the Inbox. */
export type KeyScope = "anywhere" | "page" | "lead" | "outcome" | "inbox";

interface KeyEntry {
  /** What is pressed, one after the other; `mod` is Ctrl, on Macs Cmd. By the character that the keyboard gives, not by its place. */
  readonly keys: string;
  readonly where: KeyScope;
  /** Where it leads, for keys of pages. */
  readonly to?: `/${string}`;
}

/**
 * Every key of the portal under the name of what it does: handlers, tooltips and the sheet that `?` shows read this table and no other.
 */
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

/** Whether keys without Ctrl, Alt or Cmd act (WCAG 2.1.4); set by the account's choice. */
export const singleKeys = createStore(true);

/** What keys do on the page that is shown, where it has its own; an open lead's panel goes before it. */
export const pageActs = createStore<Partial<Record<KeyCommand, () => void>>>({});

/** A control's words with its key, for its tooltip; without it where single keys are off. */
export function withKey(label: string, act: KeyCommand): string {
  return singleKeys.get() ? `${label} (${keyTable[act].keys.toUpperCase()})` : label;
}

/** What is open over the page: the search, or the sheet of keys. */
export const keyDialog = createStore<"palette" | "help" | null>(null);

const fields =
  "input:not([type=checkbox]), textarea, select, [contenteditable]:not([contenteditable=false]), [role=combobox], [role=textbox], [role=searchbox]";
const layers =
  "[role=dialog]:not([data-lead-panel]), [role=alertdialog], [role=menu], [role=menubar], [role=listbox]";
/** What is open over the page has the keys, wherever the focus is. */
const covers =
  "[data-dialog]:not([data-state=closed]), [role=alertdialog]:not([data-state=closed]), [role=menu]:not([data-state=closed]), [role=listbox]";

/**
 * The character by which a press is meant for the page; null in fields, menus, lists of choices and dialogs other than a lead's panel, with
 * Ctrl, Alt or Cmd, while a word is being composed, and where single keys are switched off.
 */
export function pageKey(event: KeyboardEvent, target = event.target): string | null {
  const { key } = event;
  if (!singleKeys.get() || key.length !== 1 || event.defaultPrevented || event.isComposing) return null;
  if (event.ctrlKey || event.metaKey || event.altKey) return null;
  if (target instanceof Element && (target.matches(fields) || target.closest(layers))) return null;
  if (document.querySelector(covers)) return null;
  const letter = key.toLowerCase();
  // A letter with Shift is another character; Caps Lock is not.
  return letter !== key && event.shiftKey ? null : letter;
}

/** Ctrl+K, on Macs Cmd+K, wherever one is. */
export function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey, repeat }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !altKey && !shiftKey && !repeat && key.toLowerCase() === "k";
}
