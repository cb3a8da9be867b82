import { useEffect, useEffectEvent } from "react";
import { leadOf, leadPanel, leadParameter, openLead } from "./lead-panel.ts";
import { createStore, useStore } from "./store.ts";

/** A command for a lead from a shortcut or the search, run in its panel. */
export type LeadCommand = "call" | "text" | "note" | "followUp";

interface AskedCommand {
  leadId: number;
  act: LeadCommand;
  /** By the page's clock, in ms. */
  at: number;
}

/** A command older than this is dropped: the user has moved on. */
const timeoutMs = 5_000;
const asked = createStore<AskedCommand | null>(null);

/** Asks a lead's panel, which may still be loading, to run a command. The command moves the focus; it sends or dials nothing. */
export function askLeadCommand(leadId: number, act: LeadCommand): void {
  asked.set({ leadId, act, at: performance.now() });
}

/** Runs a requested command in this lead's panel once it is mounted. */
export function useLeadCommand(
  leadId: number,
  acts: readonly LeadCommand[],
  begin: (act: LeadCommand) => void,
): void {
  const next = useStore(asked);
  const run = useEffectEvent(begin);
  const act = next?.leadId === leadId && acts.includes(next.act) ? next.act : null;
  useEffect(() => {
    if (act === null || !next) return;
    asked.set(null);
    if (performance.now() - next.at > timeoutMs) return;
    // After the panel has moved the focus itself.
    requestAnimationFrame(() => run(act));
  }, [act, next]);
}

/** Closes the panel, like the Back button. */
export function closeLead(): void {
  const { router } = leadPanel;
  if (!router) return;
  if (router.state.location.state.leadOpenedFrom) {
    router.history.back();
    return;
  }
  void router.navigate({
    to: ".",
    search: (now: object) => ({ ...now, [leadParameter]: undefined }),
    replace: true,
    resetScroll: false,
  });
}

/** The page's links that open panels, in reading order. */
function leadLinks(): HTMLElement[] {
  const links = [...document.querySelectorAll<HTMLElement>("main a[data-lead-link]")];
  const places = new Map(links.map((link) => [link, link.getBoundingClientRect()]));
  return links
    .filter((link) => link.checkVisibility?.() ?? true)
    .sort((a, b) => {
      const [one, other] = [places.get(a), places.get(b)];
      return (one?.top ?? 0) - (other?.top ?? 0) || (one?.left ?? 0) - (other?.left ?? 0);
    });
}

/** Opens the next lead of the page (1) or the previous one (-1). Returns whether there was one. */
export function stepLead(by: 1 | -1): boolean {
  const id = leadPanel.router ? leadOf(leadPanel.router.state.location.search) : null;
  if (id === null) return false;
  const links = by === 1 ? leadLinks() : leadLinks().toReversed();
  const isOpenOne = ({ dataset }: HTMLElement) => dataset.leadLink === String(id);
  // A lead may be on the page more than once; stepping starts from the link that was pressed.
  const pressed = links.findIndex((link) => link === leadPanel.opener && isOpenOne(link));
  const from = pressed === -1 ? links.findIndex(isOpenOne) : pressed;
  const next = links.slice(from + 1).find((link) => !isOpenOne(link));
  if (!next) return false;
  next.scrollIntoView?.({ block: "nearest" });
  openLead(Number(next.dataset.leadLink), next);
  return true;
}

/** After a panel was closed, focuses the lead's name; if it no longer exists, the element that opened the panel, or the page's heading. */
export function focusLeadLink(id: number): void {
  const isOf = ({ dataset }: HTMLElement) => dataset.leadLink === String(id);
  const { opener } = leadPanel;
  const hasOpener = opener?.isConnected && (opener.dataset.leadLink === undefined || isOf(opener));
  const target = hasOpener ? opener : leadLinks().find(isOf);
  leadPanel.opener = null;
  if (target) target.focus({ preventScroll: true });
  else document.querySelector<HTMLElement>("main h1, main")?.focus({ preventScroll: true });
}

/** The lead that keys act on: its id, name and surrounding element. */
export interface LeadInHand {
  id: number;
  name: string;
  place: HTMLElement;
  link: HTMLElement | null;
}

const placeOf = (link: HTMLElement) =>
  link.closest<HTMLElement>("article, [role=row], tr, [data-log], li") ?? link;

/** The lead whose panel is open, or else whose card or row has the focus, or else whose thread is open in the Inbox; null if there is none. */
export function leadInHand(): LeadInHand | null {
  const id = leadPanel.router ? leadOf(leadPanel.router.state.location.search) : null;
  const panel = document.querySelector<HTMLElement>("[data-lead-panel]");
  if (id !== null)
    return panel
      ? { id, name: panel.querySelector("h2")?.textContent ?? "", place: panel, link: null }
      : null;
  const { activeElement } = document;
  const links = leadLinks();
  const pane = document.querySelector<HTMLElement>("[data-lead-pane]");
  const link = links.find((each) => placeOf(each).contains(activeElement));
  const beside = link ?? links.find((each) => pane?.contains(each));
  if (!beside) return null;
  const place = link ? placeOf(link) : (pane ?? beside);
  return { id: Number(beside.dataset.leadLink), name: beside.textContent ?? "", place, link: beside };
}

/** Focuses the next lead of the page (1) or the previous one (-1); without a focused lead the first visible one. */
export function focusNextLead(by: 1 | -1): void {
  const links = leadLinks();
  const { activeElement } = document;
  const at = links.findIndex((link) => placeOf(link).contains(activeElement));
  const inSight = links.findIndex((link) => link.getBoundingClientRect().top >= 0);
  const next = links[at === -1 ? Math.max(0, inSight) : at + by];
  if (!next) return;
  next.focus({ preventScroll: true });
  placeOf(next).scrollIntoView?.({ block: "nearest" });
}
