import { Link } from "@tanstack/react-router";
import { defineMessages, useMessages } from "../lib/i18n.ts";
import { type KeyCommand, type KeyScope, keyTable, singleKeys } from "../lib/keys.ts";
import { useStore } from "../lib/store.ts";
import { Dialog, DialogBody } from "../ui/dialog.tsx";

const isMac = /Mac|iP(hone|ad|od)/.test(navigator.platform);

/** Key names as on keyboards, in sequence. */
export function Keys({ keys }: { keys: string }) {
  const t = useMessages(keyMessages);
  return (
    <span className="inline-flex shrink-0 items-center gap-1">
      {keys.split(" ").map((press, index) => (
        <span key={press} className="inline-flex items-center gap-1">
          {index > 0 ? <span className="text-muted-foreground text-xs">{t("after")}</span> : null}
          {press.split("+").map((key) => (
            <kbd
              key={key}
              className="inline-flex h-6 min-w-6 items-center justify-center rounded border bg-muted px-1.5 font-medium font-sans text-xs"
            >
              {key === "mod" ? (isMac ? "⌘" : t("ctrl")) : key === "Enter" ? t("enter") : key.toUpperCase()}
            </kbd>
          ))}
        </span>
      ))}
    </span>
  );
}

type Place = KeyScope | "go";
const places: readonly Place[] = ["page", "lead", "go", "inbox", "outcome", "anywhere"];
/** Groups whose name is also that of a key. */
const placeNames = { outcome: "outcomePlace", inbox: "inboxPlace" } as const;
const placeOf = (act: KeyCommand): Place => ("to" in keyTable[act] ? "go" : keyTable[act].where);

/** All keyboard shortcuts, grouped by where they apply. */
export default function KeySheet({ onClose }: { onClose: () => void }) {
  const t = useMessages(keyMessages);
  const areOn = useStore(singleKeys);
  const acts = Object.keys(keyTable) as KeyCommand[];
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title={t("title")} className="max-w-3xl">
      <DialogBody className="grid content-start gap-5 pb-6">
        {areOn ? null : (
          <p className="rounded-lg bg-muted px-4 py-3 text-sm">
            {t("off")}{" "}
            <Link to="/settings" onClick={onClose} className="text-primary-text underline underline-offset-4">
              {t("change")}
            </Link>
          </p>
        )}
        {/* Columns, so that a long group leaves no gap beside it. */}
        <div className="-mb-5 gap-x-10 sm:columns-2">
          {places.map((place) => (
            <section key={place} className="grid break-inside-avoid content-start gap-1 pb-5">
              <h3 className="pb-1 font-semibold text-sm">
                {t(place === "outcome" || place === "inbox" ? placeNames[place] : place)}
              </h3>
              <dl className="grid text-sm">
                {acts
                  .filter((act) => placeOf(act) === place)
                  .map((act) => (
                    <div key={act} className="flex min-h-8 items-center justify-between gap-4 py-0.5">
                      <dt>{t(act)}</dt>
                      <dd>
                        <Keys keys={keyTable[act].keys} />
                      </dd>
                    </div>
                  ))}
              </dl>
            </section>
          ))}
        </div>
      </DialogBody>
    </Dialog>
  );
}

/** What each shortcut of `lib/keys.ts` does, and where. */
const keyMessages = defineMessages("keys", {
  title: ["Keyboard shortcuts", "Atajos de teclado"],
  off: [
    "Single keys are switched off in Settings.",
    "Las teclas sueltas están desactivadas en Configuración.",
  ],
  change: ["Settings", "Configuración"],
  after: ["then", "luego"],
  anywhere: ["Anywhere", "En todas partes"],
  page: ["On a page", "En una página"],
  go: ["Go to", "Ir a"],
  lead: ["The open lead, or the one with the focus", "El prospecto abierto, o el que tiene el foco"],
  outcomePlace: ["A call that needs its outcome", "Una llamada a la que le falta el resultado"],
  inboxPlace: ["In the Inbox", "En la bandeja de entrada"],
  palette: ["Search everything", "Buscar en todo"],
  search: ["Search on this page", "Buscar en esta página"],
  help: ["Keyboard shortcuts", "Atajos de teclado"],
  next: ["Next lead", "Prospecto siguiente"],
  previous: ["Previous lead", "Prospecto anterior"],
  open: ["Open the lead", "Abrir el prospecto"],
  correct: ["Correct the last outcome", "Corregir el último resultado"],
  leads: ["Leads", "Prospectos"],
  today: ["Today", "Hoy"],
  inbox: ["Inbox", "Bandeja de entrada"],
  dialer: ["Auto-Dialer", "Marcador automático"],
  calendar: ["Calendar", "Calendario"],
  callHistory: ["Call History", "Historial de llamadas"],
  allLeads: ["All Leads", "Todos los prospectos"],
  contactLists: ["Contact Lists", "Listas de contactos"],
  reports: ["Reports", "Informes"],
  settings: ["Settings", "Configuración"],
  call: ["Call", "Llamar"],
  text: ["Write a text", "Escribir un mensaje"],
  followUp: ["Set the follow-up, in a call too", "Poner el seguimiento, también en una llamada"],
  note: ["Write a note, in a call too", "Escribir una nota, también en una llamada"],
  outcome: ["Choose the outcome", "Elegir el resultado"],
  save: ["Save, from the notes too", "Guardar, también desde las notas"],
  done: ["Mark as done", "Marcar como hecho"],
  enter: ["Enter", "Intro"],
  ctrl: ["Ctrl", "Ctrl"],
});
