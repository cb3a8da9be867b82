import { defineTexts } from "../../lib/i18n.ts";

export const integrationsTexts = defineTexts("integrations", {
  title: ["Integrations", "Integraciones"],
  subtitle: [
    "Bring leads in from other systems and keep Go High Level in step.",
    "Trae prospectos de otros sistemas y mantén Go High Level al día.",
  ],
  tabs: ["Parts of the integrations", "Partes de las integraciones"],
  overviewTab: ["Overview", "Resumen"],
  importTab: ["Data Import", "Importar datos"],
  webhooksTab: ["Webhooks", "Webhooks"],
  apiTab: ["API Docs", "Documentación de la API"],
});
