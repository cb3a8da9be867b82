import { defineTexts } from "../lib/i18n.ts";

export const pagedListTexts = defineTexts("paged-list", {
  loadingMore: ["Loading more…", "Cargando más…"],
  more: ["Show more", "Mostrar más"],
  moreFailed: ["More could not be loaded.", "No se pudo cargar más."],
  retry: ["Retry", "Reintentar"],
  failedText: ["Check your connection and try again.", "Revisa tu conexión y vuelve a intentarlo."],
});
