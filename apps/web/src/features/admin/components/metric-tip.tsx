import { CircleHelp } from "lucide-react";
import { useMessages } from "../../../lib/i18n.ts";
import { Tooltip } from "../../../ui/tooltip.tsx";
import { monitorMessages } from "../messages.ts";

/** Explains a figure on hover and focus. The table is followed by the same text for touch screens. */
export function MetricTip({ figure, children }: { figure: string; children: string }) {
  const t = useMessages(monitorMessages);
  return (
    <Tooltip content={children}>
      <button
        type="button"
        aria-label={t("meaning", { figure })}
        className="relative inline-grid size-5 shrink-0 place-items-center rounded-full align-middle text-muted-foreground hover:text-foreground pointer-coarse:after:absolute pointer-coarse:after:-inset-3"
      >
        <CircleHelp aria-hidden className="size-3.5" />
      </button>
    </Tooltip>
  );
}
