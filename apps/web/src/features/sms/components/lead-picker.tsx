import type { Lead } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { formatPhone } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Input } from "../../../ui/input.tsx";
import { PickRow } from "../../../ui/pick-row.tsx";
import { inboxMessages } from "../messages.ts";
import { leadSearchQuery } from "../queries.ts";

interface LeadPickerProps {
  isPending: boolean;
  onPick: (lead: Lead) => void;
}

/** Searches the user's leads, to attach what came from a number. */
export function LeadPicker({ isPending, onPick }: LeadPickerProps) {
  const t = useMessages(inboxMessages);
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search.trim());
  const { data: leads } = useQuery({ ...leadSearchQuery(wanted), placeholderData: keepPreviousData });
  const shown = wanted === "" ? undefined : leads;
  return (
    <div className="grid gap-2 rounded-md border bg-muted/40 p-3">
      <Input
        type="search"
        autoFocus
        aria-label={t("search")}
        placeholder={t("searchPlaceholder")}
        maxLength={limits.searchMaxLength}
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {shown?.length === 0 ? (
        <p role="status" className="text-muted-foreground text-sm">
          {t("noLead")}
        </p>
      ) : null}
      <ul className="grid gap-0.5">
        {shown?.map((lead) => (
          <li key={lead.id}>
            <PickRow
              note={lead.phone ? formatPhone(lead.phone) : lead.company}
              disabled={isPending}
              onClick={() => onPick(lead)}
            >
              {lead.name}
            </PickRow>
          </li>
        ))}
      </ul>
    </div>
  );
}
