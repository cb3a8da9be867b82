import type { Lead } from "@portal/contract/entities/lead";
import { getAllLeadsStats } from "@portal/contract/routes/all-leads";
import { listFollowUps } from "@portal/contract/routes/assignment";
import { getDashboardStats, getLead, listLeads } from "@portal/contract/routes/leads";
import { CancelledError, type QueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { ApiError, callRoute, routePath } from "./api.ts";
import { fetchCode } from "./connection.ts";
import { invalidatePaths, readsPath } from "./query-client.ts";

/** Loaded with the first change of a lead: the code that updates the cached lists. */
const importCache = () => import("./lead-cache.ts");
const loadCache = () => fetchCode(importCache);
/** If more leads change at once, their pages are fetched instead. */
const leadsReadAlone = 10;

/** A lead's current version (null: deleted; `isOnlyRead`: fetched without a change), or "all" if the changed leads are unknown. */
export type LeadUpdate = { id: number; lead: Lead | null; isOnlyRead?: boolean } | "all";

const listeners = new Set<(update: LeadUpdate) => void>();

/** Runs `handler` for every lead that an event named, once it is fetched, while the component is mounted. */
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

/** Notifies components that show leads outside of the cached lists. */
export function notifyLeadUpdate(update: LeadUpdate): void {
  for (const listener of listeners) listener(update);
}

/** Fetches the lists of leads, and notifies components that show leads. */
function readLeadLists(client: QueryClient): Promise<void> {
  notifyLeadUpdate("all");
  return invalidatePaths(client, [listLeads.path]);
}

/** Fetches the lists of leads and their figures. */
export async function refreshLeads(client: QueryClient): Promise<void> {
  await Promise.all([readLeadLists(client), invalidatePaths(client, [getDashboardStats.path])]);
}

/** Fetches the data below leads (history, messages): of these ids, or of any lead (null). */
export async function invalidateBelowLeads(client: QueryClient, ids: readonly number[] | null) {
  await client.invalidateQueries({
    predicate: ({ queryKey: [path] }) => {
      const [, id] = typeof path === "string" ? (/^\/api\/leads\/(\d+)\//.exec(path) ?? []) : [];
      return id !== undefined && (ids === null || ids.includes(Number(id)));
    },
  });
}

/**
 * Fetches each of the changed leads once and updates all views; `counted` is the pending fetch of the figures. Very many leads, or an
 * unknown one (0), are fetched with their pages. If no leads are on screen, the fetch is left until some are.
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
  try {
    const { applyLead, checkTotals } = await loadCache();
    const leads = await Promise.all(ids.map((id) => readLead(client, id)));
    for (const [index, id] of ids.entries()) {
      const lead = leads[index];
      if (lead === undefined) continue;
      applyLead(client, id, lead);
      notifyLeadUpdate({ id, lead });
    }
    // Once they are shown: of a lead that has become a colleague's the panel no longer shows what is below it, and may not read it.
    await new Promise((resolve) => setTimeout(resolve));
    await Promise.all([invalidateBelowLeads(client, ids), counted]);
    checkTotals(client);
  } catch {
    await Promise.all([readLeadLists(client), invalidateBelowLeads(client, ids)]);
  }
}

/**
 * The current version of a lead; null if it was deleted, undefined if a newer fetch of it has begun. Uses a query of its own, because one
 * shared with a dialog would be canceled when the dialog closes.
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
    // A merged lead's id returns the surviving lead.
    return lead.id === id ? lead : null;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    if (error instanceof CancelledError) return undefined;
    throw error;
  }
}

/** Shows a lead that the server has just saved, and fetches the figures. */
export async function showSavedLead(client: QueryClient, lead: Lead): Promise<void> {
  const { applyLead, checkTotals } = await loadCache();
  applyLead(client, lead.id, lead);
  notifyLeadUpdate({ id: lead.id, lead });
  const counted = [getDashboardStats.path, listFollowUps.path, getAllLeadsStats.path];
  await Promise.all([invalidatePaths(client, counted), invalidateBelowLeads(client, [lead.id])]);
  checkTotals(client);
}
