import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { AudioLines, Braces, ChevronDown, Download, History, PhoneCall, Sheet } from "lucide-react";
import { useState } from "react";
import { cn } from "../../lib/cn.ts";
import { formatPhone } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { withOpenLead } from "../../lib/lead-panel.ts";
import { useListSetting } from "../../lib/list-address.ts";
import { Button } from "../../ui/button.tsx";
import { rowCardClasses } from "../../ui/card.tsx";
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from "../../ui/dropdown-menu.tsx";
import { PartFailed, Skeleton } from "../../ui/list-states.tsx";
import { listPageClasses, PageHeader } from "../../ui/page-header.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../ui/tabs.tsx";
import type { HistorySearch } from "./history-search.ts";
import { HistoryList, HistoryStrip, HistoryTab } from "./history-tab.tsx";
import { historyMessages } from "./messages.ts";
import { phoneNumbersQuery, useExportLogs } from "./queries.ts";
import { RecordingsTab } from "./recordings-tab.tsx";

/** Call History: the logged calls with their filters, and the provider's recordings. */
export function CallHistoryPage() {
  const t = useMessages(historyMessages);
  const { tab, ...filters }: HistorySearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const isList = useListSetting("call-history").layout === "rows";
  const [areMissedOpen, setMissedOpen] = useState(false);
  // Typing replaces the history entry, choosing a filter adds one.
  function change(next: HistorySearch, { replace = false }: { replace?: boolean } = {}): void {
    void navigate({ to: ".", search: withOpenLead(next), replace, resetScroll: false });
  }
  return (
    <div className={isList ? listPageClasses : "grid grid-cols-[minmax(0,1fr)] gap-5"}>
      <PageHeader
        isSlim={isList}
        title={t("title")}
        subtitle={t("subtitle")}
        actions={<ExportButton filters={filters} />}
      >
        {isList ? (
          <HistoryStrip
            filters={filters}
            onChange={change}
            areMissedOpen={areMissedOpen}
            onMissed={setMissedOpen}
          />
        ) : null}
      </PageHeader>
      {isList ? null : <NumberCard />}
      <Tabs
        value={tab ?? "history"}
        onValueChange={(value) =>
          change({ ...filters, tab: value === "recordings" ? "recordings" : undefined })
        }
      >
        <TabsList aria-label={t("tabs")}>
          <TabsTrigger value="history">
            <History aria-hidden />
            {t("historyTab")}
          </TabsTrigger>
          <TabsTrigger value="recordings">
            <AudioLines aria-hidden />
            {t("recordingsTab")}
          </TabsTrigger>
        </TabsList>
        <TabsContent value="history" className={isList ? "gap-1.5 pt-1.5" : undefined}>
          {isList ? (
            <HistoryList filters={filters} onChange={change} areMissedOpen={areMissedOpen} />
          ) : (
            <HistoryTab filters={filters} onChange={change} />
          )}
        </TabsContent>
        <TabsContent value="recordings">
          <RecordingsTab />
        </TabsContent>
      </Tabs>
    </div>
  );
}

/** Exports the filtered logs as CSV or JSON. */
function ExportButton({ filters }: { filters: HistorySearch }) {
  const t = useMessages(historyMessages);
  const exportLogs = useExportLogs();
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>
        <Button variant="secondary" pending={exportLogs.isPending}>
          <Download aria-hidden />
          {t("export")}
          <ChevronDown aria-hidden />
        </Button>
      </DropdownMenuTrigger>
      <DropdownMenuContent>
        <DropdownMenuItem onSelect={() => exportLogs.mutate({ filters, format: "csv" })}>
          <Sheet aria-hidden />
          {t("exportCsv")}
        </DropdownMenuItem>
        <DropdownMenuItem onSelect={() => exportLogs.mutate({ filters, format: "json" })}>
          <Braces aria-hidden />
          {t("exportJson")}
        </DropdownMenuItem>
      </DropdownMenuContent>
    </DropdownMenu>
  );
}

/** The number that leads see, which all consultants share. */
function NumberCard() {
  const t = useMessages(historyMessages);
  const found = useQuery(phoneNumbersQuery());
  const { data, isError } = found;
  const failed = !data && isError;
  return (
    <section className={cn(rowCardClasses, "flex items-center gap-3")}>
      <span className="grid size-10 shrink-0 place-items-center rounded-lg bg-primary-soft text-primary-text">
        <PhoneCall aria-hidden className="size-5" />
      </span>
      <div className="min-w-0">
        <h2 className="text-muted-foreground text-sm">{t("systemNumber")}</h2>
        {failed ? (
          <PartFailed found={found} text={t("numberFailed")} />
        ) : data ? (
          <p className="font-semibold tabular-nums">
            {data.systemNumber ? formatPhone(data.systemNumber) : t("noSystemNumber")}
          </p>
        ) : (
          <Skeleton className="h-6 w-36" />
        )}
        {failed ? null : (
          <p className="text-muted-foreground text-xs">
            {t(data?.textsByService ? "systemNumberHintService" : "systemNumberHint")}
            {data?.officeLine ? ` ${t("officeLine", { phone: formatPhone(data.officeLine) })}` : null}
          </p>
        )}
      </div>
    </section>
  );
}
