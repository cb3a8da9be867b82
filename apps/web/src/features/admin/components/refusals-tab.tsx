import { contactRefusals } from "@portal/contract/errors";
import type { RouteResponse } from "@portal/contract/route";
import type { listRefusals } from "@portal/contract/routes/admin";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMessages } from "../../../lib/i18n.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Field } from "../../../ui/field.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { Select } from "../../../ui/select.tsx";
import { formatInstant } from "../format-spanish.ts";
import { adminMessages, logMessages } from "../messages.ts";
import { refusalPages } from "../queries.ts";
import { anything, type LogColumn, LogList, UserField } from "./log-list.tsx";
import type { PartProps } from "./read-part.tsx";

type Refusal = RouteResponse<typeof listRefusals>[number];

/** Contacts refused by the contact policy, with reasons. */
export function RefusalsTab({ search, onChange }: PartProps) {
  const t = useMessages(logMessages);
  const common = useMessages(adminMessages);
  const { user, reason } = search;
  const found = useInfiniteQuery(refusalPages({ user, reason }));
  const columns: LogColumn<Refusal>[] = [
    { key: "at", label: common("when"), className: "w-56", cell: ({ at }) => formatInstant(at) },
    { key: "user", label: common("user"), cell: ({ userName }) => userName },
    {
      key: "lead",
      label: t("lead"),
      cell: ({ leadId, leadName }) => <LeadLink leadId={leadId}>{leadName}</LeadLink>,
    },
    {
      key: "channel",
      label: t("channel"),
      className: "w-24",
      cell: ({ channel }) => t(`channel_${channel}`),
    },
    { key: "by", label: t("by"), className: "w-28", cell: ({ by }) => t(`by_${by}`) },
    {
      key: "reason",
      label: t("reason"),
      className: "w-72",
      cell: ({ reason: why }) => (
        <Badge tone="warning" className="whitespace-normal text-start">
          {t(`reason_${why}`)}
        </Badge>
      ),
    },
  ];
  return (
    <>
      <p className="text-muted-foreground text-sm">{t("refusalsIntro")}</p>
      <div className="grid gap-3 sm:grid-cols-2 lg:max-w-2xl">
        <UserField value={user} onChange={(next) => onChange({ user: next })} />
        <Field label={t("reason")}>
          {(control) => (
            <Select
              {...control}
              value={reason ?? anything}
              onValueChange={(next) => onChange({ reason: contactRefusals.find((of) => of === next) })}
              options={[
                { value: anything, label: common("all") },
                ...contactRefusals.map((value) => ({ value, label: t(`reason_${value}`) })),
              ]}
            />
          )}
        </Field>
      </div>
      <LogList
        caption={common("tab_refusals")}
        found={found}
        columns={columns}
        empty={{ title: t("refusalsEmpty"), description: t("refusalsEmptyText") }}
      />
    </>
  );
}
