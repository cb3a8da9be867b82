import * as contract from "@portal/contract/routes/imports";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../platform/http/app-error.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import type { WebhookSourceAuth } from "../lead-webhooks/check-source.ts";
import { recordLargeExport } from "../notifications/record-export.ts";
import type { NotificationsContext } from "../notifications/service.ts";
import { failedCsv } from "./export-failed.ts";
import { presentImport } from "./present.ts";
import { readImportBodies } from "./read-body.ts";
import {
  batchesOf,
  getImport,
  type ImportsContext,
  importLeads,
  importOneLead,
  lastImports,
} from "./service.ts";

/** Routes that receive leads from files and other programs. */
export async function registerImportRoutes(
  app: FastifyInstance,
  context: ImportsContext & {
    sourceAuth: Pick<WebhookSourceAuth, "guard">;
    notifications: NotificationsContext;
  },
): Promise<void> {
  const onRequest = context.sourceAuth.guard("import");

  await app.register(async (scope) => {
    readImportBodies(scope);
    bindRoute(
      scope,
      contract.importLeads,
      ({ body, actor, request }) => {
        const { leads, columns = null, mapping = null, fileName = null, ...rest } = body;
        if (columns && new Set(columns).size < columns.length)
          throw new AppError("invalid", "columns: Each header must be there once");
        const batches = request.importBatches ?? batchesOf(leads);
        const input = { ...rest, columns, mapping, fileName, batches, total: leads.length };
        return importLeads(context, { ...input, sender: actor });
      },
      { onRequest },
    );
  });

  bindRoute(
    app,
    contract.importLead,
    async ({ body, actor }) => {
      const { outcome, leadId, unreadablePhones } = await importOneLead(context, {
        record: body,
        sender: actor,
      });
      const imported = outcome === "created" ? 1 : 0;
      return { imported, errors: 0, details: { failed: [] }, outcome, leadId, unreadablePhones };
    },
    { onRequest },
  );

  bindRoute(app, contract.listImports, ({ actor }) => lastImports(context, actor));

  bindRoute(
    app,
    contract.getImport,
    async ({ params, actor }) =>
      presentImport(await getImport(context, { importId: params.id, sender: actor })),
    { onRequest },
  );

  bindRoute(
    app,
    contract.exportFailedRows,
    async ({ params, actor, reply }) => {
      const run = await getImport(context, { importId: params.id, sender: actor });
      const exported = {
        userId: actor?.userId ?? null,
        what: "failed_rows",
        format: "csv",
        count: run.errors,
      } as const;
      await context.database.transaction((tx) => recordLargeExport(tx, context.notifications, exported));
      return reply
        .type("text/csv; charset=utf-8")
        .header("content-disposition", `attachment; filename="import-${run.id}-failed.csv"`)
        .send(await failedCsv(context.database.db, run));
    },
    { onRequest },
  );
}
