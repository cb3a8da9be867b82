import type { AnyRouter, LocationRewrite } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { preloadCode } from "./connection.ts";

/** Where a lead's panel is open: the router's own name for it. The address bar reads `/leads/12?from=/all-leads` instead. */
export const leadParameter = "lead";
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
    page.searchParams.set(leadParameter, id);
    return page;
  },
  output: ({ url }) => {
    const id = url.searchParams.get(leadParameter);
    if (id === null || !panelPath.test(`/leads/${id}`)) return url;
    url.searchParams.delete(leadParameter);
    const from = `${url.pathname}${url.search}`;
    url.pathname = `/leads/${id}`;
    url.search = from === "/" ? "" : `?${new URLSearchParams({ from })}`;
    return url;
  },
} satisfies LocationRewrite;

/** The lead whose panel is open at a location of the router; null where none is. */
export function leadOf(search: unknown): number | null {
  const id = Number((search as Record<string, unknown>)[leadParameter]);
  return Number.isInteger(id) && id > 0 ? id : null;
}

/** Other filters for the page that one is on; an open panel stays open. */
export function withOpenLead<T extends object>(next: T) {
  return (now: object): T => ({ ...next, ...pick(now) });
}

const pick = (search: object) => {
  const id = leadOf(search);
  return id === null ? {} : { [leadParameter]: String(id) };
};

/** Which router opens panels, how their code is fetched, and what was pressed last to open one. */
interface LeadPanelState {
  router: AnyRouter | null;
  load: (() => Promise<unknown>) | null;
  opener: HTMLElement | null;
}

/** One for the page; set up by the router, read by the panel. */
export const leadPanel: LeadPanelState = { router: null, load: null, opener: null };

/** Fetches the panel's code: a pointer or the focus on a name, or a browser that has nothing else to do. */
export function preloadLeadPanel(): void {
  if (leadPanel.load) preloadCode(leadPanel.load);
}

/** Opens the panel of a lead beside the page that one is on. From one panel to the next Back stays the way out of all of them. */
export function openLead(id: number, from: HTMLElement | null = null): void {
  const { router } = leadPanel;
  if (!router) return;
  const { search, state } = router.state.location;
  const isOpen = leadOf(search) !== null;
  leadPanel.opener = from;
  void router.navigate({
    to: ".",
    search: (now: object) => ({ ...now, [leadParameter]: String(id) }),
    state: { leadOpenedFrom: isOpen ? state.leadOpenedFrom : (state.__TSR_key ?? "start") },
    replace: isOpen,
    resetScroll: false,
  });
}

/** The address of a lead's panel beside the page that is open now. */
export function leadAddress(id: number): string {
  const { pathname, search, origin } = window.location;
  const page = leadPanelRewrite.input({ url: new URL(`${pathname}${search}`, origin) });
  page.searchParams.set(leadParameter, String(id));
  const { href } = leadPanelRewrite.output({ url: page });
  return href.slice(origin.length);
}

/** A press on a lead's name. Other buttons and keys held with it do what they do with any link. */
export function onLeadLinkClick(event: MouseEvent<HTMLElement>): void {
  const { currentTarget, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  const isPlain = button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);
  if (!isPlain || event.defaultPrevented || !leadPanel.router) return;
  event.preventDefault();
  openLead(Number(currentTarget.dataset.leadLink), currentTarget);
}
