import type { CheckStatus, DiagnosticCheck, Integration } from "@portal/contract/entities/diagnostics";
import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, CircleX, type LucideIcon, RotateCw, TriangleAlert } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { errorText } from "../../../lib/errors.ts";
import { formatTime } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { useFindingWords } from "../finding-words.ts";
import { diagnosticQuery } from "../queries.ts";
import { diagnosticsTexts } from "../texts.ts";

const looks: Record<CheckStatus, { icon: LucideIcon; tone: BadgeTone; className: string }> = {
  ok: { icon: CircleCheck, tone: "success", className: "text-success-text" },
  off: { icon: CircleDashed, tone: "neutral", className: "text-muted-foreground" },
  warn: { icon: TriangleAlert, tone: "warning", className: "text-warning-text" },
  fail: { icon: CircleX, tone: "danger", className: "text-danger-text" },
};

/** One integration with everything that was looked at. */
export function IntegrationCard({ integration }: { integration: Integration }) {
  const t = useTexts(diagnosticsTexts);
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
        {error ? <p className="text-danger-text text-sm">{errorText(error, t("failed"))}</p> : null}
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

function CheckEntry({ integration, check }: { integration: Integration; check: DiagnosticCheck }) {
  const t = useTexts(diagnosticsTexts);
  const { data: user } = useQuery(currentUserQuery());
  const { found, todo } = useFindingWords()(integration, check);
  const { icon: Icon, className } = looks[check.status];
  const isAmiss = check.status === "warn" || check.status === "fail";
  const advice = user?.role === "admin" ? todo : isAmiss && t("tellAdmin");
  return (
    <li className="flex gap-3 py-3 text-sm first:pt-0 last:pb-0">
      <Icon aria-hidden className={cn("mt-0.5 size-4.5 shrink-0", className)} />
      <div className="grid min-w-0 gap-0.5">
        <p>
          <span className="font-medium">{t(check.name)}</span>
          <span className="sr-only">: {t(check.status)}.</span>
          <span className="block sm:inline sm:before:content-['_·_']">{found}</span>
        </p>
        {advice ? <p className="text-muted-foreground">{advice}</p> : null}
        {check.detail && check.status !== "ok" ? (
          <p lang="en" className="whitespace-pre-line break-all font-mono text-muted-foreground text-xs">
            <span className="sr-only">{t("details")}: </span>
            {check.detail}
          </p>
        ) : null}
      </div>
    </li>
  );
}
