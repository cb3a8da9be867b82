import { limits } from "@portal/contract/limits";
import type { ConvertedClient } from "@portal/contract/routes/clients";
import { formatDate, formatMoney, formatNumber, formatPhone } from "../../../lib/format.ts";
import { RelativeTime } from "../../../lib/relative-time.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { PriorityBadge } from "../../../ui/lead-badges.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import type { RowLayout } from "../../../ui/row-layout.ts";
import type { ContactsTranslate } from "../messages.ts";
import { ClientActions } from "./client-actions.tsx";

interface ClientCellsProps {
  client: ConvertedClient;
  layout: RowLayout;
  isCalling: boolean;
  onCall: (client: ConvertedClient) => void;
  t: ContactsTranslate;
}

/** Where each cell stands on a card; a table's stand side by side. What no column head can say there stands before the value. */
const places = {
  name: "col-start-1 row-start-1 flex items-center gap-2",
  contact: "col-start-1 row-start-2",
  converted: "col-span-2 col-start-1 row-start-3",
  value: "col-start-2 row-start-1 justify-self-end",
  rep: "col-start-1 row-start-4",
  calls: "col-start-2 row-start-4 justify-self-end",
  last: "col-span-2 col-start-1 row-start-5",
  actions: "col-start-2 row-start-2 justify-self-end self-center",
} as const;

const missing = (value: string | null) => (value === null ? "text-muted-foreground italic" : "");
const second = "block truncate text-muted-foreground text-xs";

/** The cells of a row, or of a card. */
export function ClientCells({ client, layout, t, ...actions }: ClientCellsProps) {
  const { name, email, phone, convertedDate, originalSource, salesRepName, totalCalls, lastContactDate } =
    client;
  const isCard = layout === "cards";
  const at = (cell: keyof typeof places) => `min-w-0 ${isCard ? places[cell] : ""}`;
  const label = (text: string) =>
    isCard ? <span className="text-muted-foreground not-italic">{text}: </span> : null;
  const source = originalSource ?? t("noSource");
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={at("name")}>
        <LeadLink
          leadId={client.leadId}
          data-control="name"
          title={name}
          className={`relative z-1 w-fit max-w-full truncate font-medium ${isCard ? "" : "block"}`}
        >
          {name}
        </LeadLink>
        <PriorityBadge priority={client.priority} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={`${at("contact")} tabular-nums`}>
        <span className={`block truncate ${missing(email)}`} title={email ?? undefined}>
          {email ?? t("noEmail")}
        </span>
        <span className={`block truncate ${missing(phone)}`}>
          {phone ? formatPhone(phone) : t("noPhone")}
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={`${at("converted")} truncate`} title={source}>
        {label(t("converted"))}
        {formatDate(convertedDate)}
        {isCard ? ` · ${source}` : <span className={`${second} ${missing(originalSource)}`}>{source}</span>}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={`${at("value")} text-right tabular-nums`}>
        <ValueBadge value={client.conversionValue} />
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div
        role="cell"
        className={`${at("rep")} truncate ${missing(salesRepName)}`}
        title={salesRepName ?? undefined}
      >
        {label(t("salesRep"))}
        {salesRepName ?? t("unassigned")}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={`${at("calls")} text-right tabular-nums`}>
        {isCard ? t("calls", { count: totalCalls, n: formatNumber(totalCalls) }) : formatNumber(totalCalls)}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={`${at("last")} ${isCard ? "" : "pl-3"} ${missing(lastContactDate)}`}>
        {label(t("lastContact"))}
        {lastContactDate === null ? t("noContact") : formatDate(lastContactDate)}
        {lastContactDate !== null && isCard ? (
          <>
            {" · "}
            <RelativeTime at={lastContactDate} />
          </>
        ) : null}
        {lastContactDate !== null && !isCard ? (
          <span className={second}>
            <RelativeTime at={lastContactDate} />
          </span>
        ) : null}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: as the row. */}
      <div role="cell" className={at("actions")}>
        <ClientActions client={client} t={t} {...actions} />
      </div>
    </>
  );
}

/** What a client is worth: from 1000 blue, from 5000 green. */
export function ValueBadge({ value }: { value: number }) {
  const tone =
    value >= limits.valueBadgeGreen ? "success" : value >= limits.valueBadgeBlue ? "info" : "neutral";
  const text = formatMoney(value);
  return (
    <Badge tone={tone} title={text} className="block w-fit tabular-nums">
      {text}
    </Badge>
  );
}
