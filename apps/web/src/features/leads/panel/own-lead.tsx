import type { Lead } from "@portal/contract/entities/lead";
import { useId } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { ExtraFields, Timeline } from "../../activity/timeline.tsx";
import { LeadCard } from "../components/lead-card.tsx";
import { LeadFacts } from "./lead-facts.tsx";
import { LeadPlace } from "./lead-place.tsx";
import { leadPanelMessages } from "./messages.ts";

/** A lead that one may act on. */
export function OwnLead({ lead }: { lead: Lead }) {
  const t = useMessages(leadPanelMessages);
  const history = useId();
  return (
    <>
      <LeadCard lead={lead} selected={undefined} onSelect={() => undefined} />
      <LeadFacts lead={lead} />
      <LeadPlace leadId={lead.id} />
      <ExtraFields leadId={lead.id} />
      <section aria-labelledby={history} className="grid gap-4">
        <h3 id={history} className="font-semibold">
          {t("history")}
        </h3>
        <Timeline lead={lead} />
      </section>
    </>
  );
}
