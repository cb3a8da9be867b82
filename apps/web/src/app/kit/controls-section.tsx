import { Phone, Plus } from "lucide-react";
import { useState } from "react";
import { type MessageKey, useMessages } from "../../lib/i18n.ts";
import { Badge, type BadgeTone, PriorityBadge, StatusBadge } from "../../ui/badge.tsx";
import { Button, type ButtonProps } from "../../ui/button.tsx";
import { CheckboxField, SelectBox } from "../../ui/checkbox.tsx";
import { Chip, FilterChips } from "../../ui/chip.tsx";
import { ChoiceCards } from "../../ui/choice-cards.tsx";
import { Field } from "../../ui/field.tsx";
import { Input } from "../../ui/input.tsx";
import { Segments } from "../../ui/segments.tsx";
import { Select } from "../../ui/select.tsx";
import { Switch } from "../../ui/switch.tsx";
import { Textarea } from "../../ui/textarea.tsx";
import { kitMessages, Section, Specimen } from "./specimen.tsx";

type Rank = NonNullable<ButtonProps["variant"]>;

/** Each rank with its hover style, because a page cannot put the pointer on a button. */
const ranks: { variant: Rank & MessageKey<typeof kitMessages.pairs>; hovered: string }[] = [
  { variant: "primary", hovered: "bg-primary-hover" },
  { variant: "soft", hovered: "bg-primary-soft/70" },
  { variant: "secondary", hovered: "bg-muted" },
  { variant: "ghost", hovered: "bg-muted" },
  { variant: "destructive", hovered: "bg-destructive-hover" },
  { variant: "link", hovered: "underline" },
];

const tones: readonly BadgeTone[] = ["neutral", "primary", "info", "success", "warning", "danger", "violet"];
const focused = "outline-2 outline-ring outline-offset-2";

/** Buttons by rank, state and size. */
export function ButtonSection() {
  const t = useMessages(kitMessages);
  const all = (props: (rank: (typeof ranks)[number]) => ButtonProps) =>
    ranks.map((rank) => (
      <Button key={rank.variant} variant={rank.variant} {...props(rank)}>
        {t(rank.variant)}
      </Button>
    ));
  return (
    <Section title={t("buttons")} hint={t("buttonsHint")}>
      <Specimen part="button" state="rest">
        {all(() => ({}))}
      </Specimen>
      <Specimen part="button" state="hover">
        {all(({ hovered }) => ({ className: hovered }))}
      </Specimen>
      <Specimen part="button" state="focus">
        {all(() => ({ className: focused }))}
      </Specimen>
      <Specimen part="button" state="disabled">
        {all(() => ({ disabled: true }))}
      </Specimen>
      <Specimen part="button" state="busy">
        {all(() => ({ pending: true }))}
      </Specimen>
      <Specimen part="button" state="sizes">
        <Button size="sm" variant="secondary">
          {t("small")}
        </Button>
        <Button size="md" variant="secondary">
          {t("medium")}
        </Button>
        <Button size="lg" variant="secondary">
          {t("large")}
        </Button>
        <Button size="icon" variant="secondary" aria-label={t("icon")}>
          <Phone aria-hidden />
        </Button>
        <Button size="icon-sm" variant="ghost" aria-label={t("icon")}>
          <Phone aria-hidden />
        </Button>
        <Button size="row" variant="soft" aria-label={t("icon")}>
          <Phone aria-hidden />
        </Button>
        <Button size="inline" variant="link">
          {t("link")}
        </Button>
      </Specimen>
      <Specimen part="button" state="longText">
        <Button variant="secondary" className="max-w-full">
          <Plus aria-hidden />
          <span className="truncate">{t("long")}</span>
        </Button>
        <Button variant="link" size="inline">
          {t("long")}
        </Button>
      </Specimen>
    </Section>
  );
}

/** Badges by tone, and those of leads. */
export function BadgeSection() {
  const t = useMessages(kitMessages);
  return (
    <Section title={t("badges")} hint={t("badgesHint")}>
      <Specimen part="badge" state="rest">
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {t("waiting")}
          </Badge>
        ))}
        <StatusBadge status="interested" />
        <StatusBadge status="not_interested" />
        <PriorityBadge priority="high" />
        <PriorityBadge priority="low" />
      </Specimen>
      <Specimen part="badge" state="longText">
        <Badge tone="warning">
          <span className="truncate">{t("long")}</span>
        </Badge>
      </Specimen>
    </Section>
  );
}

export function ChoiceSection() {
  const t = useMessages(kitMessages);
  const [segment, setSegment] = useState("one");
  return (
    <Section title={t("choices")}>
      <Specimen part="chip" state="rest">
        <Chip>{t("one")}</Chip>
        <Chip>
          <Phone aria-hidden />
          {t("two")}
        </Chip>
      </Specimen>
      <Specimen part="chip" state="chosen">
        <Chip isOn aria-pressed>
          {t("one")}
        </Chip>
        <FilterChips label={t("choices")} chips={[{ key: "a", label: t("two"), onRemove: () => {} }]} />
      </Specimen>
      <Specimen part="chip" state="disabled">
        <Chip disabled>{t("one")}</Chip>
      </Specimen>
      <Specimen part="chip" state="longText">
        <Chip>
          <span className="truncate">{t("long")}</span>
        </Chip>
      </Specimen>
      <Specimen part="segments" state="rest">
        <Segments
          label={t("choices")}
          value={segment}
          onChange={setSegment}
          segments={[
            { value: "one", label: t("one") },
            { value: "two", label: t("two") },
            { value: "three", label: t("icon"), icon: Phone },
          ]}
        />
      </Specimen>
    </Section>
  );
}

const values = ["one", "two", "three"] as const;
const focusedField = "border-ring ring-3 ring-ring/30";

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
        <Input aria-label={t("name")} className={focusedField} />
        <Select aria-label={t("value")} {...select} className={focusedField} />
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
