import { type ExtraField, listExtraFields } from "@portal/contract/routes/leads";
import { useQuery } from "@tanstack/react-query";
import { useMessages } from "../../lib/i18n.ts";
import { routeQuery } from "../../lib/query-client.ts";
import { timelineMessages } from "./timeline-messages.ts";

/** Fields that came with a lead and have no column. */
export function extraFieldsQuery(id: number) {
  return { ...routeQuery(listExtraFields, { params: { id } }), staleTime: 0 };
}

/** Longer lists are collapsed, so that the content below stays near. */
const shownOpen = 6;

/** Fields that came with a lead by import or webhook and have no column; nothing without any. */
export function ExtraFields({ leadId }: { leadId: number }) {
  const t = useMessages(timelineMessages);
  const { data = [] } = useQuery(extraFieldsQuery(leadId));
  const fields = data.filter(({ from }) => from === "import");
  return <FieldList title={t("extraFields", { count: fields.length })} fields={fields} />;
}

interface FieldListProps {
  title: string;
  fields: readonly Pick<ExtraField, "name" | "value">[];
}

/** Names and values as the sender wrote them, under a collapsible title; nothing without any. */
export function FieldList({ title, fields }: FieldListProps) {
  if (fields.length === 0) return null;
  return (
    <details open={fields.length <= shownOpen} className="rounded-xl border px-4 py-3 text-sm">
      <summary className="cursor-pointer font-semibold pointer-coarse:py-3">{title}</summary>
      <dl className="grid gap-x-6 gap-y-3 pt-3 sm:grid-cols-2">
        {fields.map(({ name, value }) => (
          <div key={name} className="min-w-0">
            <dt className="break-words text-muted-foreground text-xs">{name}</dt>
            <dd dir="auto" className="whitespace-pre-line break-words">
              {value}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
