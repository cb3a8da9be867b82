import {
  type CheckStatus,
  type DiagnosticCheck,
  type Integration,
  integrations,
} from "@portal/contract/entities/diagnostics";
import { checkIntegration } from "@portal/contract/routes/integrations";
import { useIsFetching, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import {
  CircleCheck,
  CircleDashed,
  CircleX,
  type LucideIcon,
  Plug,
  Rocket,
  RotateCw,
  TriangleAlert,
  Wrench,
} from "lucide-react";
import type { ReactNode } from "react";
import { useLayoutEffect, useRef, useState } from "react";
import { useClock } from "../../lib/clock.tsx";
import { cn } from "../../lib/cn.ts";
import { formatNumber, formatRelative, formatTime } from "../../lib/format.ts";
import { type Messages, useMessages } from "../../lib/i18n.ts";
import { currentUserQuery, invalidatePaths, readsPath, routeQuery } from "../../lib/query-client.ts";
import { Badge, type BadgeTone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "../../ui/card.tsx";
import { Skeleton } from "../../ui/list-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { ProductVersion } from "../../ui/product-version.tsx";
import { FailureText } from "../../ui/request-id.tsx";
import { FixTwilioDialog } from "./fix-twilio-dialog.tsx";
import { diagnosticsMessages, findingMessages } from "./messages.ts";
import { todoMessages } from "./todo-messages.ts";

const paths = [checkIntegration.path.replace("/:integration", "")];

/** Live checks of all integrations, each loaded by itself, so that a slow one does not delay the others. */
export function DiagnosticsPage() {
  const t = useMessages(diagnosticsMessages);
  const { data: user } = useQuery(currentUserQuery());
  return (
    <div className="grid max-w-4xl gap-5">
      <PageHeader
        title={t("title")}
        subtitle={t("subtitle")}
        actions={
          <>
            {user?.role === "admin" ? (
              <Button variant="ghost" asChild>
                <Link to="/go-live">
                  <Rocket aria-hidden />
                  {t("goLive")}
                </Link>
              </Button>
            ) : null}
            <Button variant="ghost" asChild>
              <Link to="/integrations">
                <Plug aria-hidden />
                {t("integrations")}
              </Link>
            </Button>
            <CheckAllButton />
          </>
        }
      />
      {integrations.map((integration) => (
        <IntegrationCard key={integration} integration={integration} />
      ))}
      <ProductVersion />
    </div>
  );
}

/** Runs all checks again, and shows while they run. */
export function CheckAllButton() {
  const t = useMessages(diagnosticsMessages);
  const client = useQueryClient();
  const isChecking = useIsFetching({ predicate: (query) => readsPath(query, paths) }) > 0;
  return (
    <Button variant="secondary" pending={isChecking} onClick={() => void invalidatePaths(client, paths)}>
      {isChecking ? null : <RotateCw aria-hidden />}
      {t(isChecking ? "checking" : "checkAll")}
    </Button>
  );
}

const looks: Record<CheckStatus, { icon: LucideIcon; tone: BadgeTone; className: string }> = {
  ok: { icon: CircleCheck, tone: "plain", className: "text-success-text" },
  off: { icon: CircleDashed, tone: "neutral", className: "text-muted-foreground" },
  warn: { icon: TriangleAlert, tone: "warning", className: "text-warning-text" },
  fail: { icon: CircleX, tone: "danger", className: "text-danger-text" },
};

/** One integration with its checks. */
function IntegrationCard({ integration }: { integration: Integration }) {
  const t = useMessages(diagnosticsMessages);
  const { data, error, isFetching, refetch } = useQuery(diagnosticQuery(integration));
  return (
    <Card aria-labelledby={integration} aria-busy={isFetching}>
      <CardHeader className="flex items-start gap-3">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
          <CardTitle id={integration}>{t(integration)}</CardTitle>
          {data ? <Badge tone={looks[data.status].tone}>{t(data.status)}</Badge> : null}
          <span className="text-muted-foreground text-xs max-sm:basis-full sm:ml-auto">
            {isFetching ? t("checking") : null}
            {!isFetching && data ? t("checkedAt", { time: formatTime(data.checkedAt) }) : null}
          </span>
        </div>
        <Button
          variant="ghost"
          size="icon-sm"
          className="-my-1"
          aria-label={t("check", { integration: t(integration) })}
          disabled={isFetching}
          onClick={() => void refetch()}
        >
          <RotateCw aria-hidden className={cn(isFetching && "animate-spin")} />
        </Button>
      </CardHeader>
      <CardContent>
        {!data && !error ? <Skeleton className="h-24" /> : null}
        {error ? <FailureText error={error} fallback={t("failed")} className="text-sm" /> : null}
        {data ? (
          <ul className={cn("grid divide-y transition-opacity", isFetching && "opacity-60")}>
            {data.checks.map((check) => (
              <CheckEntry key={check.name} integration={integration} check={check} />
            ))}
          </ul>
        ) : null}
      </CardContent>
    </Card>
  );
}

interface CheckEntryProps {
  integration: Integration;
  check: DiagnosticCheck;
  /** Further content. */
  children?: ReactNode;
}

/** One check: the finding, and what to do about it. */
export function CheckEntry({ integration, check, children }: CheckEntryProps) {
  const t = useMessages(diagnosticsMessages);
  const { data: user } = useQuery(currentUserQuery());
  const { found, todo } = useFindingMessages()(integration, check);
  const { icon: Icon, className } = looks[check.status];
  const isAmiss = check.status === "warn" || check.status === "fail";
  const advice = user?.role === "admin" ? todo : isAmiss && t("askAdmin");
  return (
    <li tabIndex={-1} className="flex gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <Icon aria-hidden className={cn("mt-0.5 size-4.5 shrink-0", className)} />
      <div className="grid min-w-0 gap-0.5">
        <p>
          <span className="font-medium">{t(check.name)}</span>
          <span className="sr-only">: {t(check.status)}.</span>
          <span className="block sm:inline sm:before:content-['_·_']">{found}</span>
        </p>
        {advice ? <p className="text-muted-foreground">{advice}</p> : null}
        {isAmiss && user?.role === "admin" && check.values.fixable ? <FixTwilio /> : null}
        {check.detail && check.status !== "ok" ? (
          <p lang="en" className="whitespace-pre-line break-all font-mono text-muted-foreground text-xs">
            <span className="sr-only">{t("details")}: </span>
            {check.detail}
          </p>
        ) : null}
        {children}
      </div>
    </li>
  );
}

/** Opens the dialog that corrects the settings at Twilio. After that the button disappears, and the focus moves to the check. */
function FixTwilio() {
  const t = useMessages(diagnosticsMessages);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = opener.current;
    const entry = button?.closest("li");
    return () => {
      if (document.activeElement === button) entry?.focus();
    };
  }, []);
  return (
    <div>
      <Button ref={opener} variant="secondary" size="sm" className="my-1" onClick={() => setOpen(true)}>
        <Wrench aria-hidden />
        {t("fix")}
      </Button>
      {isOpen ? <FixTwilioDialog onClose={() => setOpen(false)} returnFocusTo={opener} /> : null}
    </div>
  );
}

/** The message key with the integration's prefix if it exists, else the plain one; null without a message. */
export function keyIn<C extends object>(messages: Messages<C>, integration: Integration, finding: string) {
  return [`${integration}_${finding}`, finding].find((key) => key in messages.pairs) ?? null;
}

/** Returns the texts of a finding and of what to do about it. */
function useFindingMessages() {
  const found = useMessages(findingMessages) as (key: string, values: object) => string;
  const todo = useMessages(todoMessages) as (key: string) => string;
  // Re-renders, as texts contain relative times.
  useClock((now) => String(Math.floor(now / 10_000)));
  return (integration: Integration, { finding, status, values, at }: DiagnosticCheck) => {
    const said = keyIn(findingMessages, integration, finding) ?? finding;
    const numbers = Object.entries(values).map(([name, value]) => [name, formatNumber(value)]);
    const advice = status === "ok" ? null : keyIn(todoMessages, integration, finding);
    return {
      found: found(said, { ...Object.fromEntries(numbers), when: at ? formatRelative(at) : "" }),
      todo: advice && todo(advice),
    };
  };
}

/** A younger result is reused by the next page, as checks are rate limited per user. */
const freshMs = 30_000;

/** The checks of one integration, run on every visit unless the result is fresh. */
export function diagnosticQuery(integration: Integration) {
  return { ...routeQuery(checkIntegration, { params: { integration } }), staleTime: freshMs };
}
