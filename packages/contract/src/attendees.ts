import { z } from "zod";
import { limits } from "./limits.ts";

const address = z.email().max(limits.emailMaxLength);

/** Addresses out of what a person typed: separated by commas, semicolons or line ends; each once; `bad` are those that are none. */
export function readAttendees(typed: string): { emails: string[]; bad: string[] } {
  const emails = new Map<string, string>();
  const bad = new Set<string>();
  for (const part of typed.split(/[,;\n\r]/)) {
    const email = part.trim();
    if (email === "") continue;
    if (!address.safeParse(email).success) bad.add(email);
    else if (!emails.has(email.toLowerCase())) emails.set(email.toLowerCase(), email);
  }
  return { emails: [...emails.values()], bad: [...bad] };
}
