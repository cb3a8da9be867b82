import type { Import, ImportResult } from "@portal/contract/entities/import";
import { jsonText } from "@portal/contract/json-text";
import { limits } from "@portal/contract/limits";
import type { Logger } from "pino";
import { createRecordReader } from "../../domain/read-lead-record.ts";
import type { Database, Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import type { Jobs } from "../../platform/jobs/jobs.ts";
import { type EventListener, waitForEvent } from "../../platform/realtime/listener.ts";
import { recordAudit } from "../activity/service.ts";
import { ingestLeads } from "../leads/ingest/ingest-leads.ts";
import { prepareLead, recordPolicy } from "../leads/ingest/merge-record.ts";
import { presentImport, presentResult } from "./present.ts";
import {
  findImport,
  freeDeadImports,
  type ImportView,
  insertBatches,
  insertImport,
  listImports,
  type NewImport,
} from "./repository.ts";
import { type BatchSize, type RawBatch, splitLeads } from "./split-rows.ts";

/** Queue of imports; each job works an import for at most a minute. */
export const importQueue = "lead-import";

export interface ImportsContext {
  database: Database;
  events: EventListener;
  jobs: Jobs;
  log: Pick<Logger, "error" | "warn" | "info">;
  defaultCountry: "US" | "ES";
  /** Time a request waits for its import, ms; 20 s by default. */
  importWaitMs?: number;
}

/** The signed-in user, or null for the holder of a key. */
export type Sender = Pick<AuthSession, "userId" | "role"> | null;

/**
 * Size of a batch: small enough that its transaction delays others by a tenth of a second and no statement nears its time limit, even with
 * long notes on a busy machine; large enough that round trips hardly matter.
 */
export const batchSize: BatchSize = { rows: 2_000, bytes: 1024 * 1024 };
const listed = 20;

/** Hands the imports of dead workers to new jobs. */
export async function resumeDeadImports(context: ImportsContext, tx: Tx): Promise<void> {
  for (const importId of await freeDeadImports(tx)) await context.jobs.enqueue(tx, importQueue, { importId });
}

/** Batches of the rows of a parsed body. */
export function batchesOf(leads: unknown[]): RawBatch[] {
  const split = splitLeads(Buffer.from(jsonText({ leads })), batchSize);
  // Without its rows the import would succeed and lose them.
  if (!split) throw new Error("The rows of an import cannot be divided.");
  return split.batches;
}

async function readImport(context: ImportsContext, importId: number): Promise<ImportView> {
  const row = await findImport(context.database.db, importId);
  if (!row) throw new AppError("not_found");
  return row;
}

/** Stores the rows with their job, waits up to 20 s and returns the figures: `running` if the import continues, `gaveUp` if it failed. */
export async function importLeads(
  context: ImportsContext,
  input: Omit<NewImport, "userId"> & { batches: RawBatch[]; sender: Sender },
): Promise<ImportResult> {
  const { batches, sender, ...rest } = input;
  const userId = sender?.userId ?? null;
  const importId = await context.database.transaction(async (tx) => {
    const id = await insertImport(tx, { ...rest, userId });
    await insertBatches(tx, id, batches);
    await recordAudit(tx, {
      userId,
      action: "import",
      subject: `import:${id}`,
      data: { sourceSystem: rest.sourceSystem, fileName: rest.fileName, rows: rest.total },
    });
    await context.jobs.enqueue(tx, importQueue, { importId: id });
    return id;
  });
  // The rows are stored, so their memory is freed while the request waits.
  batches.length = 0;
  const ended = await waitForEvent({
    events: context.events,
    concerns: ({ topic, id }) => topic === "import" && id === importId,
    timeoutMs: context.importWaitMs ?? limits.importWaitMs,
    look: async () => {
      const row = await readImport(context, importId);
      return row.state === "running" ? null : row;
    },
  });
  return presentResult(ended ?? (await readImport(context, importId)));
}

/** One import, for its sender and for administrators. Errors: `not_found`. */
export async function getImport(
  context: ImportsContext,
  { importId, sender }: { importId: number; sender: Sender },
): Promise<ImportView> {
  const row = await readImport(context, importId);
  if (sender?.role !== "admin" && row.userId !== (sender?.userId ?? null)) throw new AppError("not_found");
  return row;
}

/** The latest imports: a consultant's own, for administrators all. */
export async function lastImports(context: ImportsContext, actor: AuthSession): Promise<Import[]> {
  const userId = actor.role === "admin" ? null : actor.userId;
  const rows = await listImports(context.database.db, { userId, limit: listed });
  return rows.map(presentImport);
}

const source = "API Import";

/** Ingests one free-form record; an existing lead stays as it is. Errors: `invalid` with the reason. */
export async function importOneLead(
  context: ImportsContext,
  { record, sender }: { record: Record<string, unknown>; sender: Sender },
): Promise<{ outcome: "created" | "skipped"; leadId: number; unreadablePhones: number }> {
  const { lead, faults, isPhoneUnreadable } = createRecordReader({ country: context.defaultCountry })(record);
  if (faults.length > 0) throw new AppError("invalid", `${faults.join("; ")}.`);
  return context.database.transaction(async (tx) => {
    const policy = recordPolicy({
      known: "skip",
      from: { kind: "import", data: { source } },
      assignTo: sender?.role === "consultant" ? sender.userId : null,
    });
    const prepared = prepareLead({ ...lead, leadSource: lead.leadSource || source }, context.defaultCountry);
    const { leads } = await ingestLeads(tx, [prepared], { policy, jobs: context.jobs, actor: sender });
    const [ingested] = leads;
    if (!ingested) throw new Error("nothing became of a lead");
    const { leadId } = ingested;
    const outcome = ingested.outcome === "created" ? "created" : "skipped";
    await recordAudit(tx, {
      userId: sender?.userId ?? null,
      action: "import",
      subject: `lead:${leadId}`,
      data: { source, outcome },
    });
    return { outcome, leadId, unreadablePhones: outcome === "created" && isPhoneUnreadable ? 1 : 0 };
  });
}
