import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../http/app-error.ts";
import { batchRows } from "./service.ts";
import { type RawBatch, splitLeads } from "./split-leads.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The rows of an import, not read yet; null where the body was read whole. */
    importBatches: RawBatch[] | null;
  }
}

const notJson = () => new AppError("invalid", "The body is not valid JSON.");

/** Whether every batch is the JSON array that it seems; other requests have their turn in between. */
async function checkBatches(batches: RawBatch[]): Promise<void> {
  for (const { rows, rowCount } of batches) {
    const parsed: unknown = JSON.parse(rows());
    if (!Array.isArray(parsed) || parsed.length !== rowCount) throw notJson();
    await nextTurn();
  }
}

async function readBody(bytes: Buffer): Promise<{ body: unknown; batches: RawBatch[] | null }> {
  try {
    const split = splitLeads(bytes, batchRows);
    if (!split) return { body: JSON.parse(bytes.toString("utf8")), batches: null };
    await checkBatches(split.batches);
    return { body: split.body, batches: split.batches };
  } catch (error) {
    throw error instanceof SyntaxError ? notJson() : error;
  }
}

/** Reads JSON bodies in this scope batch by batch: a file of 10 MB neither fills the memory nor holds other requests up. */
export function readImportBodies(scope: FastifyInstance): void {
  scope.decorateRequest("importBatches", null);
  scope.removeContentTypeParser("application/json");
  scope.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (request: FastifyRequest, bytes: Buffer) => {
      const { body, batches } = await readBody(bytes);
      request.importBatches = batches;
      return body;
    },
  );
}
