import type { DialerSession } from "@portal/contract/entities/dialer";
import { Square } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { useDialerCommand, useDialerDelay } from "../queries.ts";
import { dialerTexts } from "../texts.ts";
import { DelaySelect } from "./delay-select.tsx";
import { StatusBadge, shownStatus } from "./status-badge.tsx";

/** State, place in the list, delay and Stop. */
export function SessionHeader({ session }: { session: DialerSession }) {
  const t = useTexts(dialerTexts);
  const command = useDialerCommand(session);
  const delay = useDialerDelay(session.id);
  const place = {
    position: formatNumber(Math.min(session.position + 1, session.total)),
    total: formatNumber(session.total),
  };
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <StatusBadge status={shownStatus(session)} />
        <p className="font-medium text-sm tabular-nums">{t("position", place)}</p>
        <div className="ml-auto flex items-center gap-2">
          <DelaySelect
            aria-label={t("delay")}
            // On a phone the wrap-up needs the room.
            className={cn("w-auto", session.phase === "wrap_up" && "max-sm:hidden")}
            value={session.delaySeconds}
            onChange={(seconds) => delay.mutate(seconds)}
          />
          <Button
            variant="secondary"
            pending={command.isPending && command.variables === "stop"}
            onClick={() => command.mutate("stop")}
          >
            <Square aria-hidden className="size-3.5 fill-current" />
            {t("stop")}
          </Button>
        </div>
      </div>
      <div
        role="progressbar"
        aria-label={t("progress")}
        aria-valuemin={0}
        aria-valuemax={session.total}
        aria-valuenow={session.position}
        aria-valuetext={t("position", place)}
        className="h-1.5 overflow-hidden rounded-full bg-border"
      >
        <div
          className="h-full rounded-full bg-primary transition-[width] duration-300"
          style={{ width: `${(100 * session.position) / session.total}%` }}
        />
      </div>
    </div>
  );
}
