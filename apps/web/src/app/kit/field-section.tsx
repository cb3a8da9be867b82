import { useState } from "react";
import { useMessages } from "../../lib/i18n.ts";
import { CheckboxField, SelectBox } from "../../ui/checkbox.tsx";
import { ChoiceCards } from "../../ui/choice-cards.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Select } from "../../ui/select.tsx";
import { Switch } from "../../ui/switch.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { kitMessages } from "./kit-messages.ts";
import { Section, Specimen } from "./specimen.tsx";

const values = ["one", "two", "three"] as const;
const focused = "border-ring ring-3 ring-ring/30";

/** Text fields and pickers. */
export function FieldSection() {
  const t = useMessages(kitMessages);
  const [value, setValue] = useState<string>("one");
  const select = {
    value,
    onValueChange: setValue,
    options: values.map((each) => ({ value: each as string, label: t(each) })),
  };
  return (
    <Section title={t("fields")}>
      <Specimen part="field" state="rest" isStack>
        <Field label={t("name")} hint={t("hint")}>
          {(control) => <Input {...control} placeholder={t("name")} />}
        </Field>
        <Field label={t("value")}>{(control) => <Select {...control} {...select} />}</Field>
        <Field label={t("notes")}>{(control) => <Textarea {...control} />}</Field>
      </Specimen>
      <Specimen part="field" state="focus" isStack>
        <Input aria-label={t("name")} className={focused} />
        <Select aria-label={t("value")} {...select} className={focused} />
      </Specimen>
      <Specimen part="field" state="disabled" isStack>
        <Input aria-label={t("name")} disabled defaultValue={t("name")} />
        <Select aria-label={t("value")} {...select} disabled />
        <Textarea aria-label={t("notes")} disabled defaultValue={t("notes")} />
      </Specimen>
      <Specimen part="field" state="error" isStack>
        <Field label={t("name")} error={t("fault")}>
          {(control) => <Input {...control} />}
        </Field>
        <Field label={t("value")} error={t("fault")}>
          {(control) => <Select {...control} {...select} value="" placeholder={t("chooseOne")} />}
        </Field>
      </Specimen>
      <Specimen part="field" state="longText" isStack>
        <Input aria-label={t("name")} defaultValue={t("long")} />
        <Select
          aria-label={t("value")}
          value="long"
          onValueChange={() => {}}
          options={[{ value: "long", label: t("long") }]}
        />
        <Textarea aria-label={t("notes")} defaultValue={t("long").replaceAll(" ", "")} />
      </Specimen>
    </Section>
  );
}

/** Checkboxes, switches and radio choices. */
export function BoxSection() {
  const t = useMessages(kitMessages);
  const [isOn, setOn] = useState(true);
  const [value, setValue] = useState<(typeof values)[number]>("one");
  return (
    <Section title={t("boxes")}>
      <Specimen part="checkbox" state="rest" isStack>
        <CheckboxField checked={false} onChange={() => {}}>
          {t("one")}
        </CheckboxField>
        <CheckboxField checked={isOn} onChange={setOn} hint={t("hint")}>
          {t("two")}
        </CheckboxField>
      </Specimen>
      <Specimen part="checkbox" state="disabled" isStack>
        <CheckboxField checked disabled onChange={() => {}}>
          {t("three")}
        </CheckboxField>
      </Specimen>
      <Specimen part="checkbox" state="longText" isStack>
        <CheckboxField checked={isOn} onChange={setOn}>
          {t("long")}
        </CheckboxField>
      </Specimen>
      <Specimen part="select-box" state="partly">
        <SelectBox aria-label={t("one")} checked={false} onChange={() => {}} />
        <SelectBox aria-label={t("two")} checked onChange={() => {}} />
        <SelectBox aria-label={t("three")} isPartly checked onChange={() => {}} />
      </Specimen>
      <Specimen part="switch" state="rest">
        <Switch aria-label={t("one")} checked={false} onCheckedChange={() => {}} />
        <Switch aria-label={t("two")} checked={isOn} onCheckedChange={setOn} />
        <Switch aria-label={t("three")} checked disabled onCheckedChange={() => {}} />
      </Specimen>
      <Specimen part="choice-cards" state="chosen" isStack>
        <fieldset className="min-w-0">
          <legend className="sr-only">{t("choices")}</legend>
          <ChoiceCards
            value={value}
            onChange={setValue}
            choices={[
              { value: "one", label: t("one"), hint: t("hint") },
              { value: "two", label: t("long"), hint: t("long") },
            ]}
          />
        </fieldset>
      </Specimen>
    </Section>
  );
}
