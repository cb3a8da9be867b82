import type { SystemLead } from "@portal/contract/routes/all-leads";
import { useQuery } from "@tanstack/react-query";
import { formatRelative } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { StatusBadge } from "../../../ui/lead-badges.tsx";
import { RecentList } from "../../../ui/recent-list.tsx";
import { recentLeadsQuery } from "../queries.ts";
import { allLeadsTexts } from "../texts.ts";

/** The five newest leads (specification §2). */
export function RecentActivity({ onOpen }: { onOpen: (lead: SystemLead) => void }) {
  const t = useTexts(allLeadsTexts);
  const { data, isError } = useQuery(recentLeadsQuery());
  return (
    <RecentList
      title={t("recentActivity")}
      failure={isError ? t("recentFailed") : null}
      empty={t("recentEmpty")}
      items={data?.map((lead) => ({
        key: lead.id,
        name: lead.name,
        note: `${formatRelative(lead.createdAt)} · ${lead.salesRepName ?? t("unassigned")}`,
        badge: <StatusBadge status={lead.status} />,
        onOpen: () => onOpen(lead),
      }))}
    />
  );
}
