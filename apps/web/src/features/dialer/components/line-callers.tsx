import type { DialerCaller, DialerSession } from "@portal/contract/entities/dialer";
import { PhoneIncoming } from "lucide-react";
import { formatTime } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { lineMessages } from "../line-messages.ts";
import { useMoveNext } from "../queries.ts";

interface LineCallersProps {
  session: DialerSession;
  callers: readonly DialerCaller[];
}

/** Leads who called while their consultant was on the line, whose phone was not rung: one press takes them next. */
export function LineCallers({ session, callers }: LineCallersProps) {
  const t = useMessages(lineMessages);
  const take = useMoveNext(session.id);
  return (
    <ul aria-label={t("callers")} aria-live="polite" className="grid gap-2 empty:hidden">
      {callers.map(({ leadId, name, calledAt, state, isNext }) => (
        <li
          key={leadId}
          className="flex items-center gap-2 rounded-lg border border-primary/40 bg-primary-soft py-1.5 pr-1.5 pl-3 text-sm"
        >
          <PhoneIncoming aria-hidden className="size-4 shrink-0 text-primary-text" />
          <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">
            {t(`caller_${state}`, { name })} <time dateTime={calledAt}>{formatTime(calledAt)}</time>
          </p>
          {isNext ? (
            <p className="px-2 font-medium">{t("comesNext")}</p>
          ) : (
            <Button
              size="sm"
              variant="secondary"
              aria-label={t("takeNextOf", { name })}
              pending={take.isPending && take.variables === leadId}
              onClick={() => take.mutate(leadId)}
            >
              {t("takeNext")}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
