import type { DialerSession } from "@portal/contract/entities/dialer";
import { useTexts } from "../../../lib/i18n.ts";
import { Badge, type BadgeTone } from "../../../ui/badge.tsx";
import { dialerTexts } from "../texts.ts";

export type ShownStatus = "idle" | "active" | "paused" | "completed";

/** The recorded states (specification §4): without a session, or after Stop, the dialer is idle. */
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
  const t = useTexts(dialerTexts);
  return <Badge tone={tones[status]}>{t(status)}</Badge>;
}
