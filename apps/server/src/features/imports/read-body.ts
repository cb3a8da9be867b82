import { isUtf8 } from "node:buffer";
import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "@portal/contract/limits";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AppError } from "../../platform/http/app-error.ts";
import { batchSize } from "./service.ts";
import { splitCsv } from "./split-csv.ts";
import { type RawBatch, splitLeads } from "./split-leads.ts";

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
export function readImportBodies(scope: FastifyInstance): void {
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
