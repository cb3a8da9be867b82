import { limits } from "@portal/contract/limits";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { formatPhone } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Input } from "../../../ui/input.tsx";
import { offButton } from "../../../ui/off-button.ts";
import { leadSearchQuery, useAttachText } from "../queries.ts";
import { inboxTexts } from "../texts.ts";

/** Finds one of one's leads and gives the text to them. */
export function LeadPicker({ textId }: { textId: number }) {
  const t = useTexts(inboxTexts);
  const [search, setSearch] = useState("");
  const wanted = useDeferredValue(search.trim());
  const { data: leads } = useQuery({ ...leadSearchQuery(wanted), placeholderData: keepPreviousData });
  const attach = useAttachText();
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
            <button
              type="button"
              onClick={() => attach.mutate({ id: textId, lead })}
              className="flex min-h-9 w-full flex-wrap items-baseline justify-between gap-x-3 rounded-md px-2.5 py-1.5 text-left text-sm hover:bg-muted aria-disabled:opacity-50 pointer-coarse:min-h-11"
              {...(attach.isPending ? offButton : {})}
            >
              <span className="font-medium">{lead.name}</span>
              <span className="text-muted-foreground text-xs tabular-nums">
                {lead.phone ? formatPhone(lead.phone) : lead.company}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
