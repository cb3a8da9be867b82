import type { DialerSource } from "@portal/contract/entities/dialer";
import { leadStatuses } from "@portal/contract/entities/lead";
import { limits } from "@portal/contract/limits";
import { useQuery } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useState } from "react";
import { useTexts } from "../../../lib/i18n.ts";
import { leadLabelTexts } from "../../../lib/lead-label-texts.ts";
import { currentUserQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { useDialerScreen } from "../dialer-store.ts";
import { useStartDialer } from "../queries.ts";
import { setupTexts } from "../setup-texts.ts";
import { dialerTexts } from "../texts.ts";
import { ActionBar } from "./action-bar.tsx";
import { type DelaySeconds, DelaySelect } from "./delay-select.tsx";
import { Preview } from "./preview.tsx";
import { type SourceKind, SourcePicker } from "./source-picker.tsx";
import { StatusBadge } from "./status-badge.tsx";

type StatusFilter = Extract<DialerSource, { kind: "filter" }>["status"];
type Order = "createdAt" | "smart";

/** Before a session: whom to call, in which order, with which delay; beside Start what it would do. */
export default function DialerSetup() {
  const t = useTexts(setupTexts);
  const dialer = useTexts(dialerTexts);
  const label = useTexts(leadLabelTexts);
  const { selection } = useDialerScreen();
  const { data: user } = useQuery(currentUserQuery());
  const [kind, setKind] = useState<SourceKind>(selection.length > 0 ? "selection" : "filter");
  const [status, setStatus] = useState<StatusFilter>("new");
  const [order, setOrder] = useState<Order>("createdAt");
  const [delaySeconds, setDelay] = useState<DelaySeconds>(limits.dialerDelayDefaultSeconds);
  const start = useStartDialer();
  const source = sourceOf(kind, status, selection);

  return (
    <div className="flex min-h-full flex-col gap-4">
      <div className="flex items-center gap-3">
        <StatusBadge status="idle" />
      </div>
      <SourcePicker value={source.kind} onChange={setKind} selected={selection.length} />
      <div className="grid gap-4 sm:grid-cols-3">
        {source.kind === "filter" ? (
          <Field label={t("statusFilter")}>
            {(control) => (
              <Select<StatusFilter>
                {...control}
                value={status}
                onValueChange={setStatus}
                options={[
                  { value: "all", label: t("allStatuses") },
                  ...leadStatuses.map((value) => ({ value, label: label(value) })),
                ]}
              />
            )}
          </Field>
        ) : null}
        <Field label={t("order")} hint={order === "smart" ? t("orderSmartHint") : undefined}>
          {(control) => (
            <Select<Order>
              {...control}
              value={order}
              onValueChange={setOrder}
              options={[
                { value: "createdAt", label: t("order_createdAt") },
                { value: "smart", label: t("order_smart") },
              ]}
            />
          )}
        </Field>
        <Field label={dialer("delay")}>
          {(control) => <DelaySelect {...control} value={delaySeconds} onChange={setDelay} />}
        </Field>
      </div>
      <Preview source={source} order={order} />
      {user?.autoDial === false ? <p className="text-muted-foreground text-sm">{t("byHand")}</p> : null}
      <ActionBar>
        <Button
          size="lg"
          className="flex-1 sm:ml-auto sm:min-w-48 sm:flex-none"
          pending={start.isPending}
          onClick={() => start.mutate({ source, order, delaySeconds })}
        >
          {start.isPending ? null : <Play aria-hidden className="fill-current" />}
          {t(start.isPending ? "starting" : "start")}
        </Button>
      </ActionBar>
    </div>
  );
}

function sourceOf(kind: SourceKind, status: StatusFilter, selection: readonly number[]): DialerSource {
  switch (kind) {
    case "selection":
      // The cards may have been let go of meanwhile.
      return selection.length > 0 ? { kind, leadIds: [...selection] } : { kind: "filter", status };
    case "filter":
      return { kind, status };
    case "follow_ups":
    case "call_back":
      return { kind };
  }
}
