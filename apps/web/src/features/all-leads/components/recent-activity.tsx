import type { SystemLead } from "@portal/contract/routes/all-leads";
import { useQuery } from "@tanstack/react-query";
import { formatRelative } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { StatusBadge } from "../../../ui/lead-badges.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { recentLeadsQuery } from "../queries.ts";
import { allLeadsTexts } from "../texts.ts";

/** The five newest leads (specification §2), above the list: below it nobody would ever come. */
export function RecentActivity({ onOpen }: { onOpen: (lead: SystemLead) => void }) {
  const t = useTexts(allLeadsTexts);
  const { data, isError } = useQuery(recentLeadsQuery());
  return (
    <section
      aria-labelledby="recent-activity"
      className="grid gap-2 rounded-xl border bg-surface p-4 shadow-card"
    >
      <h2 id="recent-activity" className="font-semibold text-base leading-6">
        {t("recentActivity")}
      </h2>
      {isError && !data ? <p className="text-muted-foreground text-sm">{t("recentFailed")}</p> : null}
      {data?.length === 0 ? <p className="text-muted-foreground text-sm">{t("recentEmpty")}</p> : null}
      {!data && !isError ? <Skeleton className="h-11 w-full" /> : null}
      {data && data.length > 0 ? (
        <ul className="grid gap-x-4 lg:grid-cols-5">
          {data.map((lead) => (
            <li
              key={lead.id}
              className="relative flex min-h-11 min-w-0 items-center justify-between gap-3 rounded-md px-2 py-1.5 hover:bg-muted/60 max-lg:-mx-2 lg:-mx-2 lg:flex-col lg:items-start lg:gap-1.5"
            >
              <div className="min-w-0 max-lg:flex-1 lg:w-full">
                <button
                  type="button"
                  aria-haspopup="dialog"
                  title={lead.name}
                  className="block max-w-full truncate rounded-sm text-left font-medium text-sm after:absolute after:inset-0"
                  onClick={() => onOpen(lead)}
                >
                  {lead.name}
                </button>
                <span className="block truncate text-muted-foreground text-xs">
                  {formatRelative(lead.createdAt)} · {lead.salesRepName ?? t("unassigned")}
                </span>
              </div>
              <span className="shrink-0">
                <StatusBadge status={lead.status} />
              </span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
