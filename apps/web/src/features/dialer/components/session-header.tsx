import type { DialerSession } from "@portal/contract/entities/dialer";
import { limits } from "@portal/contract/limits";
import { Square } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { Select } from "../../../ui/select.tsx";
import { dialerMessages } from "../messages.ts";
import { useDialerCommand, useDialerDelay } from "../queries.ts";

/** Status, position in the list, delay and Stop. */
export function SessionHeader({ session }: { session: DialerSession }) {
  const t = useMessages(dialerMessages);
  const { give, underWay } = useDialerCommand(session);
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
            // On a phone the wrap-up needs the space.
            className={cn("w-auto", session.phase === "wrap_up" && "max-sm:hidden")}
            value={session.delaySeconds}
            onChange={(seconds) => delay.mutate(seconds)}
          />
          <Button variant="secondary" pending={underWay.includes("stop")} onClick={() => give("stop")}>
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

type ShownStatus = "idle" | "active" | "paused" | "completed";

/** The recorded statuses: without a session, or after Stop, the dialer is idle. */
export function shownStatus(session: Pick<DialerSession, "status" | "closed"> | null): ShownStatus {
  if (!session || session.status === "stopped" || session.closed) return "idle";
  return session.status;
}

const tones: Record<ShownStatus, BadgeTone> = {
  idle: "neutral",
  active: "success",
  paused: "warning",
  completed: "primary",
};

export function StatusBadge({ status }: { status: ShownStatus }) {
  const t = useMessages(dialerMessages);
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}

export type DelaySeconds = (typeof limits.dialerDelaysSeconds)[number];

interface DelaySelectProps {
  id?: string;
  "aria-label"?: string;
  className?: string;
  value: number;
  disabled?: boolean;
  onChange: (seconds: DelaySeconds) => void;
}

/** The recorded delays between two calls. */
export function DelaySelect({ value, onChange, ...props }: DelaySelectProps) {
  const t = useMessages(dialerMessages);
  return (
    <Select
      {...props}
      value={String(value)}
      onValueChange={(chosen) => {
        const seconds = limits.dialerDelaysSeconds.find((delay) => String(delay) === chosen);
        if (seconds !== undefined && seconds !== value) onChange(seconds);
      }}
      options={limits.dialerDelaysSeconds.map((seconds) => ({
        value: String(seconds),
        label: t("seconds", { count: seconds }),
      }))}
    />
  );
}
