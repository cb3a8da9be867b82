import { readAttendees } from "@portal/contract/attendees";
import { TriangleAlert, UserPlus } from "lucide-react";
import { useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { meetingMessages } from "../meeting-messages.ts";

interface AttendeesFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** An address to offer: the lead's. */
  suggestion: string | null;
  /** Says what is wrong also while it is being typed: a save was tried. */
  tried: boolean;
}

/** Who is invited: every address is checked by itself, and the bad one is named. */
export function AttendeesField({ value, onChange, suggestion, tried }: AttendeesFieldProps) {
  const t = useMessages(meetingMessages);
  const [left, setLeft] = useState(value !== "");
  const { emails, bad } = readAttendees(value);
  const wrong = left || tried ? bad : bad.filter((each) => !value.trimEnd().endsWith(each));
  const isOffered =
    suggestion !== null && !emails.some((each) => each.toLowerCase() === suggestion.toLowerCase());
  return (
    <div className="grid grid-cols-1 gap-2">
      <Field
        label={t("attendees")}
        hint={t("attendeesHint")}
        error={wrong.length > 0 ? t("attendeesBad", { emails: wrong.join(", ") }) : undefined}
      >
        {(control) => (
          <Input
            {...control}
            type="text"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={4_000}
            value={value}
            onBlur={() => setLeft(true)}
            onChange={(event) => {
              setLeft(false);
              onChange(event.target.value);
            }}
          />
        )}
      </Field>
      {emails.length + wrong.length > 0 ? (
        <ul aria-label={t("attendeesList")} className="flex flex-wrap gap-1.5">
          {emails.map((email) => (
            <li key={email} className="min-w-0">
              <Badge tone="primary">
                <span className="truncate">{email}</span>
              </Badge>
            </li>
          ))}
          {wrong.map((email) => (
            <li key={email} className="min-w-0">
              <Badge tone="danger">
                <TriangleAlert aria-hidden />
                <span className="truncate">{email}</span>
              </Badge>
            </li>
          ))}
        </ul>
      ) : null}
      {isOffered ? (
        <Button
          variant="secondary"
          size="sm"
          className="max-w-full justify-self-start"
          onClick={() => onChange([...emails, ...bad, suggestion].join(", "))}
        >
          <UserPlus aria-hidden />
          <span className="truncate">{t("inviteLead", { email: suggestion })}</span>
        </Button>
      ) : null}
    </div>
  );
}
