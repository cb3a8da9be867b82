import type { LeadStatus, Priority } from "@portal/contract/entities/lead";
import { cva, type VariantProps } from "class-variance-authority";
import { ChevronDown, ChevronsUp, Equal } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";
import { formatNumber } from "../lib/format.ts";
import { useMessages } from "../lib/i18n.ts";
import { leadLabelMessages, statusTones } from "../lib/lead-label-messages.ts";

const badgeVariants = cva(
  "inline-flex max-w-full items-center gap-1 truncate rounded-full px-2 py-0.5 font-medium text-xs leading-4.5 [&_svg]:size-3 [&_svg]:shrink-0",
  {
    variants: {
      tone: {
        /** A normal state: plain text, so that only deviating states have badges. */
        plain: "px-0 text-muted-foreground",
        neutral: "bg-muted text-muted-foreground",
        primary: "bg-primary-soft text-primary-text",
        info: "bg-info-soft text-info-text",
        success: "bg-success-soft text-success-text",
        warning: "bg-warning-soft text-warning-text",
        danger: "bg-danger-soft text-danger-text",
        violet: "bg-violet-soft text-violet-text",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export type BadgeTone = NonNullable<VariantProps<typeof badgeVariants>["tone"]>;

export function Badge({
  className,
  tone,
  ...props
}: ComponentProps<"span"> & VariantProps<typeof badgeVariants>) {
  return <span className={cn(badgeVariants({ tone }), className)} {...props} />;
}

interface CountBadgeProps {
  count: number;
  /** Accessible name of the count: "3 unread texts". */
  label: string;
  /** Higher counts are shown as this with a plus: "99+". */
  most?: number;
  className?: string;
}

/** A count on a button or name. */
export function CountBadge({ count, label, most, className }: CountBadgeProps) {
  return (
    <span
      className={cn(
        "inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded-full bg-primary-soft px-1.5 font-semibold text-primary-text text-xs tabular-nums",
        className,
      )}
    >
      <span aria-hidden>{most !== undefined && count > most ? `${most}+` : formatNumber(count)}</span>
      <span className="sr-only">{label}</span>
    </span>
  );
}

const statusLooks = { ...statusTones, contacted: "neutral" } as const;

interface StatusBadgeProps {
  status: LeadStatus;
  /** For long lists: leads that are new or contacted have plain text instead of a badge. */
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
  /** For long lists: only a high priority is a badge. */
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
