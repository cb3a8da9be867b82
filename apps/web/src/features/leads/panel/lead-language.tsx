import type { Lead } from "@portal/contract/entities/lead";
import { languages } from "@portal/contract/entities/user";
import { Check } from "lucide-react";
import { useRef } from "react";
import { defineMessages, useMessages } from "../../../lib/i18n.ts";
import { leadLanguageMessages } from "../../../lib/lead-language-messages.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import { useUpdateLead } from "../mutations.ts";

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

/** The language of a lead: chosen, or what their texts look like, which one press confirms. */
export function LeadLanguage({ lead }: { lead: Lead }) {
  const t = useMessages(messages);
  const name = useMessages(leadLanguageMessages);
  const update = useUpdateLead(lead);
  const box = useRef<HTMLDivElement>(null);
  const { language, languageGuess } = lead;
  const guess = language === null ? languageGuess : null;
  const confirm = () => {
    update.mutate({ language: guess });
    // The button goes with the guess; the list beside it says what holds now.
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
