import type { Lead } from "@portal/contract/entities/lead";
import { listLeads } from "@portal/contract/routes/leads";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLeadUpdates } from "../../../lib/lead-updates.ts";
import { listSource } from "../../../lib/long-list/list-pages.ts";
import type { Page } from "../../../lib/query-client.ts";

const listName = "lead-rows";

/** The leads of filters and order, as rows. */
export const leadRows = (query: object) => listSource(listName, listLeads, query);

/**
 * Moves whenever the rows have to be read again. A lead that changed is shown at once where it stands, also where the filters would no longer
 * find it: nothing moves under a reader's eyes.
 */
export function useRowsSignal(): number {
  const client = useQueryClient();
  const [signal, setSignal] = useState(1);
  useLeadUpdates((update) => {
    if (update !== "all" && update.lead) {
      const { lead } = update;
      client.setQueriesData<Page<Lead[]>>({ queryKey: [listName] }, (page) =>
        page?.items.some(({ id }) => id === lead.id)
          ? { ...page, items: page.items.map((each) => (each.id === lead.id ? lead : each)) }
          : page,
      );
    }
    setSignal((now) => now + 1);
  });
  return signal;
}
