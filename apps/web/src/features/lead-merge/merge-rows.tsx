import type { LeadMerge } from "@portal/contract/entities/lead-merge";
import { useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { formatPhone, formatSoon } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { mergeMessages } from "./messages.ts";
import { mergesOfLeadQuery, recentMergesQuery, useUndoMerge } from "./queries.ts";

/** Leads merged into this one, with their numbers and emails, and Undo; nothing without any. */
export function MergesOfLead({ leadId }: { leadId: number }) {
  const t = useMessages(mergeMessages);
  const { data } = useQuery(mergesOfLeadQuery(leadId));
  const merges = data?.filter(({ undoneAt }) => undoneAt === null) ?? [];
  if (merges.length === 0) return null;
  return (
    <section aria-label={t("merges")} className="rounded-xl border px-4 py-1">
      <ul className="grid divide-y">
        {merges.map((merge) => (
          <MergeLine key={merge.id} merge={merge} title={t("mergedWith", { name: merge.otherName })} />
        ))}
      </ul>
    </section>
  );
}

/** Merges of the last seven days that can be undone. */
export function RecentMerges() {
  const t = useMessages(mergeMessages);
  const { data } = useQuery(recentMergesQuery());
  const merges = data?.filter(({ undoneAt }) => undoneAt === null) ?? [];
  if (merges.length === 0) return null;
  return (
    <section aria-label={t("merges")} className="grid gap-1">
      <h3 className="font-medium text-sm">{t("merges")}</h3>
      <ul className="grid divide-y">
        {merges.map((merge) => (
          <MergeLine
            key={merge.id}
            merge={merge}
            title={t("mergedInto", { other: merge.otherName, kept: merge.leadName })}
          />
        ))}
      </ul>
    </section>
  );
}

function MergeLine({ merge, title }: { merge: LeadMerge; title: string }) {
  const t = useMessages(mergeMessages);
  const undo = useUndoMerge(merge);
  const { phone, email } = merge.further;
  const further = [phone && formatPhone(phone), email].filter(Boolean).join(" · ");
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5">
      <div className="min-w-0 flex-1 basis-48 [overflow-wrap:anywhere]">
        <p className="font-medium text-sm">{title}</p>
        {further ? <p className="text-sm tabular-nums">{further}</p> : null}
        <p className="text-[0.8125rem] text-muted-foreground">
          {t("by", { name: merge.userName, at: formatSoon(merge.at) })}
        </p>
      </div>
      {merge.mayUndo ? (
        <Button
          variant="secondary"
          size="sm"
          aria-label={t("undoMerge", { name: merge.otherName })}
          pending={undo.isPending}
          onClick={() => undo.mutate()}
        >
          <Undo2 aria-hidden />
          {t("undo")}
        </Button>
      ) : null}
    </li>
  );
}
