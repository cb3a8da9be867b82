import type { InboundCall } from "@portal/contract/entities/call";
import type { Database } from "../../db/client.ts";
import type { Session } from "../../http/session.ts";
import { findLiveInbound } from "./data.ts";

/** The lead for whom this person's own phone rings, or with whom they talk; null where nobody does. */
export async function getLiveInbound(
  { database }: { database: Database },
  actor: Session,
): Promise<InboundCall | null> {
  const row = await findLiveInbound(database.db, actor.userId);
  if (!row) return null;
  return {
    id: row.id,
    leadId: row.leadId,
    leadName: row.leadName,
    state: row.stage === "talking" ? "talking" : "ringing",
    startedAt: row.startedAt.toISOString(),
    answeredAt: row.answeredAt?.toISOString() ?? null,
    now: new Date().toISOString(),
  };
}
