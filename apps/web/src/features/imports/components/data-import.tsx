import type { Import } from "@portal/contract/entities/import";
import { useQuery } from "@tanstack/react-query";
import { Braces, Download, FileSpreadsheet } from "lucide-react";
import { useId } from "react";
import { formatDate, formatNumber, formatTime } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { PartFailed, Skeleton } from "../../../ui/list-states.tsx";
import { ProgressBar } from "../../../ui/progress-bar.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../ui/tabs.tsx";
import { importMessages } from "../messages.ts";
import { failedRowsUrl, importsQuery } from "../queries.ts";
import { ImportForm } from "./import-form.tsx";

/** Imports leads from CSV or JSON, and lists the latest imports. */
export function DataImport() {
  const t = useMessages(importMessages);
  return (
    <>
      <Card className="min-w-0">
        <CardHeader>
          <CardTitle>{t("title")}</CardTitle>
          <CardDescription>{t("description")}</CardDescription>
        </CardHeader>
        <CardContent>
          <Tabs defaultValue="csv">
            <TabsList aria-label={t("formats")}>
              <TabsTrigger value="csv">
                <FileSpreadsheet aria-hidden />
                {t("csv")}
              </TabsTrigger>
              <TabsTrigger value="json">
                <Braces aria-hidden />
                {t("json")}
              </TabsTrigger>
            </TabsList>
            <TabsContent value="csv">
              <ImportForm format="csv" />
            </TabsContent>
            <TabsContent value="json">
              <ImportForm format="json" />
            </TabsContent>
          </Tabs>
        </CardContent>
      </Card>
      <LastImports />
    </>
  );
}

const states: Record<
  Import["state"],
  { label: "stateRunning" | "stateDone" | "stateFailed"; tone: BadgeTone }
> = {
  running: { label: "stateRunning", tone: "info" },
  done: { label: "stateDone", tone: "plain" },
  failed: { label: "stateFailed", tone: "danger" },
};

/** The latest imports with their figures and failed rows; live. */
function LastImports() {
  const t = useMessages(importMessages);
  const titleId = useId();
  const found = useQuery(importsQuery());
  const { data, error } = found;
  return (
    <Card aria-labelledby={titleId} className="min-w-0">
      <CardHeader>
        <CardTitle id={titleId}>{t("lastTitle")}</CardTitle>
      </CardHeader>
      <CardContent>
        {!data && !error ? <Skeleton className="h-16" /> : null}
        {!data && error ? <PartFailed found={found} text={t("lastFailed")} /> : null}
        {data?.length === 0 ? <p className="text-muted-foreground text-sm">{t("lastEmpty")}</p> : null}
        {data && data.length > 0 ? (
          <ul className="divide-y">
            {data.map((entry) => (
              <Entry key={entry.importId} entry={entry} />
            ))}
          </ul>
        ) : null}
      </CardContent>
    </Card>
  );
}

function Entry({ entry }: { entry: Import }) {
  const t = useMessages(importMessages);
  const { label, tone } = states[entry.state];
  const name = entry.fileName ?? entry.sourceSystem;
  const figures = {
    imported: formatNumber(entry.imported),
    updated: formatNumber(entry.updated),
    skipped: formatNumber(entry.skipped),
    errors: formatNumber(entry.errors),
  };
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 text-sm first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{name}</span>
          <Badge tone={tone} className="shrink-0">
            {t(label)}
          </Badge>
        </p>
        <p className="text-muted-foreground">{t("summary", figures)}</p>
        {entry.gaveUp ? <p className="text-danger-text">{t("gaveUp")}</p> : null}
        {entry.unreadablePhones > 0 ? (
          <p className="text-muted-foreground">{t("unreadablePhones", { count: entry.unreadablePhones })}</p>
        ) : null}
        <p className="text-muted-foreground text-xs">
          {formatDate(entry.startedAt)}, {formatTime(entry.startedAt)} · {entry.userName ?? t("byKey")}
        </p>
        {entry.running ? (
          <div className="mt-2 max-w-md">
            <ProgressBar label={`${t("importing")} ${name}`} done={entry.processed} total={entry.total} />
          </div>
        ) : null}
      </div>
      {entry.errors > 0 ? (
        <Button variant="secondary" size="sm" asChild>
          <a
            href={failedRowsUrl(entry.importId)}
            download
            aria-label={`${t("errors")}: ${t("downloadFailedOf", { name })}`}
          >
            <Download aria-hidden />
            {t("errors")}
          </a>
        </Button>
      ) : null}
    </li>
  );
}
