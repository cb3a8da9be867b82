import type { RouteResponse } from "@portal/contract/route";
import type { listAudit } from "@portal/contract/routes/admin";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Download, FilterX } from "lucide-react";
import { useMessages } from "../../../lib/i18n.ts";
import { useSearchText } from "../../../lib/use-search-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import { type AuditGroup, auditGroups } from "../admin-search.ts";
import { factsOf, subjectLabel } from "../audit-values.ts";
import { formatInstant } from "../format-spanish.ts";
import { actionMessages, adminMessages, logMessages } from "../messages.ts";
import { auditFile, auditPages, peopleQuery } from "../queries.ts";
import { anything, DayField, type LogColumn, LogList, UserField } from "./log-list.tsx";
import type { PartProps } from "./read-part.tsx";

type Entry = RouteResponse<typeof listAudit>[number];

/** The audit log with its filters. */
export function AuditTab({ search, onChange }: PartProps) {
  const t = useMessages(logMessages);
  const common = useMessages(adminMessages);
  const { user, action, subject, from, to } = search;
  const found = useInfiniteQuery(auditPages({ user, action, subject, from, to }));
  const { data: people } = useQuery(peopleQuery());
  const nameOf = (userId: number) => people?.find(({ id }) => id === userId)?.name;
  const columns: LogColumn<Entry>[] = [
    { key: "at", label: common("when"), className: "w-56", cell: ({ at }) => formatInstant(at) },
    {
      key: "user",
      label: common("user"),
      className: "w-44",
      // The user of a failed sign-in is unknown.
      cell: ({ userName, action }) => userName ?? (action === "sign-in-failed" ? "—" : common("system")),
    },
    {
      key: "action",
      label: t("action"),
      className: "w-60",
      cell: (entry) => <ActionName action={entry.action} />,
    },
    {
      key: "subject",
      label: t("subject"),
      className: "w-36",
      cell: ({ subject: of }) => <span title={of ?? undefined}>{subjectLabel(of, nameOf)}</span>,
    },
    { key: "data", label: t("details"), cell: ({ data }) => <AuditDetails data={data} nameOf={nameOf} /> },
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
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" asChild>
          <a href={auditFile({ user, action, subject, from, to })} download="audit.jsonl">
            <Download aria-hidden />
            {t("auditExport")}
          </a>
        </Button>
        {isFiltered ? (
          <Button variant="ghost" onClick={() => onChange(clear)}>
            <FilterX aria-hidden />
            {common("clear")}
          </Button>
        ) : null}
      </div>
      <LogList
        caption={common("tab_audit")}
        found={found}
        columns={columns}
        empty={{ title: t("auditEmpty"), description: t("auditEmptyText") }}
      />
    </>
  );
}

const isNamed = (action: string): action is keyof typeof actionMessages.pairs =>
  action in actionMessages.pairs;

function ActionName({ action }: { action: string }) {
  const t = useMessages(actionMessages);
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
  const t = useMessages(logMessages);
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

interface AuditDetailsProps {
  data: Record<string, unknown>;
  nameOf: (userId: number) => string | undefined;
}

/** The data of an entry as labelled values. */
function AuditDetails({ data, nameOf }: AuditDetailsProps) {
  const t = useMessages(logMessages);
  const facts = factsOf(data, nameOf);
  if (facts.length === 0) return <span className="text-muted-foreground">{t("noDetails")}</span>;
  return (
    <ul className="grid gap-0.5 text-xs leading-5">
      {facts.map(({ label, value }) => (
        <li key={label} className="[overflow-wrap:anywhere]">
          <span className="text-muted-foreground">{label}:</span> {value}
        </li>
      ))}
    </ul>
  );
}
