import { Plug } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { integrationsTexts } from "../texts.ts";

/** The tab 'importTab' of the Integrations page (specification §2). */
export function DataImportTab() {
  const t = useTexts(integrationsTexts);
  return <EmptyState icon={Plug} title={t("importTab")} />;
}
