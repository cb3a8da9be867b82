import type { Lead } from "@portal/contract/entities/lead";
import type { ScheduledSms } from "@portal/contract/entities/scheduled-sms";
import { useQuery } from "@tanstack/react-query";
import { Clock, TriangleAlert } from "lucide-react";
import { type FormEvent, type ReactNode, type Ref, useState } from "react";
import { formatFields, formatInZone, formatZoneCity } from "../../../lib/format-zone.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { useRefusalMessage } from "../../telephony/call/messages.ts";
import { scheduledMessages } from "../messages.ts";
import { leadScheduledQuery, useChangeScheduled, useScheduleSms } from "./queries.ts";

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

interface ScheduleFormProps {
  /** The form, for a submit from outside. */
  ref: Ref<HTMLFormElement>;
  lead: Pick<Lead, "id" | "textAllowedAt">;
  text: string;
  templateVersionId: number | undefined;
  /** Returns whether the text can be sent; if not, it shows why. */
  mayGo: () => boolean;
  onDone: () => void;
}

const dayMs = 86_400_000;

/** The day and time for sending an SMS, in the lead's zone. */
export function ScheduleForm({ ref, lead, text, templateVersionId, mayGo, onDone }: ScheduleFormProps) {
  const t = useMessages(scheduledMessages);
  const { data } = useQuery(leadScheduledQuery(lead.id));
  const schedule = useScheduleSms(lead.id);
  const [chosen, setChosen] = useState<{ day?: string; time?: string }>({});
  const timeZone = data?.timeZone;
  if (!timeZone) return null;
  // Defaults to when the lead may be texted again, else to tomorrow at ten.
  const first = lead.textAllowedAt
    ? formatFields(new Date(Date.parse(lead.textAllowedAt) + 59_999), timeZone)
    : { ...formatFields(new Date(Date.now() + dayMs), timeZone), time: "10:00" };
  const { day, time } = { ...first, ...chosen };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (schedule.isPending || text === "" || day === "" || time === "" || !mayGo()) return;
    schedule.mutate({ message: text, day, time, templateVersionId }, { onSuccess: onDone });
  };
  return (
    // A separate form, so that Enter in its fields does not send at once.
    <form
      ref={ref}
      aria-label={t("later")}
      onSubmit={submit}
      className="grid grid-cols-1 gap-2 border-t px-5 py-3 sm:px-6"
    >
      <div className="flex flex-wrap items-end gap-2">
        <Field label={t("day")}>
          {(control) => (
            <Input
              {...control}
              type="date"
              className="w-40"
              min={formatFields(new Date(), timeZone).day}
              value={day}
              onChange={({ target }) => setChosen({ ...chosen, day: target.value })}
            />
          )}
        </Field>
        <Field label={t("time")}>
          {(control) => (
            <Input
              {...control}
              type="time"
              className="w-38"
              value={time}
              onChange={({ target }) => setChosen({ ...chosen, time: target.value })}
            />
          )}
        </Field>
        <Button
          type="submit"
          pending={schedule.isPending}
          disabled={text === "" || day === "" || time === ""}
        >
          {schedule.isPending ? null : <Clock aria-hidden />}
          {t(schedule.isPending ? "scheduling" : "schedule")}
        </Button>
      </div>
      <p className="text-muted-foreground text-xs">{t("clock", { city: formatZoneCity(timeZone) })}</p>
    </form>
  );
}
