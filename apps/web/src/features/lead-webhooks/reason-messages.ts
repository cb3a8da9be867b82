import type { ImportFaultCode } from "@portal/contract/import-faults";
import { importFaultCodes, importFaultText } from "@portal/contract/import-faults";
import { currentLanguage, messagesOf } from "../../lib/i18n.ts";
import { reasonMessages as faultMessages } from "../imports/messages.ts";
import { reasonMessages } from "./messages.ts";

type Key = keyof typeof reasonMessages.pairs;
type Say = (key: string, values: object) => string;

const mark = "\u0000";

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A pattern for a sentence of the server with the sender's text in it. */
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
/** Separator between two faults: a semicolon followed by the beginning of a fault. The sender's text may contain semicolons. */
const between = new RegExp(
  `; (?=${importFaultCodes.map((code) => escaped(importFaultText({ code, value: mark }).split(mark)[0] || "@")).join("|")}|\\S+ is too long)`,
);

/** Why a record was refused: reasons of the imports, several separated by semicolons. */
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

/** Reasons are stored as text, older ones in British spelling. */
const spelled = (reason: string) => reason.replace("organisation", "organization").replace("e-mail", "email");

/** A reason of the server in the page's language; an unknown one stays English and is marked with its language. */
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
