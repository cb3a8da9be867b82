import { defineTexts } from "../../lib/i18n.ts";

export const placeholderTexts = defineTexts("placeholders", {
  accountTitle: ["Account Settings", "Configuración de la cuenta"],
  accountSubtitle: ["Account management and billing", "Administración de la cuenta y facturación"],
  integrationTitle: ["Integration Settings", "Configuración de integraciones"],
  integrationSubtitle: ["Configure system integrations", "Configura las integraciones del sistema"],
  comingSoon: ["This feature is coming soon", "Esta función estará disponible pronto"],
});
