import type { DeletionDecision, HeldDeletions as Held } from "@portal/contract/entities/crm";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowRight, BookOpen, FileUp, TriangleAlert, Webhook } from "lucide-react";
import { useId } from "react";
import { formatDate, formatNumber, formatTime } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { MetricList } from "../../../ui/metric-list.tsx";
import { heldMessages, overviewMessages } from "../messages.ts";
import { heldDeletionsQuery, useDecideDeletions } from "../queries.ts";
import { ConnectionCard } from "./connection-card.tsx";
import { GhlCard } from "./ghl-card.tsx";
import { OutboxCard } from "./outbox-card.tsx";
import { SyncRuns } from "./sync-runs.tsx";

/** Deletions found by a full sync that an administrator has to decide about; nothing without any. */
function HeldDeletions() {
  const { data: user } = useQuery(currentUserQuery());
  const { data } = useQuery({ ...heldDeletionsQuery(), enabled: user?.role === "admin" });
  return data?.held ? <Decision held={data.held} /> : null;
}

function Decision({ held }: { held: Held }) {
  const t = useMessages(heldMessages);
  const title = useId();
  const decide = useDecideDeletions();
  const { runId, startedAt, leads, missing, asked, deleted, examples } = held;
  const rows = [
    ["leads", leads],
    ["missing", missing],
    ["asked", asked],
    ["deleted", deleted],
  ] as const;
  const choice = (decision: DeletionDecision) => (
    <div className="grid content-start gap-2">
      <Button
        variant="secondary"
        className="justify-self-start"
        disabled={decide.isPending}
        pending={decide.isPending && decide.variables?.decision === decision}
        onClick={() => decide.mutate({ runId, decision })}
      >
        {t(decision)}
      </Button>
      <p className="text-sm">{t(`${decision}Text`)}</p>
    </div>
  );
  return (
    <section aria-labelledby={title} className="grid gap-4 rounded-xl bg-warning-soft p-5 text-warning-text">
      <div className="flex gap-3">
        <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0" />
        <div className="grid min-w-0 gap-1">
          <h2 id={title} className="font-semibold">
            {t("title")}
          </h2>
          <p className="text-sm">
            {t("text", { when: `${formatDate(startedAt)}, ${formatTime(startedAt)}` })}
          </p>
        </div>
      </div>
      <MetricList metrics={rows.map(([key, count]) => ({ label: t(key), value: formatNumber(count) }))} />
      {examples.length > 0 ? (
        <p className="break-words text-sm">{t("examples", { names: examples.join(", ") })}</p>
      ) : null}
      <div className="grid gap-4 md:grid-cols-2">
        {choice("mark")}
        {choice("leave")}
      </div>
    </section>
  );
}

/** Overview: GHL, the other integrations and the quick start, then sync runs and pending changes. */
export function OverviewTab() {
  return (
    <>
      <HeldDeletions />
      <GhlCard />
      <FeatureCards />
      <QuickStart />
      <ConnectionCard />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <SyncRuns />
        <OutboxCard />
      </div>
    </>
  );
}

const features = [
  { tab: "import", icon: FileUp, name: "importTitle", text: "importText", action: "importAction" },
  { tab: "webhooks", icon: Webhook, name: "webhooksTitle", text: "webhooksText", action: "webhooksAction" },
  { tab: "api", icon: BookOpen, name: "apiTitle", text: "apiText", action: "apiAction" },
] as const;

/** The three other integrations, each with a link to its tab. */
function FeatureCards() {
  const t = useMessages(overviewMessages);
  return (
    <section aria-label={t("featuresTitle")} className="grid gap-4 md:grid-cols-3">
      {features.map(({ tab, icon: Icon, name, text, action }) => (
        <Card key={tab} className="flex flex-col items-start gap-3 p-5">
          <span className="grid size-9 place-items-center rounded-lg bg-primary-soft text-primary-text">
            <Icon aria-hidden className="size-4.5" />
          </span>
          <div className="grid flex-1 content-start gap-1">
            <CardTitle>{t(name)}</CardTitle>
            <p className="text-muted-foreground text-sm">{t(text)}</p>
          </div>
          <Button variant="link" size="inline" asChild>
            <Link to="/integrations" search={{ tab }} resetScroll={false}>
              {t(action)}
              <ArrowRight aria-hidden />
            </Link>
          </Button>
        </Card>
      ))}
    </section>
  );
}

/** The three recorded steps of the quick start. */
function QuickStart() {
  const t = useMessages(overviewMessages);
  const steps = [
    {
      title: t("step1Title"),
      text: t("step1Text"),
      action: (
        <Link to="/integrations" search={{ tab: "import" }} resetScroll={false}>
          {t("importAction")}
        </Link>
      ),
    },
    {
      title: t("step2Title"),
      text: t("step2Text"),
      action: (
        <Link to="/integrations" search={{ tab: "webhooks" }} resetScroll={false}>
          {t("webhooksAction")}
        </Link>
      ),
    },
    { title: t("step3Title"), text: t("step3Text"), action: <Link to="/">{t("step3Action")}</Link> },
  ];
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("quickStartTitle")}</CardTitle>
      </CardHeader>
      <CardContent>
        <ol className="grid gap-5 md:grid-cols-3">
          {steps.map(({ title, text, action }, index) => (
            <li key={title} className="flex gap-3">
              <span
                aria-hidden
                className="grid size-7 shrink-0 place-items-center rounded-full bg-primary-soft font-semibold text-primary-text text-sm tabular-nums"
              >
                {index + 1}
              </span>
              <div className="grid content-start justify-items-start gap-1">
                <h3 className="font-medium text-sm leading-7">{title}</h3>
                <p className="text-muted-foreground text-sm">{text}</p>
                <Button variant="link" size="inline" asChild>
                  {action}
                </Button>
              </div>
            </li>
          ))}
        </ol>
      </CardContent>
    </Card>
  );
}
