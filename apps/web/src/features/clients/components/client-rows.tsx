import type { ConvertedClient } from "@portal/contract/routes/clients";
import type { ReactNode } from "react";
import { RelativeTime } from "../../../lib/clock.tsx";
import { formatDate, formatMoney, formatNumber, formatPhone } from "../../../lib/format.ts";
import { PriorityBadge } from "../../../ui/badge.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
import type { ContactsTranslate } from "../messages.ts";
import type { ClientColumn } from "./client-columns.tsx";

/** Columns of single-line rows; the first one is always shown. */
export const clientColumnKeys = [
  ...["name", "value", "converted", "lastAttempt", "calls", "rep"],
  ...["last", "phone", "email", "source", "priority"],
] as const;

export const firstClientColumns = ["name", "value", "lastAttempt", "converted", "calls", "rep"] as const;

type ClientColumnKey = (typeof clientColumnKeys)[number];

/** Column labels. */
export const clientColumnLabels = (t: ContactsTranslate): Record<ClientColumnKey, string> => ({
  name: t("name"),
  value: t("value"),
  converted: t("converted"),
  lastAttempt: t("lastAttempt"),
  calls: t("totalCalls"),
  rep: t("salesRep"),
  last: t("lastContact"),
  phone: t("phone"),
  email: t("email"),
  source: t("source"),
  priority: t("priority"),
});

const orNothing = (value: ReactNode) => value ?? <span className="text-muted-foreground">—</span>;

interface ClientLinesInput {
  t: ContactsTranslate;
  /** Keys of the columns, separated by commas. */
  shown: string;
  /** There is room for one column only. */
  isNarrow: boolean;
}

/** The shown columns, in order. */
export function clientLines({ t, shown, isNarrow }: ClientLinesInput): ClientColumn[] {
  const all: Record<ClientColumnKey, Omit<ClientColumn, "key" | "label">> = {
    name: {
      width: 11,
      grow: 1.5,
      sort: { up: "name", first: "name" },
      isFree: true,
      cell: (client) => (
        <>
          <LeadLink
            leadId={client.leadId}
            data-control="name"
            title={client.name}
            className="relative z-1 block w-fit max-w-full truncate font-medium leading-6"
          >
            {client.name}
          </LeadLink>
          {isNarrow ? (
            <LastAttempt lead={client} className="text-muted-foreground text-xs leading-4" />
          ) : null}
        </>
      ),
    },
    value: {
      width: 7.5,
      isEnd: true,
      sort: { down: "value", first: "value" },
      cell: ({ conversionValue }) => formatMoney(conversionValue),
    },
    converted: {
      width: 7.5,
      sort: { down: "recent", first: "recent" },
      cell: ({ convertedDate }) => formatDate(convertedDate),
    },
    lastAttempt: {
      width: 13,
      grow: 1.5,
      cell: (client) => orNothing(client.attempts > 0 ? <LastAttempt lead={client} /> : null),
    },
    calls: {
      width: 6,
      isEnd: true,
      sort: { down: "calls", first: "calls" },
      cell: ({ totalCalls }) => formatNumber(totalCalls),
    },
    rep: { width: 8, grow: 0.5, cell: ({ salesRepName }) => salesRepName ?? t("unassigned") },
    last: {
      width: 8,
      cell: ({ lastContactDate: at }) => orNothing(at && <RelativeTime at={at} />),
    },
    phone: { width: 8.5, cell: ({ phone }) => orNothing(phone && formatPhone(phone)) },
    email: { width: 11, grow: 1, cell: ({ email }) => orNothing(email) },
    source: { width: 7, grow: 0.5, cell: ({ originalSource }) => orNothing(originalSource) },
    priority: {
      width: 6,
      cell: ({ priority }: ConvertedClient) => <PriorityBadge isQuiet priority={priority} />,
    },
  };
  const labels = clientColumnLabels(t);
  const keys = shown.split(",").filter((key): key is ClientColumnKey => key in all);
  return ["name" as const, ...keys.filter((key) => key !== "name")].map((key) => ({
    key,
    label: labels[key],
    ...all[key],
  }));
}
