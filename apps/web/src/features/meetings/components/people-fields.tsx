import { readAttendees } from "@portal/contract/attendees";
import { limits } from "@portal/contract/limits";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { TriangleAlert, UserPlus, X } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { PickRow } from "../../../ui/pick-row.tsx";
import { leadSearchQuery } from "../../sms/queries.ts";
import type { MeetingLead } from "../meeting-draft.ts";
import { meetingMessages } from "../meeting-messages.ts";

interface AttendeesFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** A suggested address: the lead's. */
  suggestion: string | null;
  /** Show errors even while typing, after an attempt to save. */
  tried: boolean;
}

/** The invited people: every address is validated, and an invalid one is named. */
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

interface LeadFieldProps {
  lead: MeetingLead | null;
  onChange: (lead: MeetingLead | null) => void;
}

/** The lead of a meeting: one of the user's own, or none. */
export function LeadField({ lead, onChange }: LeadFieldProps) {
  const t = useMessages(meetingMessages);
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search.trim());
  const { data: found } = useQuery({ ...leadSearchQuery(wanted), placeholderData: keepPreviousData });
  const shown = wanted === "" ? undefined : found;
  if (lead) {
    return (
      <div className="grid gap-1.5">
        <p className="font-medium text-[0.8125rem] leading-5">{t("lead")}</p>
        <p className="flex min-h-9 items-center justify-between gap-2 rounded-md border bg-muted/40 pl-3 text-sm">
          <span className="min-w-0 truncate">{lead.name}</span>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t("removeLead", { name: lead.name })}
            onClick={() => onChange(null)}
          >
            <X aria-hidden />
          </Button>
        </p>
      </div>
    );
  }
  return (
    <Field label={t("lead")}>
      {(control) => (
        <div className="grid gap-1">
          <Input
            {...control}
            type="search"
            placeholder={t("searchLead")}
            maxLength={limits.searchMaxLength}
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          {shown?.length === 0 ? (
            <p role="status" className="text-[0.8125rem] text-muted-foreground">
              {t("noLeadFound")}
            </p>
          ) : null}
          {shown && shown.length > 0 ? (
            <ul className="grid gap-0.5 rounded-md border p-1">
              {shown.map(({ id, name, email, company }) => (
                <li key={id}>
                  <PickRow
                    note={company}
                    onClick={() => {
                      setSearch("");
                      onChange({ id, name, email });
                    }}
                  >
                    {name}
                  </PickRow>
                </li>
              ))}
            </ul>
          ) : null}
        </div>
      )}
    </Field>
  );
}
