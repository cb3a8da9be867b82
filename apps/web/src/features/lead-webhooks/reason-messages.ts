import type { ImportFaultCode } from "@portal/contract/import-faults";
import { importFaultCodes, importFaultText } from "@portal/contract/import-faults";
import { currentLanguage, messagesOf } from "../../lib/i18n.ts";
import { reasonMessages as faultMessages } from "../imports/messages.ts";
import { reasonMessages } from "./messages.ts";

type Key = keyof typeof reasonMessages.pairs;
type Say = (key: string, values: object) => string;

const mark = "\u0000";

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A sentence of the server whose middle is the sender's own, as a pattern. */
function patternOf(sentence: string): RegExp {
  return new RegExp(`^${sentence.split(mark).map(escaped).join("(.*)")}$`, "s");
}

const reasons = Object.entries(reasonMessages.pairs).map(
  ([key, [english]]) => [patternOf(english.replace("{value}", mark)), key as Key] as const,
);
const faults = importFaultCodes.map((code): [RegExp, ImportFaultCode] => [
  patternOf(importFaultText({ code, value: mark })),
  code,
]);
/** Between two faults: what follows is how one begins. The senders' own words may hold semicolons. */
const between = new RegExp(
  `; (?=${importFaultCodes.map((code) => escaped(importFaultText({ code, value: mark }).split(mark)[0] || "@")).join("|")}|\\S+ is too long)`,
);

/** Why a record cannot be taken in: the reasons of the imports, several of them apart by semicolons. */
function faultMessage(reason: string): string | null {
  const say = messagesOf(faultMessages) as Say;
  const said = reason
    .replace(/\.$/, "")
    .split(between)
    .map((part) => {
      for (const [pattern, code] of faults) {
        const match = pattern.exec(part);
        if (match) return say(code, { value: match[1] ?? "" });
      }
      return null;
    });
  return said.includes(null) ? null : `${said.join("; ")}.`;
}

/** Reasons are kept in words, and earlier ones in British spelling. */
const spelled = (reason: string) => reason.replace("organisation", "organization").replace("e-mail", "email");

/** A reason of the server in the language of the page; one that is not known stays English, and is marked so. */
export function reasonMessage(stored: string): { text: string; lang: "en" | undefined } {
  const reason = spelled(stored);
  if (currentLanguage() === "en") return { text: reason, lang: undefined };
  for (const [pattern, key] of reasons) {
    const match = pattern.exec(reason);
    if (match)
      return { text: (messagesOf(reasonMessages) as Say)(key, { value: match[1] ?? "" }), lang: undefined };
  }
  const text = faultMessage(reason);
  return text === null ? { text: reason, lang: "en" } : { text, lang: undefined };
}
