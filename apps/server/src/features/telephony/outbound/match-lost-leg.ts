import { findOwn } from "../../../domain/lost-request.ts";
import type { ProviderLeg, Telephony } from "../../../ports/telephony.ts";
import type { CallsContext } from "../types.ts";
import { knownSids, type LineRow } from "./line-repository.ts";
import { type CallRow, findRivals } from "./repository.ts";

/**
 * Finds the consultant's leg of a call or open line whose request had its answer lost; null if the provider knows of none. Consultants
 * without a number share the office line, so other pending or lost requests to it are taken into account. Errors: `ProviderError`.
 */
export async function matchLostLeg(
  { database: { db } }: Pick<CallsContext, "database">,
  telephony: Telephony,
  asked: { call: CallRow } | { line: LineRow },
): Promise<ProviderLeg | null> {
  const { repNumber, askedAt, callId, lineId } =
    "call" in asked
      ? {
          ...asked.call,
          askedAt: asked.call.askedAt ?? asked.call.requestedAt,
          callId: asked.call.id,
          lineId: null,
        }
      : {
          ...asked.line,
          askedAt: asked.line.askedAt ?? asked.line.startedAt,
          callId: null,
          lineId: asked.line.id,
        };
  const made = await telephony.findCallsTo({ to: repNumber, since: askedAt });
  const known = await knownSids(
    db,
    made.map(({ sid }) => sid),
  );
  return findOwn(made, { askedAt, known, rivals: await findRivals(db, { repNumber, callId, lineId }) });
}
