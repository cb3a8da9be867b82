import { CloudUpload, TriangleAlert } from "lucide-react";
import { cn } from "../../lib/cn.ts";
import { useMessages } from "../../lib/i18n.ts";
import { isQueueOpen, queueItems } from "../../lib/offline/queue.ts";
import { useStore } from "../../lib/store.ts";
import { offlineMessages } from "./unsent-mark.tsx";

/** In the top bar: the number of queued and refused writes; opens their list. Nothing without any; on a narrow screen only the number. */
export function QueueButton({ isNarrow = false }: { isNarrow?: boolean }) {
  const t = useMessages(offlineMessages);
  const count = useStore(queueItems, (items) => items.length);
  const refused = useStore(queueItems, (items) => items.filter(({ refusal }) => refusal).length);
  const Icon = refused > 0 ? TriangleAlert : CloudUpload;
  const words = [
    ...(refused > 0 ? [t("refusedCount", { count: refused })] : []),
    ...(count > refused ? [t("unsentCount", { count: count - refused })] : []),
  ].join(" · ");
  return (
    <>
      <p role="status" className="sr-only">
        {words}
      </p>
      {count === 0 ? null : (
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={words}
          onClick={() => isQueueOpen.set(true)}
          className={cn(
            "inline-flex min-h-8 min-w-0 items-center gap-2 rounded-md px-2.5 py-1 text-left font-medium text-xs leading-4 pointer-coarse:min-h-11",
            refused > 0 ? "bg-danger-soft text-danger-text" : "bg-warning-soft text-warning-text",
          )}
        >
          <Icon aria-hidden className="size-4 shrink-0" />
          {isNarrow ? count : words}
        </button>
      )}
    </>
  );
}
