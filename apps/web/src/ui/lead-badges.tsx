import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import { ChevronDown, ChevronsUp, Equal } from "lucide-react";
import { useMessages } from "../lib/i18n.ts";
import { leadLabelMessages, statusTones } from "../lib/lead-label-messages.ts";
import { Badge } from "./badge.tsx";

const statusLooks = { ...statusTones, contacted: "neutral" } as const;

interface StatusBadgeProps {
  status: LeadStatus;
  /** Among many rows: those whom one has yet to win are words. */
  isQuiet?: boolean;
}

export function StatusBadge({ status, isQuiet = false }: StatusBadgeProps) {
  const t = useMessages(leadLabelMessages);
  const isUsual = status === "new" || status === "contacted";
  return <Badge tone={isQuiet && isUsual ? "plain" : statusLooks[status]}>{t(status)}</Badge>;
}

const priorityLooks = {
  high: { tone: "danger", icon: ChevronsUp },
  medium: { tone: "neutral", icon: Equal },
  low: { tone: "neutral", icon: ChevronDown },
} as const;

interface PriorityBadgeProps {
  priority: Priority;
  /** Among many rows: only a high one is a badge. */
  isQuiet?: boolean;
}

export function PriorityBadge({ priority, isQuiet = false }: PriorityBadgeProps) {
  const t = useMessages(leadLabelMessages);
  const { tone, icon: Icon } = priorityLooks[priority];
  return (
    <Badge tone={isQuiet && priority !== "high" ? "plain" : tone} title={t(`${priority}Priority`)}>
      <Icon aria-hidden />
      {t(priority)}
    </Badge>
  );
}
