import type { ListPage } from "@portal/contract/entities/lead-list";
import { limits } from "@portal/contract/limits";
import { listAllLeads } from "@portal/contract/routes/all-leads";
import { listCallLogs } from "@portal/contract/routes/calls";
import { listClients } from "@portal/contract/routes/clients";
import { listLeads } from "@portal/contract/routes/leads";
import { z } from "zod";
import { AppError } from "../../platform/http/app-error.ts";

/** The columns of rows in order, as an address holds them: words with commas between. */
const columns = z
  .string()
  .regex(new RegExp(`^[a-zA-Z]{1,40}(,[a-zA-Z]{1,40}){0,${limits.listColumnsMax - 1}}$`))
  .optional();

/** What an address of a list may hold: the filters and the order of its route, and the columns of its rows. */
function addressOf({ query }: { query?: z.ZodObject | undefined }) {
  const { limit: _limit, cursor: _cursor, ...filters } = query?.shape ?? {};
  return z.strictObject({ ...filters, columns });
}

const addresses: Record<ListPage, z.ZodType> = {
  leads: addressOf(listLeads),
  "all-leads": addressOf(listAllLeads),
  contacts: addressOf(listClients),
  "call-history": addressOf(listCallLogs),
};

/** The query of a view as it is kept: what the list knows and nothing else, each once. Errors: `invalid`. */
export function checkedViewQuery(page: ListPage, query: string): string {
  const given = new URLSearchParams(query);
  const held = [...new Map(given)].filter(([, value]) => value !== "");
  if (!addresses[page].safeParse(Object.fromEntries(held)).success)
    throw new AppError(
      "invalid",
      "This address is not one of the list. Open the list and save the view there.",
    );
  return new URLSearchParams(held).toString();
}
