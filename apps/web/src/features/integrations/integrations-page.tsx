import { useNavigate, useSearch } from "@tanstack/react-router";
import { BookOpen, FileUp, LayoutGrid, Webhook } from "lucide-react";
import { Suspense } from "react";
import { useMessages } from "../../lib/i18n.ts";
import { lateComponent } from "../../lib/late-module.ts";
import { Skeleton } from "../../ui/list-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../ui/tabs.tsx";
import { type IntegrationsSearch, type IntegrationTab, integrationTabs } from "./integrations-search.ts";
import { integrationsMessages } from "./messages.ts";

const icons = { overview: LayoutGrid, import: FileUp, webhooks: Webhook, api: BookOpen };
const labels = {
  overview: "overviewTab",
  import: "importTab",
  webhooks: "webhooksTab",
  api: "apiTab",
} as const;

// Each tab is loaded when it is opened.
const contents = {
  overview: lateComponent(async () => ({
    default: (await import("./components/overview-tab.tsx")).OverviewTab,
  })),
  import: lateComponent(async () => ({
    default: (await import("../imports/components/data-import.tsx")).DataImport,
  })),
  webhooks: lateComponent(async () => ({
    default: (await import("../lead-webhooks/components/source-list.tsx")).SourceList,
  })),
  api: lateComponent(async () => ({ default: (await import("./components/api-docs-tab.tsx")).ApiDocsTab })),
};

/** Integrations: GHL, imports, webhooks and the API documentation in tabs. */
export function IntegrationsPage() {
  const t = useMessages(integrationsMessages);
  const search: IntegrationsSearch = useSearch({ strict: false });
  const tab: IntegrationTab = search.tab ?? "overview";
  const navigate = useNavigate();
  function open(next: IntegrationTab): void {
    const address: IntegrationsSearch = next === "overview" ? {} : { tab: next };
    void navigate({ to: ".", search: address, resetScroll: false });
  }
  return (
    <div className="grid gap-5">
      <PageHeader title={t("title")} subtitle={t("subtitle")} />
      <Tabs className="min-w-0" value={tab} onValueChange={(value) => open(value as IntegrationTab)}>
        <TabsList aria-label={t("tabs")}>
          {integrationTabs.map((value) => (
            <Trigger key={value} value={value} />
          ))}
        </TabsList>
        {integrationTabs.map((value) => (
          <Content key={value} value={value} />
        ))}
      </Tabs>
    </div>
  );
}

function Trigger({ value }: { value: IntegrationTab }) {
  const t = useMessages(integrationsMessages);
  const Icon = icons[value];
  return (
    <TabsTrigger value={value}>
      <Icon aria-hidden />
      {t(labels[value])}
    </TabsTrigger>
  );
}

function Content({ value }: { value: IntegrationTab }) {
  const Tab = contents[value];
  return (
    <TabsContent value={value}>
      <Suspense fallback={<Skeleton className="h-64 rounded-xl" />}>
        <Tab />
      </Suspense>
    </TabsContent>
  );
}
