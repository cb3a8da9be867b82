import { ShieldCheck } from "lucide-react";
import { useTexts } from "../../../lib/i18n.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { PageHeader } from "../../../ui/page-header.tsx";
import { teamTexts } from "../texts.ts";

/** Why the page shows nothing to a consultant. */
export default function AdminsOnly() {
  const t = useTexts(teamTexts);
  return (
    <div className="grid gap-6">
      <PageHeader title={t("title")} />
      <EmptyState icon={ShieldCheck} title={t("adminsOnlyTitle")} description={t("adminsOnlyText")} />
    </div>
  );
}
