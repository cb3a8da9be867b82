import type { ConvertedClient } from "@portal/contract/routes/clients";
import { useQuery } from "@tanstack/react-query";
import { formatRelative } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { RecentList } from "../../../ui/recent-list.tsx";
import { recentClientsQuery } from "../queries.ts";
import { contactsTexts } from "../texts.ts";
import { ValueBadge } from "./value-badge.tsx";

/** The five latest clients (specification §2). */
export function RecentConversions({ onOpen }: { onOpen: (client: ConvertedClient) => void }) {
  const t = useTexts(contactsTexts);
  const { data, isError } = useQuery(recentClientsQuery());
  return (
    <RecentList
      title={t("recentConversions")}
      failure={isError ? t("recentFailed") : null}
      empty={t("recentEmpty")}
      items={data?.map((client) => ({
        key: client.id,
        name: client.name,
        note: `${formatRelative(client.convertedDate)} · ${client.salesRepName ?? t("unassigned")}`,
        badge: <ValueBadge value={client.conversionValue} />,
        onOpen: () => onOpen(client),
      }))}
    />
  );
}
