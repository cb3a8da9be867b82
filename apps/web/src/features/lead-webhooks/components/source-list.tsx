import type { WebhookSourceName, WebhookSourceState } from "@portal/contract/entities/lead-webhook";
import { useQuery } from "@tanstack/react-query";
import { FileUp, Send, Settings2, TriangleAlert, Webhook } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { useRelativeTime } from "../../../lib/clock.tsx";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "../../../ui/card.tsx";
import { Skeleton } from "../../../ui/list-states.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { stateTones, webhooksMessages } from "../messages.ts";
import { sourcesQuery } from "../queries.ts";
import type { SourceTab } from "./source-dialog.tsx";

const SourceDialog = lateComponent(() => import("./source-dialog.tsx"));

const accessTones = { open: "warning", keyed: "plain", closed: "danger" } as const;

/** The webhook sources with their addresses and last results. */
export function SourceList() {
  const t = useMessages(webhooksMessages);
  const { data, error, isFetching, refetch } = useQuery(sourcesQuery());
  const [opened, setOpened] = useState<{ source: WebhookSourceName; tab: SourceTab } | null>(null);
  const opener = useRef<HTMLElement | null>(null);
  function open(source: WebhookSourceName, tab: SourceTab): void {
    opener.current = document.activeElement as HTMLElement | null;
    setOpened({ source, tab });
  }
  const current = data?.find(({ source }) => source === opened?.source);
  return (
    <Card>
      <CardHeader>
        <CardTitle>{t("title")}</CardTitle>
        <CardDescription>{t("subtitle")}</CardDescription>
      </CardHeader>
      <CardContent className="grid gap-4">
        {data ? <Notices sources={data} /> : null}
        {!data && error ? (
          <div className="grid justify-items-start gap-3">
            <FailureText error={error} fallback={t("loadFailed")} className="text-sm" />
            <Button variant="secondary" pending={isFetching} onClick={() => void refetch()}>
              {t("retry")}
            </Button>
          </div>
        ) : null}
        {!data && !error ? <Skeleton className="h-80" /> : null}
        {data ? (
          <ul aria-label={t("list")} className="grid divide-y">
            {data.map((source) => (
              <SourceRow key={source.source} state={source} onOpen={open} />
            ))}
          </ul>
        ) : null}
      </CardContent>
      {opened && current ? (
        <Suspense fallback={null}>
          <SourceDialog
            state={current}
            startTab={opened.tab}
            onClose={() => setOpened(null)}
            returnFocusTo={opener}
          />
        </Suspense>
      ) : null}
    </Card>
  );
}

function Notices({ sources }: { sources: WebhookSourceState[] }) {
  const t = useMessages(webhooksMessages);
  const notices = (["open", "closed"] as const).filter((access) =>
    sources.some((source) => source.access === access),
  );
  return notices.map((access) => (
    <p
      key={access}
      className="flex items-start gap-2 rounded-lg bg-warning-soft px-3 py-2 text-sm text-warning-text"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      {t(access === "open" ? "openNotice" : "closedNotice")}
    </p>
  ));
}

interface SourceRowProps {
  state: WebhookSourceState;
  onOpen: (source: WebhookSourceName, tab: SourceTab) => void;
}

function SourceRow({ state, onOpen }: SourceRowProps) {
  const t = useMessages(webhooksMessages);
  const { source, access, address, lastDelivery } = state;
  const when = useRelativeTime(lastDelivery?.at);
  const name = t(`source_${source}`);
  const Icon = source === "import" ? FileUp : Webhook;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-3 py-4 first:pt-0 last:pb-0">
      <span className="grid size-9 shrink-0 place-items-center rounded-lg bg-primary-soft text-primary-text">
        <Icon aria-hidden className="size-4.5" />
      </span>
      <div className="grid min-w-0 flex-1 basis-56 gap-1">
        <p className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{name}</span>
          <Badge tone={accessTones[access]}>{t(`access_${access}`)}</Badge>
        </p>
        <p className="break-all font-mono text-muted-foreground text-xs">{address}</p>
        {source === "import" ? null : (
          <p className="flex flex-wrap items-center gap-2 text-muted-foreground text-xs">
            {lastDelivery ? t("lastDelivery", { when }) : t("noDelivery")}
            {lastDelivery ? (
              <Badge tone={stateTones[lastDelivery.state]}>{t(`state_${lastDelivery.state}`)}</Badge>
            ) : null}
          </p>
        )}
      </div>
      <div className="flex gap-2 max-sm:w-full">
        {source === "import" ? null : (
          <Button
            variant="secondary"
            aria-label={t("testOf", { source: name })}
            aria-haspopup="dialog"
            onClick={() => onOpen(source, "test")}
          >
            <Send aria-hidden />
            {t("test")}
          </Button>
        )}
        <Button
          variant="secondary"
          aria-label={t("configureOf", { source: name })}
          aria-haspopup="dialog"
          onClick={() => onOpen(source, "setup")}
        >
          <Settings2 aria-hidden />
          {t("configure")}
        </Button>
      </div>
    </li>
  );
}
