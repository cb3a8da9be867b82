import type { Lead } from "@portal/contract/entities/lead";
import { useClock } from "../../../lib/clock.tsx";
import { cn } from "../../../lib/cn.ts";
import { formatOrdinal, formatRelative } from "../../../lib/format.ts";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { outcomeMessages } from "./messages.ts";

const lastAttemptMessages = defineMessages("last-attempt", {
  label: ["Last call attempt", "Último intento de llamada"],
  unknown: ["Called", "Se llamó"],
  tries: ["{nth} try", "{nth} intento"],
});

interface LastAttemptProps {
  lead: Pick<Lead, "attempts" | "lastAttemptAt" | "lastAttemptOutcome">;
  className?: string;
}

/** 'Busy · 4 minutes ago · 2nd try', updated over time; nothing without an attempt. */
export function LastAttempt({ lead, className }: LastAttemptProps) {
  return lead.attempts > 0 && lead.lastAttemptAt !== null ? (
    <Attempt
      attempts={lead.attempts}
      at={lead.lastAttemptAt}
      outcome={lead.lastAttemptOutcome}
      className={className}
    />
  ) : null;
}

interface AttemptProps {
  attempts: number;
  at: string;
  outcome: Lead["lastAttemptOutcome"];
  className: string | undefined;
}

function Attempt({ attempts, at, outcome, className }: AttemptProps) {
  const t = useMessages(lastAttemptMessages);
  const label = useMessages(outcomeMessages);
  const when = useClock((now) => formatRelative(at, now));
  const attempt = [
    outcome === null ? t("unknown") : label(outcome),
    when,
    t("tries", { nth: formatOrdinal(attempts) }),
  ].join(" · ");
  return (
    <span title={attempt} className={cn("block truncate", className)}>
      <span className="sr-only">{t("label")}: </span>
      {attempt}
    </span>
  );
}
