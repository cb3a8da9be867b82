import type { ImportResult } from "@portal/contract/entities/import";
import { exportFailedRows, getImport, importLeads, listImports } from "@portal/contract/routes/imports";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { request, routeUrl } from "../../lib/api.ts";
import { errorText } from "../../lib/errors.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { invalidatePaths, routeQuery } from "../../lib/query-client.ts";
import { toast } from "../../ui/toast.ts";
import { importMessages } from "./messages.ts";
import type { OpenedSource } from "./use-source.ts";
import { type ImportOptions, searchOf } from "./write-body.ts";

const pollMs = 3_000;

/** The latest imports; live while one is running. */
export function importsQuery() {
  return { ...routeQuery(listImports), staleTime: 0 };
}

/** A running import, polled until it ends; disabled without an id. */
export function importQuery(id: number | null) {
  return {
    ...routeQuery(getImport, { params: { id: id ?? 0 } }),
    enabled: id !== null,
    staleTime: 0,
    // Events report progress; polling is for missed ones.
    refetchInterval: ({ state }: { state: { data?: { running: boolean } | undefined } }) =>
      state.data?.running === false ? (false as const) : pollMs,
  };
}

/** The address for downloading the failed rows. */
export function failedRowsUrl(importId: number): string {
  return routeUrl(exportFailedRows, { params: { id: importId } });
}

/** Starts an import, and shows the result if it ends within the request. */
export function useImportLeads() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ opened, options }: { opened: OpenedSource; options: ImportOptions }) => {
      const body = await opened.body(options);
      const { data } = await request(importLeads.method, `${importLeads.path}${searchOf(body, options)}`, {
        body,
      });
      return data as ImportResult;
    },
    onSuccess: (result) => {
      if (!result.running) showOutcome(result);
      void invalidatePaths(client, [listImports.path, "/api/leads", "/api/dashboard-stats"]);
    },
    onError: (error) => {
      const t = messagesOf(importMessages);
      toast({
        title: t("failedTitle"),
        description: errorText(error, t("failedText")),
        error,
        tone: "destructive",
      });
    },
  });
}

/** Shows a toast at the end of an import. */
export function showOutcome(result: ImportResult): void {
  const { imported, updated, skipped, errors, unreadablePhones, gaveUp } = result;
  const t = messagesOf(importMessages);
  if (gaveUp) return void toast({ title: t("failedTitle"), description: t("gaveUp"), tone: "destructive" });
  const summary = t("summary", { imported, updated, skipped, errors });
  const phones = unreadablePhones > 0 ? `. ${t("unreadablePhones", { count: unreadablePhones })}` : "";
  toast({
    title: t("completeTitle"),
    description: `${summary}${phones}`,
    tone: imported + updated === 0 && errors > 0 ? "warning" : "success",
  });
}
