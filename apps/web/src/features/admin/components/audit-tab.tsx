import type { RouteResponse } from "@portal/contract/route";
import type { listAudit } from "@portal/contract/routes/admin";
import { useInfiniteQuery } from "@tanstack/react-query";
import { FilterX } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { useSearchText } from "../../../lib/use-search-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { type AuditGroup, auditGroups } from "../admin-search.ts";
import { auditPages } from "../queries.ts";
import { formatInstant } from "../spanish-format.ts";
import { actionTexts, adminTexts, logTexts } from "../texts.ts";
import { AuditDetails } from "./audit-details.tsx";
import { anything, DayField, UserField } from "./filter-fields.tsx";
import { type LogColumn, LogList } from "./log-list.tsx";
import type { PartProps } from "./part.ts";

type Entry = RouteResponse<typeof listAudit>[number];

/** Who did what: the audit with its filters. */
export function AuditTab({ search, onChange }: PartProps) {
  const t = useTexts(logTexts);
  const common = useTexts(adminTexts);
  const { user, action, subject, from, to } = search;
  const found = useInfiniteQuery(auditPages({ user, action, subject, from, to }));
  const columns: LogColumn<Entry>[] = [
    { key: "at", label: common("when"), className: "w-56", cell: ({ at }) => formatInstant(at) },
    {
      key: "user",
      label: common("user"),
      className: "w-44",
      cell: ({ userName }) => userName ?? common("system"),
    },
    {
      key: "action",
      label: t("action"),
      className: "w-60",
      cell: (entry) => <ActionName action={entry.action} />,
    },
    { key: "subject", label: t("subject"), className: "w-36", cell: (entry) => entry.subject ?? "—" },
    { key: "data", label: t("details"), cell: ({ data }) => <AuditDetails data={data} /> },
  ];
  const isFiltered = [user, action, subject, from, to].some((value) => value !== undefined);
  const clear = { user: undefined, action: undefined, subject: undefined, from: undefined, to: undefined };
  return (
    <>
      <p className="text-muted-foreground text-sm">{t("auditIntro")}</p>
      <div className="grid grid-cols-2 items-end gap-3 max-sm:*:first:col-span-2 lg:grid-cols-5">
        <UserField value={user} onChange={(next) => onChange({ user: next })} />
        <Field label={t("action")}>
          {(control) => (
            <Select
              {...control}
              value={action || anything}
              onValueChange={(next) =>
                onChange({ action: auditGroups.find((group) => group && group === next) })
              }
              options={auditGroups.map((group: AuditGroup) => ({
                value: group || anything,
                label: t(`group_${group}`),
              }))}
            />
          )}
        </Field>
        <SubjectField value={subject} onChange={(next) => onChange({ subject: next })} />
        <DayField label={t("from")} value={from} onChange={(next) => onChange({ from: next })} />
        <DayField label={t("to")} value={to} onChange={(next) => onChange({ to: next })} />
      </div>
      {isFiltered ? (
        <Button variant="ghost" className="justify-self-start" onClick={() => onChange(clear)}>
          <FilterX aria-hidden />
          {common("clear")}
        </Button>
      ) : null}
      <LogList
        caption={common("tab_audit")}
        found={found}
        columns={columns}
        empty={{ title: t("auditEmpty"), description: t("auditEmptyText") }}
      />
    </>
  );
}

const isNamed = (action: string): action is keyof typeof actionTexts.pairs => action in actionTexts.pairs;

function ActionName({ action }: { action: string }) {
  const t = useTexts(actionTexts);
  return isNamed(action) ? (
    <span title={action}>{t(action)}</span>
  ) : (
    <code className="text-xs">{action}</code>
  );
}

function SubjectField({
  value = "",
  onChange,
}: {
  value: string | undefined;
  onChange: (subject: string | undefined) => void;
}) {
  const t = useTexts(logTexts);
  const [typed, setTyped] = useSearchText(value, (text) => onChange(text.trim() || undefined));
  return (
    <Field label={t("subject")}>
      {(control) => (
        <Input
          {...control}
          maxLength={60}
          placeholder={t("subjectPlaceholder")}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
    </Field>
  );
}
