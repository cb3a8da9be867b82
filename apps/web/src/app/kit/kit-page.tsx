import { useMessages } from "../../lib/i18n.ts";
import { PageHeader } from "../../ui/page-header.tsx";
import { BadgeSection, BoxSection, ButtonSection, ChoiceSection, FieldSection } from "./controls-section.tsx";
import { OverlaySection, TabsSection } from "./overlay-section.tsx";
import { kitMessages } from "./specimen.tsx";
import { StateSection, StatSection } from "./state-section.tsx";
import { TableSection } from "./table-section.tsx";

/** Every component of `src/ui` in every state, light and dark side by side: for viewing, and for the measurements of e2e/kit.spec.ts. */
export function KitPage() {
  const t = useMessages(kitMessages);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <PageHeader title={t("title")} subtitle={t("subtitle")} />
      <ButtonSection />
      <BadgeSection />
      <ChoiceSection />
      <TabsSection />
      <FieldSection />
      <BoxSection />
      <StatSection />
      <TableSection />
      <StateSection />
      <OverlaySection />
    </div>
  );
}
