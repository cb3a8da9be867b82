import type { Lead } from "@portal/contract/entities/lead";
import { listLeads } from "@portal/contract/routes/leads";
import type { InfiniteData, Query, QueryClient } from "@tanstack/react-query";
import type { Page } from "../../lib/query-client.ts";

type LeadPages = InfiniteData<Page<Lead[]>, string | null>;

function isLeadPages({ queryKey: [path, , kind] }: Query): boolean {
  return path === listLeads.path && kind === "pages";
}

/**
 * Shows a change of one lead in every list that holds it, before or after the server has it.
 * Returns what takes the change back, of this lead and these fields only: another lead saved meanwhile stays.
 */
export function patchLead(client: QueryClient, id: number, change: Partial<Lead>): () => void {
  // A read that is under way would bring the old row back.
  void client.cancelQueries({ predicate: isLeadPages });
  const before = new Map<string, Lead>();
  for (const query of client.getQueryCache().findAll({ predicate: isLeadPages })) {
    const data = query.state.data as LeadPages | undefined;
    const lead = data && findLead(data, id);
    if (!lead) continue;
    before.set(query.queryHash, lead);
    query.setData(replaceLead(data, { ...lead, ...change }));
  }
  return () => {
    for (const query of client.getQueryCache().findAll({ predicate: isLeadPages })) {
      const data = query.state.data as LeadPages | undefined;
      const old = before.get(query.queryHash);
      const now = data && findLead(data, id);
      if (!data || !old || !now) continue;
      const fields = Object.keys(change) as (keyof Lead)[];
      query.setData(
        replaceLead(data, { ...now, ...Object.fromEntries(fields.map((field) => [field, old[field]])) }),
      );
    }
  };
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
