import type { Lead } from "@portal/contract/entities/lead";
import { type FurtherNumber, listFurtherNumbers } from "@portal/contract/routes/leads";
import { useQuery } from "@tanstack/react-query";
import { Phone } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { formatPhone } from "../../../lib/format.ts";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { routeQuery } from "../../../lib/query-client.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { useRepCall } from "../../telephony/call/call-provider.tsx";
import { useCallRefusal } from "./call-now-button.tsx";

const messages = defineMessages("further-numbers", {
  title: ["Further numbers", "Otros números"],
  calledFrom: ["Called from here", "Llamó desde aquí"],
  call: ["Call", "Llamar"],
  callName: ["{name} at {number}", "a {name} al {number}"],
});

interface FurtherNumbersProps {
  lead: Lead;
  /** The number that the lead's newest missed call came from, E.164. */
  calledFrom?: string | null | undefined;
  className?: string;
}

/** The numbers that a lead has from leads merged into it, each with a button that calls it, or why not; nothing without any. */
export function FurtherNumbers({ lead, calledFrom, className }: FurtherNumbersProps) {
  const t = useMessages(messages);
  const { data: numbers = [] } = useQuery({
    ...routeQuery(listFurtherNumbers, { params: { id: lead.id } }),
    staleTime: 0,
    enabled: lead.isMerged,
  });
  // After an undone merge the cache still has the numbers.
  if (!lead.isMerged || numbers.length === 0) return null;
  return (
    <ul aria-label={t("title")} className={cn("grid gap-1.5 text-sm", className)}>
      {numbers.map((number) => (
        <NumberRow key={number.phone} lead={lead} number={number} isCaller={number.phone === calledFrom} />
      ))}
    </ul>
  );
}

interface NumberRowProps {
  lead: Lead;
  number: FurtherNumber;
  isCaller: boolean;
}

function NumberRow({ lead, number, isCaller }: NumberRowProps) {
  const t = useMessages(messages);
  const repCall = useRepCall();
  const refused = useCallRefusal(number);
  const shown = formatPhone(number.phone);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="inline-flex items-center gap-1.5 tabular-nums">
        <Phone aria-hidden className="size-3.5 text-muted-foreground" />
        {shown}
      </span>
      {lead.status === "not_interested" ? null : refused ? (
        <span className="text-muted-foreground text-xs">{refused.message}</span>
      ) : (
        <Button variant="soft" size="sm" onClick={() => repCall.start({ ...lead, phone: number.phone })}>
          {t("call")} <span className="sr-only">{t("callName", { name: lead.name, number: shown })}</span>
        </Button>
      )}
      {isCaller ? <Badge tone="info">{t("calledFrom")}</Badge> : null}
    </li>
  );
}
