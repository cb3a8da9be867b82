import type {
  DeliveryState,
  LeadDelivery,
  SourceAccess,
  WebhookSourceName,
  WebhookSourceState,
} from "@portal/contract/entities/lead-webhook";
import type { DeliveryRow } from "./delivery-repository.ts";
import type { SourceRow } from "./source-repository.ts";

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

export function presentSource(input: {
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
