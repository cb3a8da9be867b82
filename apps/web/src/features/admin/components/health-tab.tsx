import type { RouteResponse } from "@portal/contract/route";
import type { getIntegrationHealth } from "@portal/contract/routes/admin";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Stethoscope } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { rowCardClasses } from "../../../ui/card.tsx";
import { Skeleton } from "../../../ui/list-states.tsx";
import { formatCount, formatInstant } from "../format-spanish.ts";
import { healthMessages } from "../messages.ts";
import { healthQuery } from "../queries.ts";
import { ReadPart } from "./read-part.tsx";

type Part = RouteResponse<typeof getIntegrationHealth>[number];

const tones: Record<Part["state"], BadgeTone> = {
  ok: "plain",
  warning: "warning",
  failing: "danger",
  off: "neutral",
};

/** Last known state of the integrations and jobs. */
export function HealthTab() {
  const t = useMessages(healthMessages);
  const found = useQuery(healthQuery());
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-2xl text-muted-foreground text-sm">{t("intro")}</p>
        <Button asChild variant="secondary">
          <Link to="/ghl-diagnostics">
            <Stethoscope aria-hidden />
            {t("diagnostics")}
          </Link>
        </Button>
      </div>
      <ReadPart found={found} skeleton={<Skeleton className="h-96 rounded-lg" />}>
        {(parts) => (
          <ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
            {parts.map((part) => (
              <PartCard key={part.part} part={part} />
            ))}
          </ul>
        )}
      </ReadPart>
    </>
  );
}

function PartCard({ part }: { part: Part }) {
  const t = useMessages(healthMessages);
  return (
    <li className={cn(rowCardClasses, "grid content-start gap-3")}>
      <div className="flex items-center justify-between gap-3">
        <h2 className="font-semibold text-sm">{t(`part_${part.part}`)}</h2>
        <Badge tone={tones[part.state]}>{t(`state_${part.state}`)}</Badge>
      </div>
      {part.state === "off" ? null : (
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
          <dt className="text-muted-foreground">{t("waiting")}</dt>
          <dd className="tabular-nums">{formatCount(part.waiting)}</dd>
          <dt className="text-muted-foreground">{t("failed")}</dt>
          <dd className="tabular-nums">{formatCount(part.failed)}</dd>
          <dt className="text-muted-foreground">{t("lastOk")}</dt>
          <dd className="tabular-nums">{part.lastOkAt ? formatInstant(part.lastOkAt) : t("none")}</dd>
          {part.lastFailure ? (
            <>
              <dt className="text-muted-foreground">{t("lastFailure")}</dt>
              <dd className="[overflow-wrap:anywhere]">{part.lastFailure}</dd>
            </>
          ) : null}
        </dl>
      )}
    </li>
  );
}
