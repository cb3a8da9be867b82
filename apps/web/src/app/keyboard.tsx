import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { pressCall } from "../features/telephony/call/call-provider.tsx";
import { refusalMessages } from "../features/telephony/call/messages.ts";
import { correctLastOutcome } from "../features/telephony/call/outcome-store.ts";
import { preloadCode } from "../lib/connection.ts";
import { messagesOf } from "../lib/i18n.ts";
import {
  isTypedOnPage,
  type KeyCommand,
  keyDialog,
  keyTable,
  pageActs,
  pageKey,
  takesKeys,
} from "../lib/keys.ts";
import { lateComponent } from "../lib/late-module.ts";
import {
  askLeadCommand,
  focusNextLead,
  type LeadCommand,
  type LeadInHand,
  leadInHand,
  stepLead,
} from "../lib/lead-commands.ts";
import { openLead } from "../lib/lead-panel.ts";
import { currentUserQuery } from "../lib/query-client.ts";
import { useStore } from "../lib/store.ts";
import { toast } from "../ui/toast.ts";

const loadPalette = () => import("./command-palette.tsx");
const CommandPalette = lateComponent(loadPalette);
const KeySheet = lateComponent(() => import("./key-sheet.tsx"));

/** Time for the second key of a sequence, in ms. */
const secondKeyMs = 1_500;
/** How long a key press that came before this code still counts, in ms; the shorter time applies after the page has moved the focus. */
const earlyKeyMs = { sameFocus: 3_000, newFocus: 1_000 };

const acts = Object.entries(keyTable) as [KeyCommand, (typeof keyTable)[KeyCommand] & { to?: string }][];
const actOf = (keys: string) => acts.find(([, entry]) => entry.keys === keys)?.[0];

/** Whether a call is live or awaits its outcome; no key starts another call meanwhile. */
const isCallOn = () => document.querySelector("[data-dock], [data-bottom-bar]") !== null;

/** Shortcuts that open a field or a date; until it has the focus, for at most this time in ms, a key is typed for it. */
const opening: readonly KeyCommand[] = ["text", "note", "followUp"];
const openingMs = 5_000;

function typeInto(field: HTMLTextAreaElement, text: string): void {
  field.setRangeText(text, field.value.length, field.value.length, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Starts an action on a lead by pressing the control on its card or row, which holds the context, or else in its panel. Returns whether it
 * opens something: a disabled control does not.
 */
export function beginLeadCommand(
  lead: LeadInHand,
  act: LeadCommand,
  { pressOne }: { pressOne: boolean },
): boolean {
  const control = lead.place.querySelector<HTMLElement>(`[data-act=${act}]`);
  if (act === "call" && isCallOn()) {
    toast({ title: messagesOf(refusalMessages)("rep_on_call") });
    return false;
  }
  if (!control || act === "followUp") {
    if (lead.link) openLead(lead.id, lead.link);
    askLeadCommand(lead.id, act);
    return true;
  }
  // A disabled button shows why, and does nothing.
  if (control.ariaDisabled === "true" || act !== "call") control.focus();
  if (control.ariaDisabled === "true") return false;
  if (act === "call") pressCall(control, { isPrepared: !pressOne });
  else control.click();
  return true;
}

/** The page's visible search field, if any. */
const searchField = () =>
  document.querySelector("[data-page][inert]")
    ? undefined
    : [...document.querySelectorAll<HTMLInputElement>("main input[type=search]")].find(
        (field) => field.checkVisibility?.() ?? true,
      );

interface KeyboardProps {
  /** Keys that were pressed while this code loaded. */
  early: readonly KeyboardEvent[];
}

/** The keys of `lib/keys.ts`, the search over everything, and the sheet of keys. */
export default function Keyboard({ early }: KeyboardProps) {
  const { data: user } = useQuery(currentUserQuery());
  const navigate = useNavigate();
  const shown = useStore(keyDialog);
  const begun = useRef<{ key: string; at: number } | null>(null);
  // What was typed for a field that a shortcut is opening.
  const typed = useRef<{ text: string; until: number } | null>(null);
  const [inHand, setInHand] = useState<LeadInHand | null>(null);
  // The element that had the focus before the search opened.
  const [wasShown, setWasShown] = useState<typeof shown>(null);
  if (shown !== wasShown) {
    setWasShown(shown);
    if (shown === "palette") setInHand(leadInHand());
  }

  function run(act: KeyCommand, event: KeyboardEvent): void {
    const { to } = keyTable[act] as { to?: string };
    const ofPage = document.querySelector("[data-lead-panel]") ? undefined : pageActs.get()[act];
    if (ofPage) ofPage();
    else if (to) void navigate({ to });
    else if (act === "search") {
      const field = searchField();
      field?.focus();
      field?.select();
      if (!field) keyDialog.set("palette");
    } else if (act === "help") keyDialog.set("help");
    else if (act === "correct") correctLastOutcome();
    else if (act === "next" || act === "previous") {
      const by = act === "next" ? 1 : -1;
      if (!stepLead(by) && !document.querySelector("[data-lead-panel]")) focusNextLead(by);
    } else {
      const lead = keyTable[act].where === "lead" ? leadInHand() : null;
      if (!lead) return;
      if (opening.includes(act)) typed.current = { text: "", until: performance.now() + openingMs };
      if (!beginLeadCommand(lead, act as LeadCommand, { pressOne: user?.pressOne ?? false }))
        typed.current = null;
    }
    event.preventDefault();
  }

  /** The action of the key press, if any. */
  const onKey = useEffectEvent((event: KeyboardEvent, target = event.target): KeyCommand | undefined => {
    if (event.key === "Escape" || event.key === "Tab") typed.current = null;
    if (typed.current && performance.now() < typed.current.until && isTypedOnPage(event, target)) {
      if (!event.repeat) typed.current.text += event.key;
      event.preventDefault();
      return undefined;
    }
    const key = pageKey(event, target);
    if (key === null) return undefined;
    const before = begun.current;
    const isSecond = before !== null && event.timeStamp - before.at < secondKeyMs;
    const act = actOf(isSecond ? `${before.key} ${key}` : key);
    // A held key repeats moving through the list and no other action.
    if (event.repeat && act !== "next" && act !== "previous") {
      // A held first key of a sequence stays valid until its release, because the second key alone may start a call.
      if (before?.key === key) begun.current = { key, at: event.timeStamp };
      return undefined;
    }
    begun.current = null;
    if (act) run(act, event);
    else if (!isSecond && acts.some(([, { keys }]) => keys.startsWith(`${key} `)))
      begun.current = { key, at: event.timeStamp };
    return act;
  });
  const onFocus = useEffectEvent(({ target }: FocusEvent) => {
    if (!typed.current || !(target instanceof HTMLElement)) return;
    // Until the field is there, the focus is on the control, the panel or its heading.
    if (!takesKeys(target) && target.dataset.act !== "followUp") return;
    const { text } = typed.current;
    typed.current = null;
    if (text && target instanceof HTMLTextAreaElement) typeInto(target, text);
  });
  const onEarly = useEffectEvent(() => {
    const focus = document.activeElement;
    for (const event of early) {
      // Keys pressed before a navigation were meant for the previous page.
      if (event.target !== focus && event.target !== document.body) continue;
      const counts = event.target === focus ? earlyKeyMs.sameFocus : earlyKeyMs.newFocus;
      if (performance.now() - event.timeStamp >= counts) continue;
      const act = onKey(event, document.activeElement);
      // Keys after an action may be meant for what it opens, so only moving through a list is followed by another key.
      if (act && act !== "next" && act !== "previous" && !typed.current) break;
    }
    preloadCode(loadPalette);
  });
  useEffect(() => {
    onEarly();
    const listener = (event: KeyboardEvent) => void onKey(event);
    const stopped = new AbortController();
    const { signal } = stopped;
    const dropTyped = () => {
      typed.current = null;
    };
    window.addEventListener("keydown", listener, { signal });
    window.addEventListener("focusin", (event) => onFocus(event), { signal });
    window.addEventListener("pointerdown", dropTyped, { signal });
    return () => stopped.abort();
  }, []);

  return (
    <Suspense fallback={null}>
      {shown === "palette" && user ? (
        <CommandPalette
          user={user}
          lead={inHand}
          onAct={(lead, act) => beginLeadCommand(lead, act, user)}
          onClose={() => keyDialog.set(null)}
        />
      ) : null}
      {shown === "help" ? <KeySheet onClose={() => keyDialog.set(null)} /> : null}
    </Suspense>
  );
}
