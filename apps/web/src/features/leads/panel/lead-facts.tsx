import type { Lead } from "@portal/contract/entities/lead";
import { languages } from "@portal/contract/entities/user";
import { getLeadRegion } from "@portal/contract/routes/leads";
import { useQuery } from "@tanstack/react-query";
import { Check } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import { formatDate, formatMoney, formatPhone } from "../../../lib/format.ts";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { leadLanguageMessages } from "../../../lib/lead-language-messages.ts";
import { routeQuery } from "../../../lib/query-client.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { extraFieldsQuery, FieldList } from "../../activity/extra-fields.tsx";
import { useUpdateLead } from "../mutations.ts";
import { leadPanelMessages } from "./messages.ts";

/** Read-only facts about a lead; contact data only if no other part shows it. */
export function LeadFacts({ lead, withContact = true }: { lead: Lead; withContact?: boolean }) {
  const t = useMessages(leadPanelMessages);
  const contact = [
    [t("phone"), lead.phone ? formatPhone(lead.phone) : t("noPhone")],
    [t("email"), lead.email ?? t("noEmail")],
    [t("company"), lead.company ?? t("notAvailable")],
  ] as const;
  const facts = [
    ...(withContact ? contact : []),
    [t("industry"), lead.industry ?? t("notAvailable")],
    [t("source"), lead.leadSource ?? t("notAvailable")],
    ...(lead.dealValue === null ? [] : [[t("dealValue"), formatMoney(lead.dealValue)] as const]),
    [t("assignedTo"), lead.salesRepName ?? t("unassigned")],
    [t("created"), formatDate(lead.createdAt)],
    [t("assignmentDate"), lead.assignedAt ? formatDate(lead.assignedAt) : t("notAssigned")],
  ] as const;
  return (
    <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-2">
      {facts.map(([label, value]) => (
        <div key={label} className="min-w-0">
          <dt className="text-muted-foreground text-xs">{label}</dt>
          <dd className="[overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** State and zone are shown in their own section. */
const toldElsewhere = ["state", "timeZone"];

/** Fields without a column: from GoHighLevel, and from an import or webhook. */
export function KnownFields({ leadId }: { leadId: number }) {
  const t = useMessages(leadPanelMessages);
  const { data = [] } = useQuery(extraFieldsQuery(leadId));
  const crm = data
    .filter(({ name, from }) => from === "crm-field" || (from === "crm" && !toldElsewhere.includes(name)))
    .map(({ name, value, from }) => ({ name: from === "crm" ? t("tags") : name, value }));
  const imported = data.filter(({ from }) => from === "import");
  return (
    <>
      <FieldList title={t("crmFields", { count: crm.length })} fields={crm} />
      <FieldList title={t("otherColumns", { count: imported.length })} fields={imported} />
    </>
  );
}

const messages = defineMessages("lead-language-field", {
  hint: [
    "Calls greet this lead in it, and templates come in it.",
    "En este idioma saludan las llamadas y salen las plantillas.",
  ],
  guess_en: ["Their texts look English.", "Sus mensajes parecen estar en inglés."],
  guess_es: ["Their texts look Spanish.", "Sus mensajes parecen estar en español."],
  confirm_en: ["Yes, English", "Sí, inglés"],
  confirm_es: ["Yes, Spanish", "Sí, español"],
});

/** The language of a lead: chosen, or guessed from its SMS, which a button confirms. */
export function LeadLanguage({ lead }: { lead: Lead }) {
  const t = useMessages(messages);
  const name = useMessages(leadLanguageMessages);
  const update = useUpdateLead(lead);
  const box = useRef<HTMLDivElement>(null);
  const { language, languageGuess } = lead;
  const guess = language === null ? languageGuess : null;
  const confirm = () => {
    update.mutate({ language: guess });
    // The button disappears with the guess, so the select next to it gets the focus.
    box.current?.querySelector<HTMLElement>("[role=combobox]")?.focus();
  };
  return (
    <div ref={box} className="grid gap-2">
      <Field label={name("language")} hint={guess ? t(`guess_${guess}`) : t("hint")}>
        {(control) => (
          <span className="flex flex-wrap gap-2">
            <Select
              {...control}
              className="w-44"
              value={language ?? "unknown"}
              onValueChange={(value) => update.mutate({ language: value === "unknown" ? null : value })}
              options={[
                ...languages.map((value) => ({ value, label: name(value) })),
                { value: "unknown" as const, label: name("unknown") },
              ]}
            />
            {guess ? (
              <Button variant="secondary" onClick={confirm}>
                <Check aria-hidden />
                {t(`confirm_${guess}`)}
              </Button>
            ) : null}
          </span>
        )}
      </Field>
    </div>
  );
}

/** A section of the panel with a heading. */
export function Section({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-3 border-t pt-4">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h3 id={id} className="font-semibold">
          {title}
        </h3>
        {action}
      </div>
      {children}
    </section>
  );
}

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

/** A zone as readable text. */
const zoneText = (zone: string) => zone.replaceAll("_", " ");

/** State and zone of a lead's CRM contact and of its number, which decide hours and limits. Nothing if the CRM has neither. */
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
