import type { ScheduledSms } from "@portal/contract/entities/scheduled-sms";
import { useQuery } from "@tanstack/react-query";
import { Clock, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { formatInZone, formatZoneCity } from "../../../lib/format-zone.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { useRefusalMessage } from "../../telephony/call/messages.ts";
import { scheduledMessages } from "./messages.ts";
import { leadScheduledQuery, useChangeScheduled } from "./queries.ts";

/** The lead's waiting or held SMS, below the sent ones. */
export function ScheduledList({ leadId }: { leadId: number }) {
  const t = useMessages(scheduledMessages);
  const { data } = useQuery(leadScheduledQuery(leadId));
  if (!data || data.texts.length === 0) return null;
  return (
    <ul
      aria-label={t("list")}
      className="grid max-h-40 shrink-0 grid-cols-1 divide-y overflow-y-auto border-t px-5 sm:px-6"
    >
      {data.texts.map((text) => (
        <ScheduledEntry key={text.id} text={text} />
      ))}
    </ul>
  );
}

/** A waiting SMS with its time, or a held one with the reason; it can be canceled or sent at once. */
export function ScheduledEntry({ text, children }: { text: ScheduledSms; children?: ReactNode }) {
  const t = useMessages(scheduledMessages);
  const change = useChangeScheduled(text.leadId);
  const refusalText = useRefusalMessage("text");
  const { id, state, reason, sendAt, timeZone } = text;
  const isHeld = state === "held";
  const when = t("goesOut", { when: formatInZone(sendAt, timeZone), city: formatZoneCity(timeZone) });
  return (
    <li className="grid grid-cols-1 gap-1 py-2 text-sm">
      {children}
      <p className="line-clamp-3 whitespace-pre-line break-words">{text.message}</p>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
        <p className={isHeld ? "flex gap-1 text-warning-text" : "flex gap-1 text-muted-foreground"}>
          {isHeld ? (
            <TriangleAlert aria-hidden className="size-3.5 shrink-0" />
          ) : (
            <Clock aria-hidden className="size-3.5 shrink-0" />
          )}
          {state === "sending"
            ? t("sending")
            : isHeld && reason
              ? t("held", { reason: reasonText(reason) })
              : when}
        </p>
        {state === "sending" ? null : (
          <span className="ml-auto flex gap-3">
            {isHeld ? (
              <Button
                variant="link"
                size="sm"
                className="h-auto px-0 text-xs"
                pending={change.isPending}
                onClick={() => change.mutate({ id, act: "send" })}
              >
                {t("sendNow")}
              </Button>
            ) : null}
            <Button
              variant="link"
              size="sm"
              className="h-auto px-0 text-xs"
              pending={change.isPending}
              onClick={() => change.mutate({ id, act: "cancel" })}
            >
              {t(isHeld ? "discard" : "cancel")}
            </Button>
          </span>
        )}
      </div>
    </li>
  );

  function reasonText(why: NonNullable<ScheduledSms["reason"]>): string {
    switch (why) {
      case "lead_wrote":
      case "lead_called":
      case "changed_hands":
      case "account_closed":
      case "late":
      case "not_sent":
        return t(`reason_${why}`);
      default:
        return refusalText(why, null);
    }
  }
}
