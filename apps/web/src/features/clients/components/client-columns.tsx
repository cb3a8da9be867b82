import { limits } from "@portal/contract/limits";
import type { ConvertedClient } from "@portal/contract/routes/clients";
import { PanelRightOpen, Phone } from "lucide-react";
import { RelativeTime } from "../../../lib/clock.tsx";
import { formatDate, formatMoney, formatNumber } from "../../../lib/format.ts";
import { openLead, preloadLeadPanel } from "../../../lib/lead-panel.ts";
import { Badge, PriorityBadge } from "../../../ui/badge.tsx";
import { Button, Spinner } from "../../../ui/button.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import type { ListCard, ListColumn } from "../../../ui/list-table.tsx";
import { CellText, ContactText, onCard, type RowSizes } from "../../../ui/table.tsx";
import { preloadCallDialog } from "../../telephony/call/call-provider.tsx";
import { LastAttempt } from "../../telephony/call/last-attempt.tsx";
import type { ClientSort } from "../contacts-search.ts";
import type { ContactsTranslate } from "../messages.ts";

export const recordedSizes: RowSizes = { tableMin: 54, height: { table: 4, cards: 11.5 } };

/** Positions of the cells on a card; labels replace the column heads. */
export const recordedCard: ListCard = {
  classes: "grid-cols-[minmax(0,1fr)_auto] content-center items-start gap-x-3 gap-y-1 px-4 text-sm leading-5",
  places: {
    name: "col-start-1 row-start-1",
    contact: "col-start-1 row-start-2 tabular-nums",
    converted: "col-span-2 col-start-1 row-start-3",
    value: "col-start-2 row-start-1 justify-self-end",
    rep: "col-start-1 row-start-4",
    calls: "col-start-2 row-start-4 justify-self-end",
    last: "col-span-2 col-start-1 row-start-5",
    actions: "col-start-2 row-start-2 justify-self-end self-center",
  },
};

export type ClientColumn = ListColumn<ConvertedClient, ClientSort>;

interface ClientCalls {
  t: ContactsTranslate;
  /** The client whose lead is being fetched for a call. */
  callingId: number | null;
  onCall: (client: ConvertedClient) => void;
}

const second = "block truncate text-muted-foreground text-xs";

export const actionsColumn = ({ t, callingId, onCall }: ClientCalls): ClientColumn => ({
  key: "actions",
  label: t("actions"),
  width: 5.75,
  isEnd: true,
  isFree: true,
  cell: (client) => (
    <ClientActions client={client} isCalling={client.id === callingId} onCall={onCall} t={t} />
  ),
});

/** The recorded columns. */
export function recordedColumns(t: ContactsTranslate): ClientColumn[] {
  return [
    {
      key: "name",
      label: t("name"),
      width: 0,
      grow: 1.2,
      isFree: true,
      cell: ({ leadId, name, priority }, layout) => (
        <span className={layout === "cards" ? "flex items-center gap-2" : undefined}>
          <LeadLink
            leadId={leadId}
            data-control="name"
            title={name}
            className={`relative z-1 w-fit max-w-full truncate font-medium ${layout === "cards" ? "" : "block"}`}
          >
            {name}
          </LeadLink>
          <PriorityBadge priority={priority} />
        </span>
      ),
    },
    {
      key: "contact",
      label: t("contact"),
      width: 0,
      grow: 1.5,
      isFree: true,
      cell: ({ email, phone }) => (
        <ContactText email={email} phone={phone} noEmail={t("noEmail")} noPhone={t("noPhone")} />
      ),
    },
    {
      key: "converted",
      label: t("converted"),
      width: 0,
      grow: 1,
      cell: ({ convertedDate, originalSource }, layout) => {
        const source = originalSource ?? t("noSource");
        return (
          <span className="block truncate" title={source}>
            {layout === "cards" ? <span className="text-muted-foreground">{t("converted")}: </span> : null}
            {formatDate(convertedDate)}
            {layout === "cards" ? (
              ` · ${source}`
            ) : (
              <span className={`${second} ${originalSource === null ? "italic" : ""}`}>{source}</span>
            )}
          </span>
        );
      },
    },
    {
      key: "value",
      label: t("value"),
      width: 6.5,
      isEnd: true,
      cell: ({ conversionValue }) => (
        <span className="flex justify-end">
          <ValueBadge value={conversionValue} />
        </span>
      ),
    },
    {
      key: "rep",
      label: t("salesRep"),
      width: 0,
      grow: 0.9,
      isFree: true,
      cell: (client, layout) => (
        <>
          <CellText
            value={client.salesRepName}
            instead={t("unassigned")}
            label={onCard(layout, t("salesRep"))}
          />
          {/* Extends below the calls, whose cell leaves room. */}
          {layout === "table" ? <LastAttempt lead={client} className={`w-52 leading-4 ${second}`} /> : null}
        </>
      ),
    },
    {
      key: "calls",
      label: t("totalCalls"),
      width: 4.5,
      isEnd: true,
      cell: ({ totalCalls, attempts }, layout) =>
        layout === "cards" ? (
          t("calls", { count: totalCalls, n: formatNumber(totalCalls) })
        ) : (
          <span className={attempts > 0 ? "block pb-4" : undefined}>{formatNumber(totalCalls)}</span>
        ),
    },
    {
      key: "last",
      label: t("lastContact"),
      width: 8,
      isFree: true,
      cell: (client, layout) => <LastContact client={client} isCard={layout === "cards"} t={t} />,
    },
  ];
}

interface LastContactProps {
  client: ConvertedClient;
  isCard: boolean;
  t: ContactsTranslate;
}

/** When the client was last contacted; on a card also the last attempt, which a table shows below the consultant. */
function LastContact({ client, isCard, t }: LastContactProps) {
  const { lastContactDate: at } = client;
  if (!isCard)
    return (
      <>
        <CellText value={at && formatDate(at)} instead={t("noContact")} />
        {at ? (
          <span className={second}>
            <RelativeTime at={at} />
          </span>
        ) : null}
      </>
    );
  return (
    <>
      <span className={`block truncate ${at === null ? "text-muted-foreground italic" : ""}`}>
        <span className="text-muted-foreground not-italic">{t("lastContact")}: </span>
        {at === null ? t("noContact") : `${formatDate(at)} · `}
        {at === null ? null : <RelativeTime at={at} />}
      </span>
      <LastAttempt lead={client} className={second} />
    </>
  );
}

/** A client's value: blue from 1000, green from 5000. */
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

interface ClientActionsProps {
  client: ConvertedClient;
  isCalling: boolean;
  onCall: (client: ConvertedClient) => void;
  t: ContactsTranslate;
}

/** Call and Open; the latter covers the whole row. */
function ClientActions({ client, isCalling, onCall, t }: ClientActionsProps) {
  const call = t("call", { name: client.name });
  const open = t("open", { name: client.name });
  return (
    <div className="flex justify-end gap-1">
      <Button
        variant="ghost"
        size="row"
        data-control="call"
        className="z-1"
        aria-label={call}
        title={call}
        // Not disabled, which would lose the focus that the opened dialog has to restore.
        aria-busy={isCalling || undefined}
        onPointerEnter={preloadCallDialog}
        onClick={() => onCall(client)}
      >
        {isCalling ? <Spinner decorative /> : <Phone aria-hidden />}
      </Button>
      <Button
        variant="ghost"
        size="row"
        data-control="open"
        className="static after:absolute after:inset-0"
        aria-label={open}
        title={open}
        aria-haspopup="dialog"
        onPointerEnter={preloadLeadPanel}
        onClick={({ currentTarget }) => openLead(client.leadId, currentTarget)}
      >
        <PanelRightOpen aria-hidden />
      </Button>
    </div>
  );
}
