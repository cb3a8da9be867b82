import type { DeliveryOutcome, LeadDelivery } from "@portal/contract/entities/lead-webhook";
import { RotateCw } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { formatRelative } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { useReplay } from "../queries.ts";
import { reasonWords } from "../reason-words.ts";
import { stateTones } from "../state-tones.ts";
import { deliveryTexts, webhooksTexts } from "../texts.ts";
import { ScrollText } from "./scroll-text.tsx";

const TimelineDialog = lazy(() => import("../../leads/components/timeline-dialog.tsx"));

/** Events shown of one delivery; a batch may hold hundreds. */
const itemsShown = 5;
const outcomeTones: Record<DeliveryOutcome, BadgeTone> = {
  created: "success",
  updated: "info",
  unchanged: "neutral",
  repeat: "neutral",
  waiting: "warning",
  ignored: "neutral",
  rejected: "danger",
  tested: "violet",
};

/** One delivery: what became of its events, its body, and Replay. */
export function DeliveryEntry({ delivery }: { delivery: LeadDelivery }) {
  const t = useTexts(deliveryTexts);
  const states = useTexts(webhooksTexts);
  const replay = useReplay();
  const { id, items, state } = delivery;
  const rest = items.length - itemsShown;
  return (
    <li aria-label={t("delivery", { id })} className="grid gap-2 py-3">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span className="font-medium tabular-nums">#{id}</span>
        <Badge tone={stateTones[state]}>{states(`state_${state}`)}</Badge>
        {delivery.test ? <Badge tone="violet">{t("testMark")}</Badge> : null}
        <time dateTime={delivery.receivedAt} className="text-muted-foreground text-xs">
          {formatRelative(delivery.receivedAt)}
        </time>
        <Button
          variant="secondary"
          size="sm"
          className="ml-auto"
          aria-label={t("replayOf", { id })}
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
        <summary className="w-fit cursor-pointer rounded text-primary-text underline-offset-4 hover:underline pointer-coarse:py-2">
          {t("show")}
        </summary>
        <div className="mt-2">
          <ScrollText label={t("bodyOf", { id })} text={delivery.body} />
        </div>
      </details>
    </li>
  );
}

function Item({ item }: { item: LeadDelivery["items"][number] }) {
  const t = useTexts(deliveryTexts);
  const reason = item.reason === null ? null : reasonWords(item.reason);
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
  const t = useTexts(deliveryTexts);
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <>
      <Button
        ref={opener}
        variant="link"
        size="sm"
        className="h-auto min-w-0 px-0 text-left whitespace-normal [overflow-wrap:anywhere]"
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
