import { useLocation } from "@tanstack/react-router";
import { Sprout } from "lucide-react";
import { useTexts } from "../../lib/i18n.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { UpcomingArea } from "./areas.ts";
import { placeholderTexts } from "./texts.ts";

/** An area that comes later: its recorded heading and nothing that pretends to work. */
export function UpcomingPage() {
  const t = useTexts(placeholderTexts);
  const { pathname } = useLocation();
  return (
    <div className="grid gap-6">
      <PageHeader title={t(pathname.replace(/\/$/, "") as UpcomingArea)} />
      <EmptyState icon={Sprout} title={t("notYetTitle")} description={t("notYetText")} />
    </div>
  );
}
