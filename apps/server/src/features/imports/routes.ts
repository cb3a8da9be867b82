import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "@portal/contract/limits";
import * as contract from "@portal/contract/routes/imports";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../platform/http/app-error.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import type { WebhookSourceAuth } from "../lead-webhooks/check-source.ts";
import { type NotificationsContext, recordLargeExport } from "../notifications/service.ts";

import { failedCsv, presentImport } from "./present.ts";
import {
  batchesOf,
  batchSize,
  getImport,
  type ImportsContext,
  importLeads,
  importOneLead,
  lastImports,
} from "./service.ts";
import { type RawBatch, splitCsv, splitLeads } from "./split-rows.ts";

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

declare module "fastify" {
  interface FastifyRequest {
    /** Unparsed rows of an import in batches; null if the body was parsed as a whole. */
    importBatches: RawBatch[] | null;
  }
}

const notJson = () => new AppError("invalid", "The body is not valid JSON.");

/** Checks that every batch is a JSON array of its length, yielding to other requests in between. */
async function checkBatches(batches: RawBatch[]): Promise<void> {
  for (const { rows, rowCount } of batches) {
    const parsed: unknown = JSON.parse(rows());
    if (!Array.isArray(parsed) || parsed.length !== rowCount) throw notJson();
    await nextTurn();
  }
}

async function readBody(bytes: Buffer): Promise<{ body: unknown; batches: RawBatch[] | null }> {
  // Decoding would silently replace invalid bytes.
  if (!isUtf8(bytes)) throw new AppError("invalid", "The body is not UTF-8.");
  try {
    const split = splitLeads(bytes, batchSize);
    if (!split) return { body: JSON.parse(bytes.toString("utf8")), batches: null };
    await checkBatches(split.batches);
    return { body: split.body, batches: split.batches };
  } catch (error) {
    throw error instanceof SyntaxError ? notJson() : error;
  }
}

/** The JSON body that corresponds to a CSV body and its query; its rows are not parsed. */
function readCsv(bytes: Buffer, query: Record<string, unknown>) {
  const { columns, batches, total } = splitCsv(bytes, batchSize);
  const { sourceSystem, fileName, duplicates, mapping } = query;
  const options = { sourceSystem, fileName, duplicates, mapping: mapping && readMapping(String(mapping)) };
  return { body: { ...options, columns, leads: Array.from({ length: total }, () => null) }, batches };
}

function readMapping(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError("invalid", "mapping: Is not valid JSON");
  }
}

/** Parses JSON and CSV bodies in this scope batch by batch, so that a file of 10 MB neither fills the memory nor blocks other requests. */
function readImportBodies(scope: FastifyInstance): void {
  scope.decorateRequest("importBatches", null);
  scope.removeContentTypeParser("application/json");
  scope.addContentTypeParser(
    "application/json",
    { parseAs: "buffer", bodyLimit: limits.importBodyMaxBytes },
    async (request: FastifyRequest, bytes: Buffer) => {
      const { body, batches } = await readBody(bytes);
      request.importBatches = batches;
      return body;
    },
  );
  scope.addContentTypeParser(
    "text/csv",
    { parseAs: "buffer", bodyLimit: limits.importCsvMaxBytes },
    async (request: FastifyRequest, bytes: Buffer) => {
      const { body, batches } = readCsv(bytes, request.query as Record<string, unknown>);
      request.importBatches = batches;
      return body;
    },
  );
}
