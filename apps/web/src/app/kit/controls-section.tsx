import { Phone, Plus } from "lucide-react";
import { useState } from "react";
import { type MessageKey, useMessages } from "../../lib/i18n.ts";
import { Badge, type BadgeTone, PriorityBadge, StatusBadge } from "../../ui/badge.tsx";
import { Button, type ButtonProps } from "../../ui/button.tsx";
import { Chip, FilterChips } from "../../ui/chip.tsx";
import { Segments } from "../../ui/segments.tsx";
import { kitMessages } from "./kit-messages.ts";
import { Section, Specimen } from "./specimen.tsx";

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
