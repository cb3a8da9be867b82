import type { Lead } from "@portal/contract/entities/lead";
import { useQuery } from "@tanstack/react-query";
import { Clock } from "lucide-react";
import { type FormEvent, type Ref, useState } from "react";
import { formatFields, formatZoneCity } from "../../../lib/format-zone.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { scheduledMessages } from "./messages.ts";
import { leadScheduledQuery, useScheduleSms } from "./queries.ts";

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
