import type { IntakeSource, IntakeSourceState } from "@portal/contract/entities/lead-webhook";
import { intakeSources, webhookSources } from "@portal/contract/entities/lead-webhook";
import type { Tx } from "../../db/client.ts";
import { publishEvent } from "../../events/publish.ts";
import { AppError } from "../../http/app-error.ts";
import type { Session } from "../../http/session.ts";
import { sealText } from "../../values/sealed-text.ts";
import { recordAudit } from "../audit/service.ts";
import { listDeliveryRows } from "./data-deliveries.ts";
import { clearKey, listSourceRows, writeKey, writeSetting } from "./data-sources.ts";
import { newKey, overlapHours, sealPurpose, signsBodies } from "./keys.ts";
import { presentDelivery, presentSource } from "./present.ts";
import type { LeadWebhooksContext } from "./service.ts";
import { hashKey } from "./signatures.ts";

/** Every source as it stands. */
export async function listSources(context: LeadWebhooksContext): Promise<IntakeSourceState[]> {
  const { db } = context.database;
  const rows = new Map((await listSourceRows(db)).map((row) => [row.source, row]));
  const lasts = await Promise.all(
    webhookSources.map(async (source) => {
      const [last] = await listDeliveryRows(db, { source, limit: 1 });
      return [source, last && presentDelivery(last)] as const;
    }),
  );
  const lastOf = new Map<IntakeSource, (typeof lasts)[number][1]>(lasts);
  return Promise.all(
    intakeSources.map(async (source) =>
      presentSource({
        source,
        publicUrl: context.publicUrl,
        access: await context.intake.accessOf(source),
        row: rows.get(source),
        last: lastOf.get(source),
      }),
    ),
  );
}

async function changeSource(
  context: LeadWebhooksContext,
  { source, actor, act }: { source: IntakeSource; actor: Session; act: string },
  change: (tx: Tx) => Promise<void>,
): Promise<IntakeSourceState> {
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
  context.intake.forget();
  const sources = await listSources(context);
  return sources.find((of) => of.source === source) as IntakeSourceState;
}

/** Makes a source's key or rotates it: the one before works for `overlapHours` more. The key is answered here and never again. */
export async function createKey(
  context: LeadWebhooksContext,
  { source, actor }: { source: IntakeSource; actor: Session },
): Promise<{ key: string; source: IntakeSourceState }> {
  const key = newKey();
  const { encryptionKey } = context;
  const sealed = signsBodies(source)
    ? sealText(key, { encryptionKey, purpose: sealPurpose(source, "key") })
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

/** Ends a source's key at once, and the one before it. */
export function removeKey(
  context: LeadWebhooksContext,
  { source, actor }: { source: IntakeSource; actor: Session },
): Promise<IntakeSourceState> {
  return changeSource(context, { source, actor, act: "webhook-key-removed" }, (tx) => clearKey(tx, source));
}

interface Settings {
  clientSecret?: string | null | undefined;
  organizationId?: string | null | undefined;
}

/** Sets what the sender's own system gives; what is not named stays. Errors: `invalid` for a setting that the source does not have. */
export function updateSource(
  context: LeadWebhooksContext,
  { source, settings, actor }: { source: IntakeSource; settings: Settings; actor: Session },
): Promise<IntakeSourceState> {
  const { clientSecret, organizationId } = settings;
  if (clientSecret !== undefined && source !== "hubspot")
    throw new AppError("invalid", "Only HubSpot has a client secret.");
  if (organizationId !== undefined && source !== "salesforce")
    throw new AppError("invalid", "Only Salesforce has an organisation.");
  const seal = (secret: string) =>
    sealText(secret, {
      encryptionKey: context.encryptionKey,
      purpose: sealPurpose(source, "client secret"),
    });
  return changeSource(context, { source, actor, act: "webhook-source-changed" }, async (tx) => {
    if (clientSecret !== undefined)
      await writeSetting(tx, {
        source,
        column: "client_secret_sealed",
        value: clientSecret === null ? null : seal(clientSecret),
      });
    if (organizationId !== undefined)
      await writeSetting(tx, { source, column: "organization_id", value: organizationId });
  });
}
