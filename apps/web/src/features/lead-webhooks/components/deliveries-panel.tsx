import type { DeliveryOutcome, LeadDelivery, WebhookSource } from "@portal/contract/entities/lead-webhook";
import { useQuery } from "@tanstack/react-query";
import { Inbox, RotateCw } from "lucide-react";
import { Suspense, useRef, useState } from "react";
import { RelativeTime } from "../../../lib/clock.tsx";
import { useMessages } from "../../../lib/i18n.ts";
import { lateComponent } from "../../../lib/late-module.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { EmptyState, Skeleton } from "../../../ui/list-states.tsx";
import { FailureText } from "../../../ui/request-id.tsx";
import { deliveryMessages, stateTones, webhooksMessages } from "../messages.ts";
import { deliveriesQuery, useReplay } from "../queries.ts";
import { reasonMessage } from "../reason-messages.ts";

/** The latest deliveries of a source with their results and a retry; live. */
export function DeliveriesPanel({ source }: { source: WebhookSource }) {
  const t = useMessages(deliveryMessages);
  const { data, error, isFetching, refetch } = useQuery(deliveriesQuery(source));
  if (!data && error) {
    return (
      <div className="grid justify-items-start gap-3">
        <FailureText error={error} fallback={t("loadFailed")} className="text-sm" />
        <Button variant="secondary" pending={isFetching} onClick={() => void refetch()}>
          {t("retry")}
        </Button>
      </div>
    );
  }
  if (!data) {
    return (
      <div role="status" aria-label={t("loading")} className="grid gap-3">
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
      </div>
    );
  }
  if (data.length === 0) return <EmptyState icon={Inbox} title={t("empty")} description={t("emptyText")} />;
  return (
    <>
      <p className="text-muted-foreground text-sm">{t("hint")}</p>
      <ul aria-label={t("list")} className="grid divide-y border-y">
        {data.map((delivery) => (
          <DeliveryEntry key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </>
  );
}

const TimelineDialog = lateComponent(() => import("../../activity/timeline-dialog.tsx"));

/** Maximum number of events shown per delivery; a batch may have hundreds. */
const itemsShown = 5;
const outcomeTones: Record<DeliveryOutcome, BadgeTone> = {
  created: "plain",
  updated: "plain",
  unchanged: "plain",
  repeat: "plain",
  waiting: "warning",
  ignored: "neutral",
  rejected: "danger",
  tested: "violet",
};

/** One delivery: results of its events, its body, and Replay. */
function DeliveryEntry({ delivery }: { delivery: LeadDelivery }) {
  const t = useMessages(deliveryMessages);
  const states = useMessages(webhooksMessages);
  const replay = useReplay();
  const { id, items, state } = delivery;
  const rest = items.length - itemsShown;
  return (
    <li aria-label={t("delivery", { id: String(id) })} className="grid gap-2 py-3">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="font-medium tabular-nums">#{id}</span>
        <Badge tone={stateTones[state]}>{states(`state_${state}`)}</Badge>
        {delivery.test ? <Badge tone="violet">{t("testMark")}</Badge> : null}
        <time dateTime={delivery.receivedAt} className="text-muted-foreground text-xs">
          <RelativeTime at={delivery.receivedAt} />
        </time>
        <Button
          variant="secondary"
          size="sm"
          className="ml-auto"
          aria-label={t("replayOf", { id: String(id) })}
          pending={replay.isPending}
          onClick={() => replay.mutate(id)}
        >
          {replay.isPending ? null : <RotateCw aria-hidden />}
          {t("replay")}
        </Button>
      </div>
      {items.length > 0 ? (
        <ul className="grid gap-1.5">
          {items.slice(0, itemsShown).map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the events of a delivery keep their order
            <Item key={index} item={item} />
          ))}
          {rest > 0 ? (
            <li className="text-muted-foreground text-xs">{t("moreItems", { count: rest })}</li>
          ) : null}
        </ul>
      ) : null}
      <details className="group text-sm">
        <summary className="w-fit cursor-pointer rounded text-primary-text underline-offset-4 hover:underline pointer-coarse:py-3">
          {t("show")}
        </summary>
        <div className="mt-2">
          <ScrollText label={t("bodyOf", { id: String(id) })} text={delivery.body} />
        </div>
      </details>
    </li>
  );
}

function Item({ item }: { item: LeadDelivery["items"][number] }) {
  const t = useMessages(deliveryMessages);
  const reason = item.reason === null ? null : reasonMessage(item.reason);
  return (
    <li className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
      <Badge tone={outcomeTones[item.outcome]}>{t(`outcome_${item.outcome}`)}</Badge>
      {item.leadId !== null && item.leadName !== null ? (
        <LeadLink lead={{ id: item.leadId, name: item.leadName }} />
      ) : null}
      {reason ? (
        <span lang={reason.lang} className="min-w-0 text-muted-foreground text-xs [overflow-wrap:anywhere]">
          {reason.text}
        </span>
      ) : null}
    </li>
  );
}

function LeadLink({ lead }: { lead: { id: number; name: string } }) {
  const t = useMessages(deliveryMessages);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        ref={opener}
        variant="link"
        size="inline"
        className="min-w-0 [overflow-wrap:anywhere]"
        aria-label={t("openLead", { name: lead.name })}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {lead.name}
      </Button>
      {isOpen ? (
        <Suspense fallback={null}>
          <TimelineDialog lead={lead} onClose={() => setOpen(false)} returnFocusTo={opener} />
        </Suspense>
      ) : null}
    </>
  );
}

interface ScrollTextProps {
  label: string;
  text: string;
}

/** A text in a region that keys can scroll. */
export function ScrollText({ label, text }: ScrollTextProps) {
  return (
    <section
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
      tabIndex={0}
      aria-label={label}
      className="max-h-64 overflow-auto rounded-lg bg-muted p-3"
    >
      <pre className="whitespace-pre-wrap font-mono text-xs [overflow-wrap:anywhere]">{text}</pre>
    </section>
  );
}
