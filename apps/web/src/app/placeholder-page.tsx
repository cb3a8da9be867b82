import { useLocation } from "@tanstack/react-router";
import { Hourglass } from "lucide-react";
import { defineMessages, useMessages } from "../lib/i18n.ts";
import { EmptyState } from "../ui/list-states.tsx";
import { PageHeader } from "../ui/page-header.tsx";

export const placeholderMessages = defineMessages("placeholders", {
  accountTitle: ["Account Settings", "Configuración de la cuenta"],
  accountSubtitle: ["Account management and billing", "Administración de la cuenta y facturación"],
  integrationTitle: ["Integration Settings", "Configuración de integraciones"],
  integrationSubtitle: ["Configure system integrations", "Configura las integraciones del sistema"],
  comingSoon: ["This feature is coming soon", "Esta función estará disponible pronto"],
});

/** /account and /integration-settings, as recorded. */
export function PlaceholderPage() {
  const t = useMessages(placeholderMessages);
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
