import { getLeadRegion } from "@portal/contract/routes/leads";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { routeQuery } from "../../../lib/query-client.ts";

const leadPlaceMessages = defineMessages("lead-place", {
  title: ["Where hours and limits come from", "De dónde salen horarios y límites"],
  hint: [
    "When, and how often, this lead may be called or texted follows the strictest of these.",
    "Cuándo y cuántas veces se puede llamar o escribir a este prospecto sigue a lo más estricto de esto.",
  ],
  crmState: ["State in GHL", "Estado en GHL"],
  crmTimeZone: ["Time zone in GHL", "Zona horaria en GHL"],
  numberTimeZone: ["Time zone of the number", "Zona horaria del número"],
});

/** A zone as people read it. */
const zoneText = (zone: string) => zone.replaceAll("_", " ");

/** State and zone of a lead's contact in the CRM beside its number's: they decide hours and limits. Nothing where the CRM names neither. */
export function LeadRegion({ leadId }: { leadId: number }) {
  const t = useMessages(leadPlaceMessages);
  const title = useId();
  const { data } = useQuery(routeQuery(getLeadRegion, { params: { id: leadId } }));
  if (!data?.crmState && !data?.crmTimeZone) return null;
  const facts = [
    [t("crmState"), data.crmState],
    [t("crmTimeZone"), data.crmTimeZone && zoneText(data.crmTimeZone)],
    [t("numberTimeZone"), data.numberTimeZones.map(zoneText).join(", ")],
  ].filter(([, value]) => value);
  return (
    <section aria-labelledby={title} className="grid gap-2 rounded-xl border px-4 py-3 text-sm">
      <h3 id={title} className="font-semibold">
        {t("title")}
      </h3>
      <p className="text-muted-foreground text-xs">{t("hint")}</p>
      <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-muted-foreground text-xs">{label}</dt>
            <dd className="break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
