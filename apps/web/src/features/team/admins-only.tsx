import { ShieldCheck } from "lucide-react";
import { useMessages } from "../../lib/i18n.ts";
import { EmptyState } from "../../ui/list-states.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { teamMessages } from "./messages.ts";

/** Tells consultants that the page is for administrators. */
export default function AdminsOnly() {
  const t = useMessages(teamMessages);
  return (
    <div className="grid gap-6">
      <PageHeader title={t("title")} />
      <EmptyState icon={ShieldCheck} title={t("adminsOnlyTitle")} description={t("adminsOnlyText")} />
    </div>
  );
}
