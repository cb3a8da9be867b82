import { useLocation } from "@tanstack/react-router";
import { Hourglass } from "lucide-react";
import { useTexts } from "../../lib/i18n.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { placeholderTexts } from "./texts.ts";

/** /account and /integration-settings, as recorded (specification §2). */
export function PlaceholderPage() {
  const t = useTexts(placeholderTexts);
  const isAccount = useLocation().pathname.startsWith("/account");
  return (
    <div className="grid gap-6">
      <PageHeader
        title={t(isAccount ? "accountTitle" : "integrationTitle")}
        subtitle={t(isAccount ? "accountSubtitle" : "integrationSubtitle")}
      />
      <EmptyState icon={Hourglass} title={t("comingSoon")} />
    </div>
  );
}
