import type { Lead } from "@portal/contract/entities/lead";
import { getAllLeadsStats } from "@portal/contract/routes/all-leads";
import { listFollowUps } from "@portal/contract/routes/assignment";
import { getDashboardStats, getLead, listLeads } from "@portal/contract/routes/leads";
import { CancelledError, type QueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { ApiError, callRoute, routePath } from "./api.ts";
import { fetchCode } from "./connection.ts";
import { invalidatePaths, readsPath } from "./query-client.ts";

/** Which lists a lead stands in is worked out by code that comes with the first lead that changes. */
const importCache = () => import("./lead-cache.ts");
const loadCache = () => fetchCode(importCache);
/** More leads than these that changed at once are read with their pages. */
const leadsReadAlone = 10;

/** A lead as it is now (null: deleted), also where it was only looked at; "all" where it is not known which ones changed. */
export type LeadUpdate = { id: number; lead: Lead | null; isOnlyRead?: boolean } | "all";

const listeners = new Set<(update: LeadUpdate) => void>();

/** Runs `handler` for every lead that an event named, once it is read, while the component is on screen. */
export function useLeadUpdates(handler: (update: LeadUpdate) => void): void {
  const onUpdate = useEffectEvent(handler);
  useEffect(() => {
    const listener = (update: LeadUpdate) => onUpdate(update);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }, []);
}

/** Has those who show leads of their own read them again. */
export function notifyLeadUpdate(update: LeadUpdate): void {
  for (const listener of listeners) listener(update);
}

/** Reads the lists of leads again, and what else shows leads. */
function readLeadLists(client: QueryClient): Promise<void> {
  notifyLeadUpdate("all");
  return invalidatePaths(client, [listLeads.path]);
}

/** Reads the leads and their figures again. */
export async function refreshLeads(client: QueryClient): Promise<void> {
  await Promise.all([readLeadLists(client), invalidatePaths(client, [getDashboardStats.path])]);
}

/** What is shown of one lead (ids), of any lead (null), but the lead itself: its history, its messages. */
export async function invalidateBelowLeads(client: QueryClient, ids: readonly number[] | null) {
  await client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => {
      const [, id] = typeof path === "string" ? (/^\/api\/leads\/(\d+)\//.exec(path) ?? []) : [];
      return id !== undefined && (ids === null || ids.includes(Number(id)));
    },
  });
}

/**
 * Reads leads that changed, each once, and shows them wherever they stand; `counted` is what reads the figures again. Very many, or one
 * that is not known (0), are read with their pages. Where no leads are on screen, nothing is read until some are.
 */
export async function readChangedLeads(
  client: QueryClient,
  ids: readonly number[],
  counted: Promise<unknown>,
): Promise<void> {
  const isShown = client
    .getQueryCache()
    .findAll({ type: "active" })
    .some((query) => readsPath(query, [listLeads.path]));
  if (!isShown || ids.length > leadsReadAlone || ids.includes(0)) return readLeadLists(client);
  const below = invalidateBelowLeads(client, ids);
  try {
    const { applyLead, checkTotals } = await loadCache();
    const leads = await Promise.all(ids.map((id) => readLead(client, id)));
    for (const [index, id] of ids.entries()) {
      const lead = leads[index];
      if (lead === undefined) continue;
      applyLead(client, id, lead);
      notifyLeadUpdate({ id, lead });
    }
    await Promise.all([below, counted]);
    checkTotals(client);
  } catch {
    return readLeadLists(client);
  }
}

/**
 * The lead as it is now; null where it was deleted, undefined where a newer read of it has begun. The read is a query of its own: one that a
 * dialog shares would be broken off when the dialog closes.
 */
async function readLead(client: QueryClient, id: number): Promise<Lead | null | undefined> {
  const path = routePath(getLead, { id });
  try {
    await client.cancelQueries({ queryKey: [path] });
    const lead = await client.fetchQuery({
      queryKey: [path, "changed"],
      queryFn: () => callRoute(getLead, { params: { id } }),
      staleTime: 0,
      gcTime: 0,
    });
    // One that was merged into another is answered for by that one.
    return lead.id === id ? lead : null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    if (error instanceof CancelledError) return undefined;
    throw error;
  }
}

/** Shows a lead that the server has just saved, and reads the figures again. */
export async function showSavedLead(client: QueryClient, lead: Lead): Promise<void> {
  const { applyLead, checkTotals } = await loadCache();
  applyLead(client, lead.id, lead);
  notifyLeadUpdate({ id: lead.id, lead });
  const counted = [getDashboardStats.path, listFollowUps.path, getAllLeadsStats.path];
  await Promise.all([invalidatePaths(client, counted), invalidateBelowLeads(client, [lead.id])]);
  checkTotals(client);
}
