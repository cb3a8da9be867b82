import type { Lead } from "@portal/contract/entities/lead";
import type { NextTry as NextTryOfLead } from "@portal/contract/entities/retry";
import { limits } from "@portal/contract/limits";
import { decideNextTry, getNextTry } from "@portal/contract/routes/retry-rules";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { CalendarClock } from "lucide-react";
import { callRoute } from "../../../lib/api.ts";
import { errorText } from "../../../lib/errors.ts";
import { formatDate, formatSoon } from "../../../lib/format.ts";
import { defineMessages, messagesOf, type Translate, useMessages } from "../../../lib/i18n.ts";
import { invalidateBelowLeads } from "../../../lib/lead-updates.ts";
import { invalidatePaths, routeQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.ts";
import { outcomeMessages } from "./messages.ts";

const nextTryMessages = defineMessages("next-try", {
  promised: ["Follow-up planned: {when}", "Seguimiento previsto: {when}"],
  waiting: ["Next try from {when}", "Próximo intento desde: {when}"],
  resting: ["Rests until {when}", "En pausa hasta: {when}"],
  asks: ["No more tries by the rules: you decide", "Sin más intentos según las reglas: decides tú"],
  triesOf_one: ["{outcome}, {count} try of {of}", "{outcome}, {count} intento de {of}"],
  triesOf_other: ["{outcome}, {count} tries of {of}", "{outcome}, {count} intentos de {of}"],
  tries_one: ["{outcome}, {count} try", "{outcome}, {count} intento"],
  tries_other: ["{outcome}, {count} tries", "{outcome}, {count} intentos"],
  again: ["Try again", "Volver a intentar"],
  rest: ["Rest {days} days", "Pausar {days} días"],
  failed: ["Nothing was changed", "No se cambió nada"],
});
type Say = Translate<(typeof nextTryMessages)["pairs"]>;

function nextTryText({ kind, until }: NextTryOfLead, lead: NextTryProps["lead"], t: Say): string | null {
  if (kind === "promised") {
    // From the lead, as a change of its follow-up is shown there before the rules are asked again. One by day alone has no time.
    const { nextFollowUpDate: date, nextFollowUpAt: at } = lead;
    return date && t("promised", { when: at ? formatSoon(at) : formatDate(date) });
  }
  if ((kind === "waiting" || kind === "resting") && until) return t(kind, { when: formatSoon(until) });
  return kind === "asks" ? t("asks") : null;
}

interface NextTryProps {
  lead: Pick<Lead, "id" | "attempts" | "status" | "nextFollowUpDate" | "nextFollowUpAt">;
  /** Whether the user may decide about the lead here. */
  withDecision?: boolean;
}

/** When the retry rules suggest the next call, and why; informational only. Nothing if a try is due or none was made. */
export function NextTry({ lead, withDecision = false }: NextTryProps) {
  const t = useMessages(nextTryMessages);
  const label = useMessages(outcomeMessages);
  const isAsked = lead.attempts > 0 && lead.status !== "converted";
  const { data } = useQuery({ ...routeQuery(getNextTry, { params: { id: lead.id } }), enabled: isAsked });
  const text = isAsked && data ? nextTryText(data, lead, t) : null;
  if (!data || text === null) return null;
  const { rule, kind } = data;
  const tries = rule && { outcome: label(rule.outcome), count: rule.tries };
  // There may be more tries than the rule allows, as leads can also be called by hand.
  const reasonText =
    tries && (kind === "waiting" ? t("triesOf", { ...tries, of: rule.of }) : t("tries", tries));
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted-foreground text-sm">
      <p className="inline-flex min-w-0 items-center gap-1.5">
        <CalendarClock aria-hidden className="size-3.5 shrink-0" />
        <span>{[text, reasonText].filter((part) => part !== null).join(" · ")}</span>
      </p>
      {withDecision && (kind === "resting" || kind === "asks") ? (
        <Decision leadId={lead.id} kind={kind} />
      ) : null}
    </div>
  );
}

function Decision({ leadId, kind }: { leadId: number; kind: NextTryOfLead["kind"] }) {
  const t = useMessages(nextTryMessages);
  const client = useQueryClient();
  const decide = useMutation({
    mutationFn: (decision: "again" | "rest") =>
      callRoute(decideNextTry, { params: { id: leadId }, body: { decision } }),
    onError: (error) =>
      toast({
        title: messagesOf(nextTryMessages)("failed"),
        description: errorText(error),
        error,
        tone: "destructive",
      }),
    onSettled: () =>
      Promise.all([invalidateBelowLeads(client, [leadId]), invalidatePaths(client, ["/api/dialer"])]),
  });
  const press = (decision: "again" | "rest") => () => decide.mutate(decision);
  return (
    <span className="flex flex-wrap gap-2">
      <Button variant="secondary" size="sm" pending={decide.isPending} onClick={press("again")}>
        {t("again")}
      </Button>
      {kind === "asks" ? (
        <Button variant="secondary" size="sm" pending={decide.isPending} onClick={press("rest")}>
          {t("rest", { days: limits.retryRestDays })}
        </Button>
      ) : null}
    </span>
  );
}
