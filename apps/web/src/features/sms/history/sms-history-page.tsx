import { anyRep } from "@portal/contract/entities/fields";
import type { ListedSms } from "@portal/contract/entities/message";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ArrowDownLeft, ArrowUpRight, MessageSquareText } from "lucide-react";
import { memo } from "react";
import { cn } from "../../../lib/cn.ts";
import { formatDate, formatDay, formatPhone, formatTime, formatTotal } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { withOpenLead } from "../../../lib/lead-panel.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { salesRepsQuery } from "../../../lib/shared-queries.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { rowCardClasses } from "../../../ui/card.tsx";
import { type FilterChip, FilterChips } from "../../../ui/chip.tsx";
import { LeadLink } from "../../../ui/lead-link.tsx";
import { EmptyState } from "../../../ui/list-states.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { PagedList } from "../../../ui/paged-list.tsx";
import { newLeadButtonMessages } from "../../new-lead/messages.ts";
import { openNewLead } from "../../new-lead/open-new-lead.tsx";
import { smsListMessages } from "./messages.ts";
import { parseSmsHistorySearch, type SmsHistorySearch, smsPages, useOpenThread } from "./queries.ts";

const estimatedRowPx = 116;
const idOf = ({ id }: ListedSms) => id;

/** The SMS behind figures of reports: newest first, each opens its lead's thread. */
export function SmsHistoryPage() {
  const t = useMessages(smsListMessages);
  const filters = parseSmsHistorySearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const { data: viewer } = useQuery(currentUserQuery());
  const found = useInfiniteQuery({ ...smsPages(filters), placeholderData: keepPreviousData });
  const { mutate: open } = useOpenThread();
  const texts = found.data?.pages.flatMap(({ items }) => items);
  const total = found.data?.pages[0]?.total ?? null;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const count = total === null ? 0 : Number.parseInt(total, 10);
  function change(next: SmsHistorySearch): void {
    void navigate({ to: ".", search: withOpenLead(next), resetScroll: false });
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <PageHeader
        title={t("title")}
        subtitle={viewer && t(viewer.role === "admin" ? "subtitleEveryone" : "subtitleOwn")}
      />
      <TextChips filters={filters} onChange={change} />
      {total === null || count === 0 ? null : (
        <p role="status" className="text-muted-foreground text-sm tabular-nums">
          {t("found", { count, n: formatTotal(total) })}
        </p>
      )}
      <PagedList
        found={found}
        items={texts}
        keyOf={idOf}
        label={t("list")}
        loading={t("loading")}
        failedTitle={t("failedTitle")}
        estimatePx={estimatedRowPx}
        renderRow={(text) => <TextEntry text={text} onOpen={open} />}
        empty={
          <EmptyState
            icon={MessageSquareText}
            title={t("emptyTitle")}
            description={t(isFiltered ? "emptyFiltered" : "emptyText")}
          />
        }
      />
    </div>
  );
}

interface TextChipsProps {
  filters: SmsHistorySearch;
  onChange: (filters: SmsHistorySearch) => void;
}

/** Removable chips for the filters that reports set. */
function TextChips({ filters, onChange }: TextChipsProps) {
  const t = useMessages(smsListMessages);
  const { range, day, until, rep, direction } = filters;
  const { data: reps } = useQuery({ ...salesRepsQuery(), enabled: rep !== undefined });
  const chips: FilterChip[] = [];
  const add = (key: string, label: string, without: SmsHistorySearch) =>
    chips.push({ key, label, onRemove: () => onChange({ ...filters, ...without }) });

  if (range) add("range", t(`range_${range}`), { range: undefined });
  if (day) {
    const days = until ? t("days", { from: formatDay(day), to: formatDay(until) }) : formatDay(day);
    add("day", days, { day: undefined, until: undefined });
  }
  if (rep) {
    const name = rep === anyRep ? t("anybody") : reps?.find(({ id }) => id === rep)?.name;
    add("rep", name ? t("rep", { name }) : t("repNumber", { id: String(rep) }), { rep: undefined });
  }
  if (direction) add("direction", t(direction), { direction: undefined });
  return <FilterChips label={t("filters")} chips={chips} />;
}

interface TextEntryProps {
  text: ListedSms;
  onOpen: (leadId: number) => void;
}

/** One SMS: lead, direction, time, sender and text; the lead's name opens the thread. */
const TextEntry = memo(function TextEntry({ text, onOpen }: TextEntryProps) {
  const t = useMessages(smsListMessages);
  const add = useMessages(newLeadButtonMessages);
  const { leadId, direction, senderName, attachments } = text;
  const name = text.leadName ?? formatPhone(text.number);
  const isSent = direction === "outbound";
  const Icon = isSent ? ArrowUpRight : ArrowDownLeft;
  return (
    <article aria-label={name} className={cn(rowCardClasses, "grid grid-cols-[minmax(0,1fr)] gap-1.5")}>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h2 className="min-w-0 max-w-full font-semibold text-base leading-6">
          {text.mayOpen && leadId !== null ? (
            <LeadLink
              leadId={leadId}
              className="block max-w-full truncate pointer-coarse:-my-2.5 pointer-coarse:py-2.5"
            >
              {name}
            </LeadLink>
          ) : (
            <span className="block truncate">{name}</span>
          )}
        </h2>
        <Badge tone="plain">
          <Icon aria-hidden />
          {t(isSent ? "sentOne" : "receivedOne")}
        </Badge>
        {leadId !== null && !text.mayOpen ? <Badge>{t("elsewhere")}</Badge> : null}
      </div>
      {text.message ? (
        <p className="line-clamp-4 whitespace-pre-wrap break-words text-sm">{text.message}</p>
      ) : null}
      {attachments > 0 ? (
        <p className="text-muted-foreground text-sm">{t("filesOnly", { count: attachments })}</p>
      ) : null}
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-muted-foreground text-sm">
        <time dateTime={text.createdAt}>
          {formatDate(text.createdAt)}, {formatTime(text.createdAt)}
        </time>
        {senderName ? <span>{t("by", { name: senderName })}</span> : null}
        {text.mayOpen && leadId !== null ? (
          <Button
            variant="link"
            size="inline"
            title={t("openThread", { name })}
            onClick={() => onOpen(leadId)}
          >
            {t("conversation")} <span className="sr-only">{name}</span>
          </Button>
        ) : null}
        {leadId === null ? (
          <Button
            variant="link"
            size="inline"
            aria-haspopup="dialog"
            aria-label={add("newLeadFor", { number: name })}
            onClick={() => openNewLead({ phone: text.number })}
          >
            {add("newLead")}
          </Button>
        ) : null}
      </p>
    </article>
  );
});
