import { CloudUpload, TriangleAlert } from "lucide-react";
import { cn } from "../../lib/cn.ts";
import { defineMessages, useMessages } from "../../lib/i18n.ts";
import { isQueueOpen, queueItems } from "../../lib/offline/queue.ts";
import { useStore } from "../../lib/store.ts";
import { Badge } from "../../ui/badge.tsx";

interface UnsentMarkProps {
  leadId: number;
  /** Only the icon, for a row. */
  isSmall?: boolean;
  className?: string;
}

/** A mark next to a lead's data: a write is queued or was refused. Opens the list. */
export function UnsentMark({ leadId, isSmall = false, className }: UnsentMarkProps) {
  const t = useMessages(offlineMessages);
  const state = useStore(queueItems, (items) => {
    const own = items.filter((item) => item.leadId === leadId);
    if (own.length === 0) return null;
    return own.some(({ refusal }) => refusal) ? "refused" : "unsent";
  });
  if (state === null) return null;
  const Icon = state === "refused" ? TriangleAlert : CloudUpload;
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      title={t(state)}
      onClick={() => isQueueOpen.set(true)}
      className={cn("inline-flex min-h-6 max-w-full items-center rounded-full", className)}
    >
      <Badge tone={state === "refused" ? "danger" : "warning"}>
        <Icon aria-hidden />
        <span className={isSmall ? "sr-only" : "truncate"}>{t(state)}</span>
      </Badge>
    </button>
  );
}

/** Messages about queued writes that are part of the first load. */
export const offlineMessages = defineMessages("offline", {
  unsentCount_one: ["{count} waiting to be sent", "{count} pendiente de envío"],
  unsentCount_other: ["{count} waiting to be sent", "{count} pendientes de envío"],
  refusedCount_one: ["{count} not saved", "{count} sin guardar"],
  refusedCount_other: ["{count} not saved", "{count} sin guardar"],
  unsent: ["Waiting to be sent", "Pendiente de envío"],
  refused: ["Not saved", "Sin guardar"],
});
