import type { BulkGroup } from "@portal/contract/entities/bulk-change";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { bulkMessages, bulkReasonMessages } from "./messages.ts";
import { type AskedEdit, previewQuery } from "./queries.ts";

/** Leads that are left out, by reason: their number and the first names. */
export function LeftOut({ groups }: { groups: readonly Pick<BulkGroup, "reason" | "count" | "leads">[] }) {
  const t = useMessages(bulkMessages);
  const reasonText = useMessages(bulkReasonMessages);
  return (
    <ul className="grid gap-1.5">
      {groups.map(({ reason, count, leads }) => (
        <li key={reason} className="grid text-sm [overflow-wrap:anywhere]">
          <span className="tabular-nums">
            {reason ? reasonText(reason) : null} ({formatNumber(count)})
          </span>
          <span className="text-[0.8125rem] text-muted-foreground">
            {leads.map(({ name }) => name).join(", ")}
            {count > leads.length && leads.length > 0
              ? ` ${t("more", { count: count - leads.length })}`
              : null}
          </span>
        </li>
      ))}
    </ul>
  );
}

interface BulkPreviewProps {
  edit: AskedEdit;
  ids: readonly number[];
  /** Number of segments of the SMS, if it is one. */
  segments?: number;
}

/** What would happen: how many leads, who is left out and why, and the number of SMS segments. */
export function BulkPreview({ edit, ids, segments = 0 }: BulkPreviewProps) {
  const t = useMessages(bulkMessages);
  const { data, isError, refetch } = useQuery({
    ...previewQuery(edit, ids),
    placeholderData: keepPreviousData,
  });
  if (isError) {
    return (
      <div role="alert" className="grid justify-items-start gap-2 text-danger-text text-sm">
        {t("countFailed")}
        <Button variant="secondary" size="sm" onClick={() => void refetch()}>
          {t("retry")}
        </Button>
      </div>
    );
  }
  const isText = edit.kind === "text";
  const counted = (count: number) => t("segment", { count, n: formatNumber(count) });
  return (
    <div className="grid gap-3 rounded-lg border bg-muted/50 px-3.5 py-3">
      <p role="status" className="font-medium text-sm tabular-nums">
        {data
          ? t(isText ? "willText" : "will", { count: data.changed, n: formatNumber(data.changed) })
          : t("counting")}
      </p>
      {isText && data && segments > 0 ? (
        <p className="text-[0.8125rem] text-muted-foreground tabular-nums">
          {t("segments", { each: counted(segments), all: counted(segments * data.changed) })}
        </p>
      ) : null}
      {data && data.leftOut.length > 0 ? (
        <section aria-label={t("left")} className="grid gap-1.5">
          <h3 className="font-medium text-sm">{t("left")}</h3>
          <LeftOut groups={data.leftOut} />
        </section>
      ) : null}
    </div>
  );
}
