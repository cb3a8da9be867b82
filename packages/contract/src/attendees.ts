import { limits } from "./limits.ts";

/** What a browser's e-mail field takes (HTML Living Standard, "valid e-mail address"), with a dot in the domain. Browser and server share it. */
const address =
  /^[a-z\d.!#$%&'*+/=?^_`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

/** Addresses out of what a person typed: separated by commas, semicolons or line ends; each once; `bad` are those that are none. */
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
