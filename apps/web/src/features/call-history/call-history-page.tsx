import { useNavigate, useSearch } from "@tanstack/react-router";
import { AudioLines, History } from "lucide-react";
import { lazy, Suspense, useCallback, useRef, useState } from "react";
import { useTexts } from "../../lib/i18n.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../ui/tabs.tsx";
import { ExportButton } from "./components/export-button.tsx";
import { HistoryTab } from "./components/history-tab.tsx";
import { NumberCard } from "./components/number-card.tsx";
import { RecordingsTab } from "./components/recordings-tab.tsx";
import type { HistorySearch } from "./history-filters.ts";
import { historyTexts } from "./texts.ts";

const TimelineDialog = lazy(() => import("../leads/components/timeline-dialog.tsx"));

/** Call History (specification §2): the logged calls with their filters, and the provider's recordings. */
export function CallHistoryPage() {
  const t = useTexts(historyTexts);
  const { tab, ...filters }: HistorySearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const [lead, setLead] = useState<{ id: number; name: string } | null>(null);
  const opener = useRef<HTMLElement | null>(null);
  const onOpenLead = useCallback((of: { id: number; name: string }) => {
    opener.current = document.activeElement as HTMLElement | null;
    setLead(of);
  }, []);
  // Typing replaces the address, picking adds a step for Back.
  function change(next: HistorySearch, { replace = false }: { replace?: boolean } = {}): void {
    void navigate({ to: ".", search: next, replace, resetScroll: false });
  }
  return (
    <>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
        <PageHeader
          title={t("title")}
          subtitle={t("subtitle")}
          actions={<ExportButton filters={filters} />}
        />
        <NumberCard />
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
          <TabsContent value="history">
            <HistoryTab filters={filters} onChange={change} onOpenLead={onOpenLead} />
          </TabsContent>
          <TabsContent value="recordings">
            <RecordingsTab />
          </TabsContent>
        </Tabs>
      </div>
      {lead ? (
        <Suspense fallback={null}>
          <TimelineDialog lead={lead} onClose={() => setLead(null)} returnFocusTo={opener} />
        </Suspense>
      ) : null}
    </>
  );
}
