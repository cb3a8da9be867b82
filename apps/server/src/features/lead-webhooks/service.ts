import type { AuditAction } from "@portal/contract/entities/audit";
import {
  type DeliveryState,
  type LeadDelivery,
  type SourceAccess,
  type WebhookSourceName,
  type WebhookSourceState,
  webhookSourceNames,
  webhookSources,
} from "@portal/contract/entities/lead-webhook";
import type { Logger } from "pino";
import { type EncryptionKeys, encrypt } from "../../domain/encryption.ts";
import type { Database, Tx } from "../../platform/db/client.ts";
import { AppError } from "../../platform/http/app-error.ts";
import type { AuthSession } from "../../platform/http/session.ts";
import { createEventInbox, type EventInbox } from "../../platform/jobs/event-inbox.ts";
import type { Jobs, Scheduler } from "../../platform/jobs/jobs.ts";
import { publishEvent } from "../../platform/realtime/publish.ts";
import { recordAudit } from "../activity/service.ts";
import { hashKey } from "./check-signature.ts";
import {
  encryptionPurpose,
  newKey,
  overlapHours,
  signsBodies,
  type WebhookSourceAuth,
} from "./check-source.ts";
import { ingestDeliveries } from "./ingest-deliveries.ts";
import {
  clearKey,
  type DeliveryPayload,
  type DeliveryRow,
  deliveryExists,
  deliveryInbox,
  listDeliveryRows,
  listSourceRows,
  reopenDelivery,
  type SourceRow,
  writeKey,
  writeSetting,
} from "./repository.ts";

/** Maximum number of deliveries processed together. */
const deliveriesTogether = 100;

export interface LeadWebhooksContext {
  database: Database;
  log: Logger;
  jobs: Pick<Jobs, "enqueue">;
  sourceAuth: WebhookSourceAuth;
  defaultCountry: "US" | "ES";
  publicUrl: string;
  encryptionKeys: EncryptionKeys;
}

/** Deliveries of leads, stored before the response and processed afterwards. */
export function deliveriesOf(context: LeadWebhooksContext): EventInbox<DeliveryPayload> {
  return createEventInbox<DeliveryPayload>(context, {
    source: deliveryInbox,
    together: deliveriesTogether,
    applyAll: (tx, events) => ingestDeliveries(context, tx, events),
  });
}

/**
 * Queues a stored delivery to be processed again. Its earlier results are recorded by lead, so nothing is created twice. A delivery that is
 * still waiting is unchanged. Errors: `not_found`.
 */
export async function replayDelivery(
  { database }: Pick<LeadWebhooksContext, "database">,
  { id, actor }: { id: number; actor: AuthSession },
): Promise<void> {
  await database.transaction(async (tx) => {
    const source = await reopenDelivery(tx, id);
    if (!source) {
      if (await deliveryExists(tx, id)) return;
      throw new AppError("not_found", "This delivery does not exist.");
    }
    await recordAudit(tx, {
      userId: actor.userId,
      action: "webhook-replayed",
      subject: `webhook-delivery:${id}`,
      data: { source },
    });
    await publishEvent(tx, { topic: "webhook-delivery", id, audience: [] });
  });
}

const deliveriesMs = 2_000;

/** Starts the scheduled task that processes deliveries left after a crash, and retries. */
export function startDeliveryJobs(context: LeadWebhooksContext, scheduler: Scheduler): void {
  scheduler.every(deliveriesMs, () => deliveriesOf(context).work());
}

export async function listSources(context: LeadWebhooksContext): Promise<WebhookSourceState[]> {
  const { db } = context.database;
  const rows = new Map((await listSourceRows(db)).map((row) => [row.source, row]));
  const lasts = await Promise.all(
    webhookSources.map(async (source) => {
      const [last] = await listDeliveryRows(db, { source, limit: 1 });
      return [source, last && presentDelivery(last)] as const;
    }),
  );
  const lastOf = new Map<WebhookSourceName, (typeof lasts)[number][1]>(lasts);
  return Promise.all(
    webhookSourceNames.map(async (source) =>
      presentSource({
        source,
        publicUrl: context.publicUrl,
        access: await context.sourceAuth.accessOf(source),
        row: rows.get(source),
        last: lastOf.get(source),
      }),
    ),
  );
}

async function changeSource(
  context: LeadWebhooksContext,
  { source, actor, act }: { source: WebhookSourceName; actor: AuthSession; act: AuditAction },
  change: (tx: Tx) => Promise<void>,
): Promise<WebhookSourceState> {
  await context.database.transaction(async (tx) => {
    await change(tx);
    await recordAudit(tx, {
      userId: actor.userId,
      action: act,
      subject: `webhook-source:${source}`,
      data: {},
    });
    await publishEvent(tx, { topic: "webhook-source", id: 0, audience: "all" });
  });
  context.sourceAuth.forget();
  const sources = await listSources(context);
  return sources.find((of) => of.source === source) as WebhookSourceState;
}

/** Creates or rotates a source's key; the previous one stays valid for `overlapHours`. Only this response contains the key. */
export async function createKey(
  context: LeadWebhooksContext,
  { source, actor }: { source: WebhookSourceName; actor: AuthSession },
): Promise<{ key: string; source: WebhookSourceState }> {
  const key = newKey();
  const { encryptionKeys } = context;
  const sealed = signsBodies(source)
    ? encrypt(key, { encryptionKeys, purpose: encryptionPurpose(source, "key") })
    : null;
  const state = await changeSource(context, { source, actor, act: "webhook-key-made" }, (tx) =>
    writeKey(tx, {
      source,
      hash: hashKey(key),
      sealed,
      hint: key.slice(-4),
      userId: actor.userId,
      overlapHours,
    }),
  );
  return { key, source: state };
}

/** Removes a source's key and the previous one at once. */
export function removeKey(
  context: LeadWebhooksContext,
  { source, actor }: { source: WebhookSourceName; actor: AuthSession },
): Promise<WebhookSourceState> {
  return changeSource(context, { source, actor, act: "webhook-key-removed" }, (tx) => clearKey(tx, source));
}

interface Settings {
  clientSecret?: string | null | undefined;
  organizationId?: string | null | undefined;
}

/** Changes settings of the sender's system; absent ones stay unchanged. Errors: `invalid` for a setting that the source does not have. */
export function updateSource(
  context: LeadWebhooksContext,
  { source, settings, actor }: { source: WebhookSourceName; settings: Settings; actor: AuthSession },
): Promise<WebhookSourceState> {
  const { clientSecret, organizationId } = settings;
  if (clientSecret !== undefined && source !== "hubspot")
    throw new AppError("invalid", "Only HubSpot has a client secret.");
  if (organizationId !== undefined && source !== "salesforce")
    throw new AppError("invalid", "Only Salesforce has an organization.");
  const seal = (secret: string) =>
    encrypt(secret, {
      encryptionKeys: context.encryptionKeys,
      purpose: encryptionPurpose(source, "client secret"),
    });
  return changeSource(context, { source, actor, act: "webhook-source-changed" }, async (tx) => {
    if (clientSecret !== undefined)
      await writeSetting(tx, {
        source,
        column: "client_secret_encrypted",
        value: clientSecret === null ? null : seal(clientSecret),
      });
    if (organizationId !== undefined)
      await writeSetting(tx, { source, column: "organization_id", value: organizationId });
  });
}

function stateOf({ processedAt, attempts, error, items }: DeliveryRow): DeliveryState {
  if (!processedAt) return attempts > 0 ? "retrying" : "received";
  if (items.length === 0) return error ? "failed" : "done";
  return items.every(({ outcome }) => outcome === "rejected") ? "rejected" : "done";
}

export function presentDelivery(row: DeliveryRow): LeadDelivery {
  const state = stateOf(row);
  const reason = state === "rejected" ? (row.items[0]?.reason ?? null) : null;
  return {
    id: row.id,
    source: row.source,
    receivedAt: row.receivedAt.toISOString(),
    state,
    // An internal error is only logged, as it may contain values and table names.
    reason,
    contentType: row.payload.contentType,
    body: row.payload.body,
    test: row.payload.test,
    items: row.items.map(({ outcome, reason: why, leadId, leadName }) => ({
      outcome,
      reason: why,
      leadId,
      leadName,
    })),
  };
}

function addressOf(publicUrl: string, source: WebhookSourceName): string {
  return source === "import" ? `${publicUrl}/api/import/leads` : `${publicUrl}/api/webhook/${source}`;
}

function presentSource(input: {
  source: WebhookSourceName;
  publicUrl: string;
  access: SourceAccess;
  row: SourceRow | undefined;
  last: LeadDelivery | undefined;
}): WebhookSourceState {
  const { source, row, last } = input;
  const hasKey = row?.keyHash && row.keyHint && row.keyCreatedAt;
  return {
    source,
    address: addressOf(input.publicUrl, source),
    access: input.access,
    key: hasKey
      ? {
          hint: row.keyHint as string,
          createdAt: (row.keyCreatedAt as Date).toISOString(),
          createdBy: row.keyCreatedByName,
          previousUntil: row.previousUntil?.toISOString() ?? null,
        }
      : null,
    hasClientSecret: Boolean(row?.clientSecretEncrypted),
    organizationId: row?.organizationId ?? null,
    lastDelivery: last ? { at: last.receivedAt, state: last.state, reason: last.reason } : null,
  };
}
