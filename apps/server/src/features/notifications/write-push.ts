import type { Language } from "@portal/contract/entities/user";
import type { DuePush, PushEvent } from "./push-repository.ts";

/** What the service worker shows; encrypted for the browser, so that push services cannot read it. */
export interface PushContent {
  title: string;
  body: string;
  /** A later notification with the same tag replaces this one. */
  tag: string;
  /** The page of the portal to open. */
  url: string;
}

/** A message may have 4,096 bytes; lock screens show less of a text than this. */
const wordsMax = 200;

type Words = Record<Language, string>;

const titles: Record<DuePush["kind"], { lead: Words; stranger: Words; named: (name: string) => Words }> = {
  text: {
    lead: { en: "New text from a lead", es: "Nuevo mensaje de un prospecto" },
    stranger: { en: "New text from an unknown number", es: "Nuevo mensaje de un número desconocido" },
    named: (name) => ({ en: `New text from ${name}`, es: `Nuevo mensaje de ${name}` }),
  },
  "missed-call": {
    lead: { en: "Missed call from a lead", es: "Llamada perdida de un prospecto" },
    stranger: { en: "Missed call from an unknown number", es: "Llamada perdida de un número desconocido" },
    named: (name) => ({ en: `Missed call from ${name}`, es: `Llamada perdida de ${name}` }),
  },
  "follow-up": {
    lead: { en: "A follow-up is due", es: "Tienes un seguimiento para ahora" },
    stranger: { en: "A follow-up is due", es: "Tienes un seguimiento para ahora" },
    named: (name) => ({ en: `Follow up with ${name}`, es: `Seguimiento con ${name}` }),
  },
};

/** The same tag as in a page of the portal, so that the two replace each other. */
function tagOf({ kind, id, version }: Pick<DuePush, "kind" | "id" | "version">): string {
  return version ? `${kind}-${id}-${new Date(Number(version)).toISOString()}` : `${kind}-${id}`;
}

/** A notification in its user's language; with names and texts only if the user allows them. */
export function writePush(
  due: Pick<DuePush, "kind" | "id" | "version">,
  { leadId, name, words }: PushEvent,
  { language, withNames }: { language: Language; withNames: boolean },
): PushContent {
  const title = titles[due.kind];
  const said = withNames ? title.named(name) : leadId === null ? title.stranger : title.lead;
  return {
    title: said[language],
    body: withNames ? [...words].slice(0, wordsMax).join("") : "",
    tag: tagOf(due),
    url: leadId === null ? "/inbox" : `/leads/${leadId}`,
  };
}

/** The test notification. */
export function writeTestPush(language: Language): PushContent {
  return {
    title:
      language === "es"
        ? "Las notificaciones funcionan en este dispositivo"
        : "Notifications work on this device",
    body: "",
    tag: "test",
    url: "/settings",
  };
}
