import { browserOf } from "@portal/contract/browser-of";
import { formatMoney } from "../../lib/format.ts";
import { messagesOf } from "../../lib/i18n.ts";
import { settingMessages } from "../diagnostics/setting-messages.ts";
import { factMessages, subjectMessages, targetMessages, valueMessages } from "./audit-messages.ts";
import { formatCount, formatInstant } from "./format-spanish.ts";
import { logMessages } from "./messages.ts";

/** One field of an entry: its label and value. */
export interface AuditFact {
  label: string;
  value: string;
}

type NameOf = (userId: number) => string | undefined;
type Facts = Record<string, unknown>;

/** Fields with free text, which must not be translated like enumerated values. */
const freeText = new Set([
  "notes",
  "reason",
  "name",
  "email",
  "fileName",
  "sourceSystem",
  "search",
  "issuer",
  "subject",
  "standIn",
  "address",
]);
const people = new Set(["assignedTo", "rep", "salesRepId"]);
const numbered = new Set(["id", "leadId", "callId", "callLogId", "inboundCallId", "messageId"]);
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

const isFacts = (value: unknown): value is Facts =>
  typeof value === "object" && value !== null && !Array.isArray(value);
/** The message for a key of a catalogue, or undefined. */
const wordOf = <C extends Record<string, readonly [string, string]>>(pairs: C, key: string) =>
  Object.hasOwn(pairs, key) ? pairs[key]?.[1] : undefined;
/** Label of a Twilio setting such as 'number.voiceUrl'. */
function settingLabel(name: string): string | undefined {
  const [target = "", field = ""] = name.split(".");
  const [of, setting] = [wordOf(targetMessages.pairs, target), wordOf(settingMessages.pairs, field)];
  return of && setting && `${of}: ${setting.charAt(0).toLowerCase()}${setting.slice(1)}`;
}
const labelOf = (name: string) => wordOf(factMessages.pairs, name) ?? settingLabel(name) ?? name;
const numberOf = (id: unknown) => messagesOf(valueMessages)("number", { id: String(id) });

/** A browser's name and system; unknown ones are shown as sent. */
function sayBrowser(userAgent: string): string {
  const { browser, system } = browserOf(userAgent);
  if (!browser) return userAgent;
  return system ? messagesOf(valueMessages)("browserOn", { browser, system }) : browser;
}

function sayValue(name: string, value: unknown, nameOf: NameOf): string {
  const t = messagesOf(valueMessages);
  if (value === null || value === undefined || value === "") return t("none");
  if (typeof value === "boolean") return t(value ? "yes" : "no");
  if (Array.isArray(value)) {
    return value
      .map((each) => (name === "fields" ? labelOf(String(each)) : sayValue(name, each, nameOf)))
      .join(", ");
  }
  if (isFacts(value))
    return factsOf(value, nameOf)
      .map(({ label, value: of }) => `${label}: ${of}`)
      .join("; ");
  const id = Number(value);
  if (people.has(name)) return (Number.isInteger(id) && nameOf(id)) || numberOf(value);
  if (numbered.has(name) || name === "ids") return numberOf(value);
  if (typeof value === "number") return name === "conversionValue" ? formatMoney(value) : formatCount(value);
  const text = String(value);
  if (freeText.has(name)) return text;
  if (name === "userAgent") return sayBrowser(text);
  if (instant.test(text)) return formatInstant(text);
  if (name === "field") return labelOf(text);
  if (name === "format") return text.toUpperCase();
  if (name === "refusal") return wordOf(logMessages.pairs, `reason_${text}`) ?? text;
  return wordOf(valueMessages.pairs, text) ?? text;
}

/** A changed field with its current and, if any, previous value. */
function changeOf(
  name: string,
  { before, after }: { before?: unknown; after?: unknown },
  nameOf: NameOf,
): AuditFact {
  const [from, to] = [sayValue(name, before, nameOf), sayValue(name, after, nameOf)];
  const hadNothing = before === null || before === undefined || before === "";
  return {
    label: labelOf(name),
    value: hadNothing ? to : messagesOf(valueMessages)("change", { before: from, after: to }),
  };
}

/** An entry's data as labelled values; fields without a label keep their name. */
export function factsOf(data: Facts, nameOf: NameOf): AuditFact[] {
  const { field, before, after, changes, filters, to, ...others } = data;
  const facts: AuditFact[] = [];
  if (typeof field === "string") facts.push(changeOf(field, { before, after }, nameOf));
  else if (isFacts(after)) {
    const was = isFacts(before) ? before : {};
    for (const name of Object.keys(after))
      facts.push(
        changeOf(name, { before: was[name] === after[name] ? null : was[name], after: after[name] }, nameOf),
      );
  } else {
    if (before !== undefined)
      facts.push({ label: labelOf("before"), value: sayValue("before", before, nameOf) });
    if (after !== undefined) facts.push({ label: labelOf("after"), value: sayValue("after", after, nameOf) });
  }
  if (isFacts(changes))
    for (const [name, change] of Object.entries(changes))
      facts.push(changeOf(name, isFacts(change) ? change : { after: change }, nameOf));
  if (isFacts(filters)) facts.push(...factsOf(filters, nameOf));
  if (isFacts(to)) {
    const shares = Object.entries(to).map(
      ([id, count]) => `${nameOf(Number(id)) ?? numberOf(id)}: ${formatCount(Number(count))}`,
    );
    facts.push({ label: labelOf("to"), value: shares.join(", ") });
  }
  for (const [name, value] of Object.entries(others))
    facts.push({ label: labelOf(name), value: sayValue(name, value, nameOf) });
  return facts;
}

/** 'lead:42' as 'Prospecto n.º 42'; a user by name. */
export function subjectLabel(subject: string | null, nameOf: NameOf): string {
  if (subject === null) return "—";
  const [kind = "", id = ""] = subject.split(/:(.*)/s);
  const word = wordOf(subjectMessages.pairs, kind);
  if (!word) return subject;
  if (kind === "user") return nameOf(Number(id)) ?? `${word} ${numberOf(id)}`;
  return /^\d+$/.test(id) ? `${word} ${numberOf(id)}` : `${word} ${id}`.trim();
}
