import { type Integration, integrations } from "@portal/contract/entities/diagnostics";
import type { RouteResponse } from "@portal/contract/route";
import type { getGoLive } from "@portal/contract/routes/go-live";
import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleCheck, ExternalLink, Stethoscope, TriangleAlert } from "lucide-react";
import guide from "../../../../../docs/operations.md?url";
import { currentLocale, formatNumber, formatRelative } from "../../lib/format.ts";
import { useMessages } from "../../lib/i18n.ts";
import { Button } from "../../ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/list-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { FailureText } from "../../ui/request-id.tsx";
import { CheckAllButton, CheckEntry, diagnosticQuery, keyIn } from "../diagnostics/diagnostics-page.tsx";
import { goLiveMessages, reasonMessages, stepMessages } from "./messages.ts";
import { goLiveQuery } from "./queries.ts";
import { ConsoleLink, StepEntry, TestCallEntry } from "./step-entry.tsx";
import { linkOfCheck, stepsOf } from "./step-values.ts";

type GoLive = RouteResponse<typeof getGoLive>;

/** Integrations in the order of setting up; new ones are appended. */
const order: Integration[] = ["twilio", "ghl", "google", "webhooks", "email"];
const sections = [...order, ...integrations.filter((each) => !order.includes(each))];

/**
 * The page /go-live: what to check before the team goes live. Automatic checks come from the diagnostics, manual steps are confirmed by
 * people.
 */
export function GoLivePage() {
  const t = useMessages(goLiveMessages);
  const { data, error, refetch } = useQuery(goLiveQuery());
  return (
    <div className="grid max-w-4xl gap-5">
      <PageHeader
        title={t("title")}
        subtitle={t("subtitle")}
        actions={
          <>
            <Button variant="ghost" asChild>
              <Link to="/ghl-diagnostics">
                <Stethoscope aria-hidden />
                {t("diagnostics")}
              </Link>
            </Button>
            <CheckAllButton />
          </>
        }
      />
      <OpenPoints data={data} />
      {error ? (
        <Card className="flex flex-wrap items-center justify-between gap-3 p-5 text-sm">
          <FailureText error={error} fallback={t("failed")} />
          <Button variant="secondary" size="sm" onClick={() => void refetch()}>
            {t("retry")}
          </Button>
        </Card>
      ) : null}
      {sections.map((integration) => (
        <Section key={integration} integration={integration} data={data} />
      ))}
      <Backups backup={data?.backup} />
    </div>
  );
}

/** Number of open points: failed checks, unconfirmed steps, the test call. Hidden until all checks are loaded. */
function OpenPoints({ data }: { data: GoLive | undefined }) {
  const t = useMessages(goLiveMessages);
  const reports = useQueries({ queries: sections.map((integration) => diagnosticQuery(integration)) });
  const known = reports.flatMap(({ data: report }) => report ?? []);
  const isKnown = data && known.length === sections.length;
  const isFailed = reports.some(({ isError }) => isError);
  const amiss = known
    .flatMap(({ checks }) => checks)
    .filter(({ status }) => status === "warn" || status === "fail");
  const steps = data?.steps.filter(({ isOpen }) => isOpen) ?? [];
  const others = [data?.testCall?.isOpen, data?.backup.isOpen].filter((isOpen) => isOpen !== false);
  const count = amiss.length + steps.length + others.length;
  return (
    <p role="status" className="font-medium">
      {isKnown ? t("open", { count }) : t(isFailed ? "notAllChecked" : "checking")}
    </p>
  );
}

/** One vendor: its live checks and manual steps. */
function Section({ integration, data }: { integration: Integration; data: GoLive | undefined }) {
  const t = useMessages(goLiveMessages);
  const { data: report, error, isFetching } = useQuery(diagnosticQuery(integration));
  const steps = data?.steps.filter(({ step }) => stepsOf[integration]?.includes(step)) ?? [];
  const title = integration in goLiveMessages.pairs ? t(integration) : integration;
  return (
    <Card aria-labelledby={`go-live-${integration}`} aria-busy={isFetching}>
      <CardHeader>
        <CardTitle id={`go-live-${integration}`}>{title}</CardTitle>
      </CardHeader>
      <CardContent className="grid gap-5">
        <Part title={t("live")}>
          {!report && !error ? <Skeleton className="h-24" /> : null}
          {error ? <FailureText error={error} fallback={t("checkFailed")} className="text-sm" /> : null}
          <ul className="grid divide-y">
            {report?.checks.map((check) => (
              <CheckEntry key={check.name} integration={integration} check={check}>
                <Reason integration={integration} name={check.name} />
              </CheckEntry>
            ))}
            {integration === "twilio" && data ? <TestCallEntry {...data} /> : null}
          </ul>
        </Part>
        {steps.length > 0 ? (
          <Part title={t("byHand")}>
            <ul className="grid divide-y">
              {steps.map((state) => (
                <StepEntry key={state.step} state={state}>
                  {state.step === "geo_permissions" ? <Countries countries={data?.countries ?? []} /> : null}
                </StepEntry>
              ))}
            </ul>
          </Part>
        ) : null}
      </CardContent>
    </Card>
  );
}

function Part({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="grid gap-3">
      <h3 className="font-medium text-muted-foreground text-xs">{title}</h3>
      {children}
    </div>
  );
}

/** Why a check matters, and where its setting is. */
function Reason({
  integration,
  name,
}: {
  integration: Integration;
  name: Parameters<typeof linkOfCheck>[1];
}) {
  const reason = useMessages(reasonMessages) as (key: string) => string;
  const key = keyIn(reasonMessages, integration, name);
  const place = linkOfCheck(integration, name);
  return (
    <>
      {key ? <p className="text-muted-foreground">{reason(key)}</p> : null}
      {place ? <ConsoleLink place={place} /> : null}
    </>
  );
}

/** The countries of leads' numbers, named in the current language. */
function Countries({ countries }: Pick<GoLive, "countries">) {
  const t = useMessages(stepMessages);
  const names = new Intl.DisplayNames(currentLocale(), { type: "region" });
  const list = countries.map(({ country, leads }) =>
    t("country", { name: names.of(country) ?? country, count: formatNumber(leads) }),
  );
  const said = new Intl.ListFormat(currentLocale(), { type: "conjunction" }).format(list);
  return <p>{list.length > 0 ? t("countries", { list: said }) : t("noCountries")}</p>;
}

/** The portal's last successful backup, and whether one is due. */
function Backups({ backup }: { backup: GoLive["backup"] | undefined }) {
  const t = useMessages(goLiveMessages);
  if (!backup) return null;
  const { last, failedAt, everyHours, isOpen } = backup;
  const megabytes = formatNumber((last?.bytes ?? 0) / 1e6, { maximumFractionDigits: 1 });
  return (
    <Card aria-labelledby="go-live-backups">
      <CardHeader>
        <CardTitle id="go-live-backups">{t("backups")}</CardTitle>
      </CardHeader>
      <CardContent className="flex gap-3 text-sm">
        {isOpen ? (
          <TriangleAlert aria-hidden className="mt-0.5 size-4.5 shrink-0 text-warning-text" />
        ) : (
          <CircleCheck aria-hidden className="mt-0.5 size-4.5 shrink-0 text-success-text" />
        )}
        <div className="grid min-w-0 gap-1">
          <p>
            <span className="font-medium">{t("lastBackup")}</span>
            <span className="block sm:inline sm:before:content-['_·_']">
              {last
                ? t(last.isEncrypted ? "backupEncrypted" : "backupClear", {
                    time: formatRelative(last.at),
                    megabytes,
                  })
                : t("noBackup")}
            </span>
          </p>
          {failedAt ? (
            <p className="text-danger-text">{t("backupFailed", { time: formatRelative(failedAt) })}</p>
          ) : null}
          <p>{everyHours === null ? t("noSchedule") : t("schedule", { hours: formatNumber(everyHours) })}</p>
          <p className="text-muted-foreground">{t("backupWhy")}</p>
          <p>
            <a
              href={guide}
              target="_blank"
              rel="noreferrer"
              className="inline-flex min-h-6 items-center gap-1 text-primary-text underline underline-offset-4 pointer-coarse:min-h-11"
            >
              {t("guide")}
              <ExternalLink aria-hidden className="size-3.5 shrink-0" />
              <span className="sr-only">({t("opens")})</span>
            </a>
          </p>
        </div>
      </CardContent>
    </Card>
  );
}
