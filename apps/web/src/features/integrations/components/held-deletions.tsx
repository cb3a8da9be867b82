import type { DeletionDecision, HeldDeletions as Held } from "@portal/contract/entities/crm";
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useId } from "react";
import { formatDate, formatNumber, formatTime } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { MetricList } from "../../../ui/metric-list.tsx";
import { heldMessages } from "../messages.ts";
import { heldDeletionsQuery, useDecideDeletions } from "../queries.ts";

/** Far too many deletions that a full read of GHL found: administrators see the numbers and decide. Nothing where none wait. */
export function HeldDeletions() {
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
