import type { Meeting } from "@portal/contract/entities/meeting";
import { limits } from "@portal/contract/limits";
import { formatTimeIn } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { browserZone } from "../local-time.ts";
import type { DraftTimes, MeetingDraft } from "../meeting-draft.ts";
import { meetingTexts } from "../meeting-texts.ts";
import { DateField } from "./date-field.tsx";
import { TimeNotes } from "./time-notes.tsx";

interface WhenFieldsProps {
  draft: MeetingDraft;
  onChange: (part: Partial<MeetingDraft>) => void;
  times: DraftTimes;
  meeting: Meeting | null;
  missing: ReadonlySet<string>;
}

/** Day, time and duration, with what the clocks of that night make of them. */
export function WhenFields({ draft, onChange, times, meeting, missing }: WhenFieldsProps) {
  const t = useTexts(meetingTexts);
  const zone = browserZone();
  const required = (field: string) => (missing.has(field) ? t("required") : undefined);
  const isGap = draft.day !== "" && draft.time !== "" && times.instants.length === 0;
  const [first, second] = times.instants;
  // A meeting from elsewhere may last as long as no option says.
  const lengths = [...new Set([...limits.meetingMinutes, draft.minutes])].sort((one, other) => one - other);
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 sm:grid-cols-3">
        <DateField value={draft.day} onChange={(day) => onChange({ day })} error={required("day")} />
        <Field label={t("time")} error={isGap ? t("gap") : required("time")} className="content-start">
          {(control) => (
            <Input
              {...control}
              type="time"
              step={300}
              value={draft.time}
              onChange={(event) => onChange({ time: event.target.value })}
            />
          )}
        </Field>
        <Field label={t("duration")} className="content-start">
          {(control) => (
            <Select
              {...control}
              value={String(draft.minutes)}
              onValueChange={(minutes) => onChange({ minutes: Number(minutes) })}
              options={lengths.map((minutes) => ({
                value: String(minutes),
                label: t("minutes", { minutes }),
              }))}
            />
          )}
        </Field>
      </div>
      {first && second ? (
        <Field label={t("doubled")}>
          {(control) => (
            <Select
              {...control}
              value={draft.second ? "second" : "first"}
              onValueChange={(which) => onChange({ second: which === "second" })}
              options={[
                { value: "first", label: t("doubledFirst", { zone: formatTimeIn(first, zone, true) }) },
                { value: "second", label: t("doubledSecond", { zone: formatTimeIn(second, zone, true) }) },
              ]}
            />
          )}
        </Field>
      ) : null}
      <TimeNotes times={times} meeting={meeting} />
    </div>
  );
}
