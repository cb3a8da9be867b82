import { limits } from "./limits.ts";

/**
 * What a browser's email field accepts (HTML Living Standard, "valid e-mail address"), with a dot in the domain. Shared by browser and
 * server.
 */
const address =
  /^[a-z\d.!#$%&'*+/=?^_`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/** Parses typed addresses, separated by commas, semicolons or line breaks, without duplicates; `bad` are the invalid ones. */
export function readAttendees(typed: string): { emails: string[]; bad: string[] } {
  const emails = new Map<string, string>();
  const bad = new Set<string>();
  for (const part of typed.split(/[,;\n\r]/)) {
    const email = part.trim();
    if (email === "") continue;
    if (email.length > limits.emailMaxLength || !address.test(email)) bad.add(email);
    else if (!emails.has(email.toLowerCase())) emails.set(email.toLowerCase(), email);
  }
  return { emails: [...emails.values()], bad: [...bad] };
}
