import { defineMessages } from "../../lib/i18n.ts";

/** What is said of changes that wait, wherever one of them is: part of the first load. */
export const offlineMessages = defineMessages("offline", {
  unsentCount_one: ["{count} waiting to be sent", "{count} pendiente de envío"],
  unsentCount_other: ["{count} waiting to be sent", "{count} pendientes de envío"],
  refusedCount_one: ["{count} not saved", "{count} sin guardar"],
  refusedCount_other: ["{count} not saved", "{count} sin guardar"],
  unsent: ["Waiting to be sent", "Pendiente de envío"],
  refused: ["Not saved", "Sin guardar"],
});
