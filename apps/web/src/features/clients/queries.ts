import { limits } from "@portal/contract/limits";
import { exportClients, getClientStats, listClients } from "@portal/contract/routes/clients";
import { routeUrl } from "../../lib/api.ts";
import { formatNumber } from "../../lib/format.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { listSource } from "../../lib/long-list/list-pages.ts";
import { routeQuery } from "../../lib/query-client.ts";
import { useExport } from "../../ui/use-export.ts";
import { type ContactsSearch, contactsQuery } from "./contacts-search.ts";
import { contactsMessages } from "./messages.ts";

/** The list of clients for filters and order. */
export function clientList(query: ContactsSearch) {
  return listSource("contacts", listClients, query);
}

/** Figures of the cards; live. */
export function clientStatsQuery() {
  return { ...routeQuery(getClientStats), staleTime: 0 };
}

/** The latest clients, without filters; live. */
export function recentClientsQuery() {
  return {
    ...routeQuery(listClients, { query: { limit: limits.recentActivityItems, sort: "recent" } }),
    staleTime: 0,
  };
}

interface ExportOf {
  filters: ContactsSearch;
  format: "csv" | "json";
}

/** Exports the filtered clients under the recorded file names, and shows how many there are. */
export function useExportClients() {
  return useExport(
    ({ filters, format }: ExportOf) => ({
      url: routeUrl(exportClients, { query: { ...contactsQuery(filters), format } }),
      name: `converted-clients.${format}`,
    }),
    () => {
      const t = messagesOf(contactsMessages);
      return {
        doneTitle: t("exportDoneTitle"),
        done: (count) => t("exportDone", { count, n: formatNumber(count) }),
        failedTitle: t("exportFailedTitle"),
        failedText: t("exportFailedText"),
      };
    },
  );
}
