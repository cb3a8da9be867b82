import type { AnyRouter, LocationRewrite } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { preloadCode } from "./connection.ts";

/** Where a lead's panel is open: the router's own name for it. The address bar reads `/leads/12?from=/all-leads` instead. */
const parameter = "lead";
const panelPath = /^\/leads\/([1-9]\d{0,9})\/?$/;

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** The entry before this one is the same page without the panel, by the router's key for it. */
    leadOpenedFrom?: string | undefined;
  }
}

/** The page that a panel's address names, as an address of ours; the leads page where it names none. */
function pageBehind(url: URL): URL {
  const from = url.searchParams.get("from") ?? "/";
  const page = /^\/(?![/\\])/.test(from) ? new URL(from, url.origin) : null;
  return page && !panelPath.test(page.pathname) ? page : new URL("/", url.origin);
}

/** `/leads/:id?from=<page>` is that page with the lead's panel open: it stays as it stands while panels come and go. */
export const leadPanelRewrite = {
  input: ({ url }) => {
    const id = panelPath.exec(url.pathname)?.[1];
    if (id === undefined) return url;
    const page = pageBehind(url);
    page.searchParams.set(parameter, id);
    return page;
  },
  output: ({ url }) => {
    const id = url.searchParams.get(parameter);
    if (id === null || !panelPath.test(`/leads/${id}`)) return url;
    url.searchParams.delete(parameter);
    const from = `${url.pathname}${url.search}`;
    url.pathname = `/leads/${id}`;
    url.search = from === "/" ? "" : `?${new URLSearchParams({ from })}`;
    return url;
  },
} satisfies LocationRewrite;

/** The lead whose panel is open at a location of the router; null where none is. */
export function leadOf(search: unknown): number | null {
  const id = Number((search as Record<string, unknown>)[parameter]);
  return Number.isInteger(id) && id > 0 ? id : null;
}

/** Other filters for the page that one is on; an open panel stays open. */
export function withOpenLead<T extends object>(next: T) {
  return (now: object): T => ({ ...next, ...pick(now) });
}

const pick = (search: object) => {
  const id = leadOf(search);
  return id === null ? {} : { [parameter]: String(id) };
};

let bound: { router: AnyRouter; load: () => Promise<unknown> } | null = null;

/** Says which router opens panels, and how their code is fetched. */
export function bindLeadPanel(router: AnyRouter, load: () => Promise<unknown>): void {
  bound = { router, load };
}

/** Fetches the panel's code: a pointer or the focus on a name, or a browser that has nothing else to do. */
export function preloadLeadPanel(): void {
  if (bound) preloadCode(bound.load);
}

/** What was pressed last to open a panel. */
let opener: HTMLElement | null = null;

/** Opens the panel of a lead beside the page that one is on. From one panel to the next Back stays the way out of all of them. */
export function openLead(id: number, from: HTMLElement | null = null): void {
  if (!bound) return;
  const { router } = bound;
  const { search, state } = router.state.location;
  const isOpen = leadOf(search) !== null;
  opener = from;
  void router.navigate({
    to: ".",
    search: (now: object) => ({ ...now, [parameter]: String(id) }),
    state: { leadOpenedFrom: isOpen ? state.leadOpenedFrom : (state.__TSR_key ?? "start") },
    replace: isOpen,
    resetScroll: false,
  });
}

/** Closes the panel, as Back does. */
export function closeLead(): void {
  if (!bound) return;
  const { router } = bound;
  if (router.state.location.state.leadOpenedFrom) {
    router.history.back();
    return;
  }
  void router.navigate({
    to: ".",
    search: (now: object) => ({ ...now, [parameter]: undefined }),
    replace: true,
    resetScroll: false,
  });
}

/** The address of a lead's panel beside the page that is open now. */
export function leadAddress(id: number): string {
  const { pathname, search, origin } = window.location;
  const page = leadPanelRewrite.input({ url: new URL(`${pathname}${search}`, origin) });
  page.searchParams.set(parameter, String(id));
  const { href } = leadPanelRewrite.output({ url: page });
  return href.slice(origin.length);
}

/** A press on a lead's name. Other buttons and keys held with it do what they do with any link. */
export function onLeadLinkClick(event: MouseEvent<HTMLElement>): void {
  const { currentTarget, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  const isPlain = button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);
  if (!isPlain || event.defaultPrevented || !bound) return;
  event.preventDefault();
  openLead(Number(currentTarget.dataset.lead), currentTarget);
}

/** The names of the page that open panels, in the order in which they are read. */
function leadLinks(): HTMLElement[] {
  const links = [...document.querySelectorAll<HTMLElement>("main a[data-lead]")];
  const places = new Map(links.map((link) => [link, link.getBoundingClientRect()]));
  return links
    .filter((link) => link.checkVisibility?.() ?? true)
    .sort((a, b) => {
      const [one, other] = [places.get(a), places.get(b)];
      return (one?.top ?? 0) - (other?.top ?? 0) || (one?.left ?? 0) - (other?.left ?? 0);
    });
}

/** Goes on to the next lead of the page (1), or back to the one before (-1). Says whether there was one. */
export function stepLead(by: 1 | -1): boolean {
  const id = bound ? leadOf(bound.router.state.location.search) : null;
  if (id === null) return false;
  const links = by === 1 ? leadLinks() : leadLinks().toReversed();
  const isOpenOne = ({ dataset }: HTMLElement) => dataset.lead === String(id);
  // A lead may stand on the page more than once: one goes on from where one pressed.
  const pressed = links.findIndex((link) => link === opener && isOpenOne(link));
  const from = pressed === -1 ? links.findIndex(isOpenOne) : pressed;
  const next = links.slice(from + 1).find((link) => !isOpenOne(link));
  if (!next) return false;
  next.scrollIntoView?.({ block: "nearest" });
  openLead(Number(next.dataset.lead), next);
  return true;
}

/** Gives the focus back to the name of the lead whose panel was closed; to what opened it, or to the page's heading, where that is gone. */
export function focusLeadLink(id: number): void {
  const isOf = ({ dataset }: HTMLElement) => dataset.lead === String(id);
  const hasOpener = opener?.isConnected && (opener.dataset.lead === undefined || isOf(opener));
  const target = hasOpener ? opener : leadLinks().find(isOf);
  opener = null;
  if (target) target.focus({ preventScroll: true });
  else document.querySelector<HTMLElement>("main h1, main")?.focus({ preventScroll: true });
}
