import { followUpInstantOf } from "@portal/contract/follow-up-time";
import { browserZone, type FollowUpChoice } from "../lib/follow-up.ts";
import { formatTimeIn } from "../lib/format.ts";
import { formatZoneCity } from "../lib/format-zone.ts";
import { defineMessages, useMessages } from "../lib/i18n.ts";
import { Field } from "./field.tsx";
import { Input } from "./input.tsx";
import { Select } from "./select.tsx";

const followUpTimeMessages = defineMessages("follow-up-time", {
  time: ["Time (optional)", "Hora (opcional)"],
  zone: ["On whose clock", "Según el reloj de"],
  yours: ["Your time", "Tu hora"],
  theirs: ["Their time ({city})", "Su hora ({city})"],
  other: ["{city} time", "Hora de {city}"],
  noDate: ["Choose a day first.", "Primero elige un día."],
  elsewhere: ["{time} there, {here} here", "{time} allí, {here} aquí"],
});

interface FollowUpTimeProps {
  /** The selected day with its time; null without a day. */
  value: FollowUpChoice | null;
  /** The lead's time zone, IANA; null if unknown. */
  leadZone: string | null;
  onChange: (value: FollowUpChoice) => void;
}

/** The optional time of a follow-up: on the user's own clock or on the lead's, with the time on the other one. */
export function FollowUpTime({ value, leadZone, onChange }: FollowUpTimeProps) {
  const t = useMessages(followUpTimeMessages);
  const here = browserZone();
  const zone = value?.zone ?? here;
  const zones = [...new Set([here, leadZone ?? here, zone])];
  const at = value?.time ? followUpInstantOf(value.date, { time: value.time, zone }) : null;
  const other = zone === here ? leadZone : zone;
  const clocks =
    at && other ? { time: formatTimeIn(at, other, true), here: formatTimeIn(at, here, true) } : null;
  const named = (each: string) => {
    if (each === here) return t("yours");
    return t(each === leadZone ? "theirs" : "other", { city: formatZoneCity(each) });
  };
  return (
    <div className="flex flex-wrap items-start gap-x-2 gap-y-3">
      <Field
        label={t("time")}
        hint={
          value === null
            ? t("noDate")
            : clocks && clocks.time !== clocks.here
              ? t("elsewhere", clocks)
              : undefined
        }
        className="min-w-36 flex-1"
      >
        {(control) => (
          <Input
            {...control}
            type="time"
            disabled={value === null}
            value={value?.time ?? ""}
            // An incomplete input is no time yet; the selected clock stays.
            onChange={({ target }) => {
              if (value) onChange({ ...value, time: target.value || null, zone });
            }}
          />
        )}
      </Field>
      {zones.length > 1 ? (
        <Field label={t("zone")} className="min-w-36 flex-1">
          {(control) => (
            <Select
              {...control}
              value={zone}
              disabled={!value?.time}
              onValueChange={(chosen) => value && onChange({ ...value, zone: chosen })}
              options={zones.map((each) => ({ value: each, label: named(each) }))}
            />
          )}
        </Field>
      ) : null}
    </div>
  );
}
