import type { DialerPreview, DialerSkipReason, DialerSource } from "@portal/contract/entities/dialer";
import { dialerSkipReasons } from "@portal/contract/entities/dialer";
import type { Session } from "../../http/session.ts";
import { startOfNextDay } from "../../values/contact-window.ts";
import { actsOnAnyLead } from "../calls/policy.ts";
import { decideContact } from "../gate/decide-contact.ts";
import { reasonAgainst } from "./against-dialling.ts";
import { type Candidate, type ListRequest, listCandidates } from "./data-candidates.ts";
import type { DialerContext } from "./service.ts";

/** Leads that are shown of each group. */
const shownLeads = 200;

export interface ListInput {
  actor: Session;
  source: DialerSource;
  order: ListRequest["order"];
}

/** The list as the database is asked for it. */
export function listRequest(
  { orgTimeZone }: Pick<DialerContext, "orgTimeZone">,
  input: ListInput,
): ListRequest {
  return {
    userId: input.actor.userId,
    anyLead: actsOnAnyLead(input.actor),
    source: input.source,
    order: input.order,
    dayEnd: startOfNextDay(new Date(), orgTimeZone),
  };
}

interface Judged {
  lead: Candidate;
  reason: DialerSkipReason | null;
  allowedAt: Date | null;
}

const shown = ({ lead, allowedAt }: Judged) => ({
  leadId: lead.leadId,
  name: lead.name,
  company: lead.company,
  allowedAt: allowedAt?.toISOString() ?? null,
});

function groupOf(reason: DialerSkipReason, judged: Judged[], orgTimeZone: string) {
  const waiting = judged.filter(({ allowedAt }) => allowedAt !== null);
  const first = waiting.reduce<Judged | null>(
    (best, one) => (best?.allowedAt && one.allowedAt && best.allowedAt <= one.allowedAt ? best : one),
    null,
  );
  // A number whose area spans zones names several; the first will do to tell the time in.
  const timeZone = first && (first.lead.timeZone?.split("&")[0] ?? orgTimeZone);
  return {
    reason,
    count: judged.length,
    allowedAt: first?.allowedAt?.toISOString() ?? null,
    timeZone,
    leads: judged.slice(0, shownLeads).map(shown),
  };
}

/** What Start would do with these leads, by the gate's answer for each at this moment. */
export async function previewDialer(context: DialerContext, input: ListInput): Promise<DialerPreview> {
  const { gate, orgTimeZone } = context;
  const candidates = await listCandidates(context.database.db, listRequest(context, input));
  const now = new Date();
  const judged = candidates.map((lead): Judged => {
    // In the order in which the dialling asks.
    const against = reasonAgainst(lead, input.source);
    if (against) return { lead, reason: against, allowedAt: null };
    const answer = decideContact({ lead, channel: "call", now, rules: gate });
    return answer.allowed
      ? { lead, reason: null, allowedAt: null }
      : { lead, reason: answer.reason, allowedAt: answer.nextAllowedAt ?? null };
  });
  const free = judged.filter(({ reason }) => reason === null);
  return {
    total: judged.length,
    now: free.length,
    nowLeads: free.slice(0, shownLeads).map(shown),
    groups: dialerSkipReasons.flatMap((reason) => {
      const some = judged.filter((one) => one.reason === reason);
      return some.length > 0 ? [groupOf(reason, some, orgTimeZone)] : [];
    }),
  };
}
