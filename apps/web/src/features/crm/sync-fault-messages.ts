import type { SyncFault, SyncFaultCode } from "@portal/contract/sync-faults";
import { defineMessages, messagesOf } from "../../lib/i18n.ts";

const syncFaultMessages = defineMessages("crm-sync-faults", {
  not_connected: ["GoHighLevel is not connected yet.", "GHL aún no está conectado."],
  connect_again: ["GoHighLevel must be connected again.", "Hay que conectar GHL de nuevo."],
  app_refused: [
    "GoHighLevel does not take the app's id or secret.",
    "GHL no acepta el id o el secreto de la app.",
  ],
  key_refused: ["GoHighLevel refused the key ({status}).", "GHL rechazó la clave ({status})."],
  not_allowed: [
    "GoHighLevel does not allow this to the key ({status}).",
    "GHL no permite esto a la clave ({status}).",
  ],
  location_unknown: [
    "GoHighLevel does not know this location, or not by this key: see GHL_LOCATION_ID.",
    "GHL no conoce esta ubicación, o no con esta clave: mira GHL_LOCATION_ID.",
  ],
  busy: ["GoHighLevel allows no more requests for now.", "GHL no admite más solicitudes por ahora."],
  silent: ["GoHighLevel did not answer.", "GHL no respondió."],
  broken: ["GoHighLevel failed ({status}).", "GHL falló ({status})."],
  refused: ["GoHighLevel refused the request ({status}).", "GHL rechazó la solicitud ({status})."],
  unreadable: [
    "GoHighLevel sent an answer that cannot be read.",
    "GHL envió una respuesta que no se puede leer.",
  ],
  ours: ["Something went wrong on our side during the sync.", "Algo falló de nuestro lado al sincronizar."],
  held: [
    "Many contacts no longer exist in GoHighLevel. Nothing was marked: an administrator decides.",
    "Muchos contactos ya no existen en GHL. No se marcó nada: decide un administrador.",
  ],
  replaced: [
    "Nothing was decided about the missing contacts; a new sync has read them again.",
    "No se decidió nada sobre los contactos que faltan; otra sincronización los leyó de nuevo.",
  ],
} satisfies Record<SyncFaultCode, readonly [string, string]>);

/** Why a run failed, in the reader's language. */
export function syncFaultText({ code, status }: SyncFault): string {
  // Every text may be given the status; only some show it.
  const say = messagesOf(syncFaultMessages) as (code: SyncFaultCode, values: { status: string }) => string;
  return say(code, { status: String(status ?? "–") });
}
