import { calendarTypes } from "@portal/contract/entities/meeting";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { CheckboxField } from "../../../ui/checkbox.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import type { MeetingDraft } from "../meeting-draft.ts";
import { meetingMessages } from "../meeting-messages.ts";
import { googleStatusQuery } from "../queries.ts";

interface TypeFieldsProps {
  draft: MeetingDraft;
  onChange: (part: Partial<MeetingDraft>) => void;
  /** The link cannot be opened. */
  badLink: boolean;
  /** Show errors even while typing, after an attempt to save. */
  tried: boolean;
}

/** The meeting's calendar and link. */
export function TypeFields({ draft, onChange, badLink, tried }: TypeFieldsProps) {
  const t = useMessages(meetingMessages);
  const [left, setLeft] = useState(false);
  const { data: google } = useQuery(googleStatusQuery());
  const isGoogle = draft.calendarType === "google";
  const hints = {
    google: google && !google.connected ? t("googleMissing") : undefined,
    outlook: t("outlookHint"),
    local: undefined,
  };
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <div className="grid content-start gap-2">
        <Field label={t("type")} hint={hints[draft.calendarType]}>
          {(control) => (
            <Select
              {...control}
              value={draft.calendarType}
              onValueChange={(calendarType) => onChange({ calendarType })}
              options={calendarTypes.map((value) => ({ value, label: t(`type_${value}`) }))}
            />
          )}
        </Field>
        {isGoogle && google?.connected ? (
          <CheckboxField
            checked={draft.wantsMeetLink}
            onChange={(wantsMeetLink) => onChange({ wantsMeetLink })}
          >
            {t("meetLink")}
          </CheckboxField>
        ) : null}
      </div>
      <Field
        label={t("link")}
        error={badLink && (tried || left) ? t("linkBad") : undefined}
        className="content-start"
      >
        {(control) => (
          <Input
            {...control}
            type="url"
            inputMode="url"
            placeholder={t("linkPlaceholder")}
            maxLength={2_000}
            value={draft.meetingLink}
            onBlur={() => setLeft(true)}
            onChange={(event) => {
              setLeft(false);
              onChange({ meetingLink: event.target.value });
            }}
          />
        )}
      </Field>
    </div>
  );
}
