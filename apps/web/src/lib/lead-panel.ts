import type { AnyRouter, LocationRewrite } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { preloadCode } from "./connection.ts";

/** The search parameter for an open panel in the router's addresses. The address bar shows `/leads/12?from=/all-leads` instead. */
export const leadParameter = "lead";
const panelPath = /^\/leads\/([1-9]\d{0,9})\/?$/;

declare module "@tanstack/react-router" {
  interface HistoryState {
    /** Router key of the previous history entry, if that is the same page without the panel. */
    leadOpenedFrom?: string | undefined;
  }
}

/** The page in a panel's `from` parameter, as a local address; the leads page if there is none. */
function pageBehind(url: URL): URL {
  const from = url.searchParams.get("from") ?? "/";
  const page = /^\/(?![/\\])/.test(from) ? new URL(from, url.origin) : null;
  return page && !panelPath.test(page.pathname) ? page : new URL("/", url.origin);
}

/** `/leads/:id?from=<page>` shows that page with the lead's panel open. The page stays mounted while panels open and close. */
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

/** Id of the lead whose panel is open at a router location, or null. */
export function leadOf(search: unknown): number | null {
  const id = Number((search as Record<string, unknown>)[leadParameter]);
  return Number.isInteger(id) && id > 0 ? id : null;
}

/** A search updater that replaces the page's filters and keeps an open panel. */
export function withOpenLead<T extends object>(next: T) {
  return (now: object): T => ({ ...next, ...pick(now) });
}

const pick = (search: object) => {
  const id = leadOf(search);
  return id === null ? {} : { [leadParameter]: String(id) };
};

/** The router that opens panels, the loader of their code, and the element that last opened one. */
interface LeadPanelState {
  router: AnyRouter | null;
  load: (() => Promise<unknown>) | null;
  opener: HTMLElement | null;
}

/** One per page, set by the router and read by the panel. */
export const leadPanel: LeadPanelState = { router: null, load: null, opener: null };

/** Preloads the panel's code: on hover or focus of a name, or when the browser is idle. */
export function preloadLeadPanel(): void {
  if (leadPanel.load) preloadCode(leadPanel.load);
}

/** Opens a lead's panel on the current page. Stepping between panels replaces the history entry, so that Back closes the panel. */
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

/** The address of a lead's panel on the current page. */
export function leadAddress(id: number): string {
  const { pathname, search, origin } = window.location;
  const page = leadPanelRewrite.input({ url: new URL(`${pathname}${search}`, origin) });
  page.searchParams.set(leadParameter, String(id));
  const { href } = leadPanelRewrite.output({ url: page });
  return href.slice(origin.length);
}

/** Click handler of a lead's name. Other buttons and modifier keys keep the browser's behaviour. */
export function onLeadLinkClick(event: MouseEvent<HTMLElement>): void {
  const { currentTarget, button, metaKey, ctrlKey, shiftKey, altKey } = event;
  const isPlain = button === 0 && !(metaKey || ctrlKey || shiftKey || altKey);
  if (!isPlain || event.defaultPrevented || !leadPanel.router) return;
  event.preventDefault();
  openLead(Number(currentTarget.dataset.leadLink), currentTarget);
}
