import { limits } from "@portal/contract/limits";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { PickRow } from "../../../ui/pick-row.tsx";
import { leadSearchQuery } from "../../sms/queries.ts";
import type { MeetingLead } from "../meeting-draft.ts";
import { meetingMessages } from "../meeting-messages.ts";

interface LeadFieldProps {
  lead: MeetingLead | null;
  onChange: (lead: MeetingLead | null) => void;
}

/** Whom the meeting is with: one of one's own leads, or nobody. */
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
