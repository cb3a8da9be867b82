import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import { ChevronDown, ChevronsUp, Equal } from "lucide-react";
import { useMessages } from "../lib/i18n.ts";
import { leadLabelMessages, statusTones } from "../lib/lead-label-messages.ts";
import { Badge } from "./badge.tsx";

export function StatusBadge({ status }: { status: LeadStatus }) {
  const t = useMessages(leadLabelMessages);
  return <Badge tone={statusTones[status]}>{t(status)}</Badge>;
}

const priorityLooks = {
  high: { tone: "danger", icon: ChevronsUp },
  medium: { tone: "neutral", icon: Equal },
  low: { tone: "neutral", icon: ChevronDown },
} as const;

export function PriorityBadge({ priority }: { priority: Priority }) {
  const t = useMessages(leadLabelMessages);
  const { tone, icon: Icon } = priorityLooks[priority];
  return (
    <Badge tone={tone} title={t(`${priority}Priority`)}>
      <Icon aria-hidden />
      {t(priority)}
    </Badge>
  );
}
