import type { LeadStatus, Priority } from "./entities/lead.ts";

const fold = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/\p{Mark}/gu, "")
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}]+/gu, " ")
    .trim();

type Settable = Exclude<LeadStatus, "converted">;

/** Names of statuses in other systems and languages. Closed deals are omitted, because only converting makes a client. */
const statusWords: Record<Settable, string[]> = {
  new: [
    "new",
    "new lead",
    "open",
    "open not contacted",
    "not contacted",
    "uncontacted",
    "raw",
    "fresh",
    "nuevo",
    "nueva",
    "abierto",
    "sin contactar",
    "no contactado",
  ],
  contacted: [
    "contacted",
    "working",
    "working contacted",
    "in progress",
    "attempted to contact",
    "attempted",
    "connected",
    "follow up",
    "followup",
    "contactado",
    "contactada",
    "en curso",
    "en proceso",
    "seguimiento",
    "en seguimiento",
  ],
  qualified: ["qualified", "sql", "mql", "calificado", "calificada", "cualificado", "cualificada"],
  interested: [
    "interested",
    "warm",
    "hot",
    "proposal",
    "negotiation",
    "interesado",
    "interesada",
    "propuesta",
    "negociacion",
  ],
  not_interested: [
    "not interested",
    "unqualified",
    "disqualified",
    "bad timing",
    "lost",
    "closed lost",
    "closed not converted",
    "no interesado",
    "no interesada",
    "perdido",
    "perdida",
    "descartado",
    "descartada",
    "no calificado",
    "no cualificado",
  ],
};

const priorityWords: Record<Priority, string[]> = {
  high: ["high", "urgent", "hot", "top", "critical", "alta", "alto", "urgente", "caliente"],
  medium: ["medium", "normal", "warm", "mid", "moderate", "media", "medio", "mediana", "tibio"],
  low: ["low", "cold", "minor", "baja", "bajo", "frio"],
};

const lookUp = <Word extends string>(words: Record<Word, string[]>) =>
  new Map(
    (Object.entries(words) as [Word, string[]][]).flatMap(([word, known]) =>
      known.map((alias): [string, Word] => [alias, word]),
    ),
  );
const statuses = lookUp(statusWords);
const priorities = lookUp(priorityWords);

/** Returns the status for an English or Spanish name; null if unknown. */
export function readStatus(typed: string): Settable | null {
  return statuses.get(typed) ?? statuses.get(fold(typed)) ?? null;
}

/** Returns the priority for a name; null if unknown. */
export function readPriority(typed: string): Priority | null {
  return priorities.get(typed) ?? priorities.get(fold(typed)) ?? null;
}

/** Largest deal value of a lead. */
const valueMax = 999_999_999_999;

/**
 * Normalizes an amount such as '1.250,00' to a plain number: the last separator is the decimal one unless it only groups thousands. Null if
 * it is not an amount.
 */
function plainNumber(digits: string): string | null {
  const signs = digits.replace(/\d/g, "");
  const last = signs.at(-1);
  if (!last) return digits;
  const repeated = signs.split(last).length > 2;
  const others = signs.replaceAll(last, "");
  const fraction = digits.slice(digits.lastIndexOf(last) + 1);
  // '1,250' groups, '1,25' is decimal; '0.125' cannot group.
  const groups =
    repeated || (others === "" && last !== "'" && fraction.length === 3 && !/^0+[.,]/.test(digits));
  const isDecimal = last !== "'" && !groups;
  const whole = isDecimal ? digits.slice(0, digits.lastIndexOf(last)) : digits;
  const parts = whole.split(/[.,']/);
  // Groups have three digits (Indian lakhs two); otherwise the text is not an amount.
  if (
    parts.length > 1 &&
    parts
      .slice(1)
      .some((part, index, all) => part.length !== 3 && !(part.length === 2 && index < all.length - 1))
  )
    return null;
  if (isDecimal && others.includes(last)) return null;
  return isDecimal ? `${parts.join("")}.${fraction || "0"}` : parts.join("");
}

/** '$1250.00': an unambiguous amount. */
const plainAmount = /^\$?\d{1,9}(?:\.\d\d)?$/;

/**
 * Parses an amount as people and other systems write it: '$1,250.00', '1.250,00 €', "CHF 1'250", '1 250,5', '12k', 1250. Null if it is not
 * an amount or is negative.
 */
export function parseDealValue(typed: unknown): number | null {
  if (typeof typed === "number")
    return Number.isFinite(typed) && typed >= 0 && typed <= valueMax ? typed : null;
  if (typeof typed !== "string") return null;
  if (plainAmount.test(typed)) return Number(typed.replace("$", ""));
  const text = typed.normalize("NFKC").trim().slice(0, 60);
  const match =
    /^(?:\p{Sc}|[A-Za-z]{0,3}\p{Sc}|[A-Za-z]{3})?\s*\+?(\d[\d.,'’\s]*)(?:\s*([kKmM]))?\s*(?:\p{Sc}|[A-Za-z]{3}|euros?|d[oó]lares|dollars)?$/u.exec(
      text,
    );
  if (!match) return null;
  const digits = (match[1] ?? "")
    .trim()
    .replaceAll("’", "'")
    .replace(/(?<=\d)\s+(?=\d{3}(?!\d))/g, "");
  if (!/^\d[\d.,']*$/.test(digits) || /[.,']{2}/.test(digits)) return null;
  const plain = plainNumber(digits.replace(/[.,']$/, ""));
  if (plain === null) return null;
  const factor = { k: 1_000, m: 1_000_000 }[(match[2] ?? "").toLowerCase()] ?? 1;
  const value = Math.round(Number(plain) * factor * 100) / 100;
  return Number.isFinite(value) && value <= valueMax ? value : null;
}
