import type { DashboardStats, Lead } from "@portal/contract/entities/lead";
import type { CurrentUser } from "@portal/contract/entities/user";
import { listAllLeads } from "@portal/contract/routes/all-leads";
import { getCurrentUser } from "@portal/contract/routes/auth";
import { getDashboardStats, getLead, listLeads } from "@portal/contract/routes/leads";
import type { InfiniteData, Query, QueryClient } from "@tanstack/react-query";
import { routePath } from "./api.ts";
import type { Page } from "./query-client.ts";
import { isWriter } from "./session.ts";

type LeadPages = InfiniteData<Page<Lead[]>, string | null>;
type LeadListFilters = Partial<Record<"search" | "status" | "priority", string>>;

function isLeadPages({ queryKey: [path, , kind] }: Query): boolean {
  return path === listLeads.path && kind === "pages";
}

const leadLists = (client: QueryClient) => client.getQueryCache().findAll({ predicate: isLeadPages });
const pagesOf = (query: Query) => query.state.data as LeadPages | undefined;
const filtersOf = ({ queryKey }: Query) => queryKey[1] as LeadListFilters;

/** Lists whose fetch was canceled because of an optimistic change. */
const interrupted = new WeakSet<Query>();

/**
 * Applies a change of one lead to every list that contains it. Returns a function that undoes it for this lead and these fields only, so
 * that another lead saved meanwhile stays.
 */
export function patchLead(client: QueryClient, id: number, change: Partial<Lead>): () => void {
  const before = new Map<string, Lead>();
  for (const query of leadLists(client)) {
    // A pending fetch would return the old row, so it is canceled and repeated once the change is saved or refused.
    if (query.state.fetchStatus !== "idle") {
      interrupted.add(query);
      void client.cancelQueries({ queryKey: query.queryKey, exact: true });
    }
    const data = pagesOf(query);
    const lead = data && findLead(data, id);
    if (lead) {
      before.set(query.queryHash, lead);
      setPages(client, query, replaceLead(data, { ...lead, ...change }));
    }
  }
  return () => {
    for (const query of leadLists(client)) {
      const data = pagesOf(query);
      const old = before.get(query.queryHash);
      const now = data && findLead(data, id);
      if (!data || !old || !now) continue;
      const fields = Object.keys(change) as (keyof Lead)[];
      setPages(
        client,
        query,
        replaceLead(data, { ...now, ...Object.fromEntries(fields.map((field) => [field, old[field]])) }),
      );
    }
  };
}

/** Shows a queued change in the lead's panel until the lead is fetched again. */
export function patchLeadAlone(client: QueryClient, id: number, change: Partial<Lead>): void {
  const queryKey = [routePath(getLead, { id })];
  client.setQueryData<Lead>(queryKey, (lead) => lead && { ...lead, ...change }, {
    updatedAt: client.getQueryState(queryKey)?.dataUpdatedAt,
  });
}

/**
 * Shows the server's current version of a lead (null: deleted) in every list of the leads page. A list for which that does not suffice is
 * fetched again.
 */
export function applyLead(client: QueryClient, id: number, lead: Lead | null): void {
  for (const query of leadLists(client)) {
    if (!showInList(client, query, { id, lead })) {
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }
  }
  const isShort = ({ queryKey: [path, , kind] }: Query) =>
    kind !== "pages" && (path === listLeads.path || path === listAllLeads.path);
  for (const query of client.getQueryCache().findAll({ predicate: isShort })) {
    if (!showInShortList(client, query, { id, lead })) {
      void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    }
  }
  const dialog = [routePath(getLead, { id })];
  if (lead && client.getQueryState(dialog)) client.setQueryData<Lead>(dialog, lead);
}

interface LeadNow {
  id: number;
  lead: Lead | null;
}

/** Updates a list by one lead; returns false if its pages have to be fetched. */
function showInList(client: QueryClient, query: Query, { id, lead }: LeadNow): boolean {
  const data = pagesOf(query);
  const isIdle = query.state.fetchStatus === "idle" && !query.state.isInvalidated;
  if (interrupted.delete(query) || !isIdle || !data) return false;
  if (!isPlain(filtersOf(query))) return false;
  const viewer = client.getQueryData<CurrentUser | null>([getCurrentUser.path]) ?? null;
  const known = findLead(data, id);
  const filters = filtersOf(query);
  const isWhole = data.pages.at(-1)?.nextCursor === null;
  if (!lead || !belongs(lead, filters, viewer)) {
    // The lead is not among the loaded rows, so only the total may change, which `checkTotals` compares if it can.
    if (!known) return isWhole || isCounted(filters);
    const rest = removeLead(data, id);
    if (!isWhole && rest.pages.every(({ items }) => items.length === 0)) return false;
    setPages(client, query, rest);
    return true;
  }
  if (sharesNumber(data, lead, known)) return false;
  if (known) {
    if (filters.search && searchedText(known) !== searchedText(lead)) return false;
    setPages(client, query, replaceLead(data, lead));
    return true;
  }
  const last = data.pages.at(-1)?.items.at(-1);
  // The list is ordered by creation time, which never changes.
  return !isWhole && isCounted(filters) && last !== undefined && lead.createdAt < last.createdAt;
}

/** Updates a list without pages; returns false if it has to be fetched. */
function showInShortList(client: QueryClient, query: Query, { id, lead }: LeadNow): boolean {
  const items = query.state.data as Lead[] | undefined;
  const isIdle = query.state.fetchStatus === "idle" && !query.state.isInvalidated;
  if (!items || !isIdle || !lead || filtersOf(query)?.search) return false;
  if (items.some((item) => item.id === id)) {
    client.setQueryData(
      query.queryKey,
      items.map((item) => (item.id === id ? lead : item)),
    );
    return true;
  }
  const last = items.at(-1);
  return last !== undefined && lead.createdAt < last.createdAt;
}

const plainFilters = ["search", "status", "priority", "limit"];

/** Whether the browser can evaluate these filters and the order itself; others are evaluated by the server. */
const isPlain = (filters: object) => Object.keys(filters).every((name) => plainFilters.includes(name));

function belongs(lead: Lead, { status, priority }: LeadListFilters, viewer: CurrentUser | null): boolean {
  return (
    isWriter(viewer, lead) && (!status || lead.status === status) && (!priority || lead.priority === priority)
  );
}

/** The text that a search of the leads page looks in. */
const searchedText = ({ name, email, phone, company }: Lead) => JSON.stringify([name, email, phone, company]);

const digits = (phone: string | null | undefined) => phone?.replaceAll(/\D/g, "").slice(-10) ?? "";

/** Whether another lead of the list has the same number, as a contact refusal applies to both. */
function sharesNumber({ pages }: LeadPages, lead: Lead, known: Lead | undefined): boolean {
  const numbers = [digits(lead.phone), digits(known?.phone)].filter((number) => number !== "");
  return pages.some(({ items }) =>
    items.some(({ id, phone }) => id !== lead.id && numbers.includes(digits(phone))),
  );
}

const countByStatus: Record<string, keyof DashboardStats> = {
  new: "newLeads",
  contacted: "contactedLeads",
  interested: "interestedLeads",
  not_interested: "notInterestedLeads",
};

/** Whether the dashboard's figures include the number of leads of this list. */
function isCounted(filters: LeadListFilters): boolean {
  const { search, status, priority } = filters;
  return isPlain(filters) && !search && !priority && (!status || status in countByStatus);
}

/** Fetches lists whose total differs from the dashboard's figures, because leads beyond the loaded rows were added or removed. */
export function checkTotals(client: QueryClient): void {
  const stats = client.getQueryState<DashboardStats>([getDashboardStats.path]);
  for (const query of leadLists(client)) {
    if (query.state.fetchStatus !== "idle") continue;
    const filters = filtersOf(query);
    const total = pagesOf(query)?.pages.at(-1)?.total;
    // Above a thousand the server returns no exact number.
    if (!total || !/^\d+$/.test(total) || !isCounted(filters)) continue;
    const key = filters.status ? countByStatus[filters.status] : "totalLeads";
    const counts = stats?.status === "success" && !stats.isInvalidated ? stats.data : undefined;
    if (key && counts?.[key] === Number(total)) continue;
    void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
  }
}

function findLead({ pages }: LeadPages, id: number): Lead | undefined {
  for (const { items } of pages) {
    const lead = items.find((item) => item.id === id);
    if (lead) return lead;
  }
  return undefined;
}

function replaceLead(data: LeadPages, lead: Lead): LeadPages {
  return {
    ...data,
    pages: data.pages.map((page) =>
      page.items.some((item) => item.id === lead.id)
        ? { ...page, items: page.items.map((item) => (item.id === lead.id ? lead : item)) }
        : page,
    ),
  };
}

function removeLead(data: LeadPages, id: number): LeadPages {
  return {
    ...data,
    pages: data.pages.map((page) => ({
      ...page,
      items: page.items.filter((item) => item.id !== id),
      total: page.total && /^\d+$/.test(page.total) ? String(Number(page.total) - 1) : page.total,
    })),
  };
}

/** Keeps the time of the last fetch, because only one row was updated. */
function setPages(client: QueryClient, query: Query, data: LeadPages): void {
  client.setQueryData(query.queryKey, data, { updatedAt: query.state.dataUpdatedAt });
}
