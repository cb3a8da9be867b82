import { type ContactRefusal, contactRefusals } from "@portal/contract/errors";
import { isDay } from "../../lib/list-address.ts";

export const adminTabs = ["monitor", "refusals", "audit", "health"] as const;
export type AdminTab = (typeof adminTabs)[number];

/** Filters of the audit log: prefixes of actions. */
export const auditGroups = [
  "",
  "sign-in",
  "second-factor",
  "sessions",
  "password",
  "profile",
  "member",
  "lead",
  "call",
  "missed",
  "text",
  "inbox",
  "consent",
  "contact-override",
  "dialer",
  "import",
  "crm",
  "google",
  "webhook",
  "telephony",
  "go-live",
  "test-call",
  "organisation",
  "audit",
  "large-export",
  "shared-template",
  "shared-view",
  "admin",
] as const;
export type AuditGroup = (typeof auditGroups)[number];

/** The panel's state in the address, so that filters survive polling and reloads. An absent value is the default. */
export interface AdminSearch {
  readonly tab?: AdminTab | undefined;
  /** Search text for users. */
  readonly q?: string | undefined;
  readonly user?: string | undefined;
  readonly action?: AuditGroup | undefined;
  readonly subject?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly reason?: ContactRefusal | undefined;
}

const words = (value: unknown, length: number) => (value ? String(value).slice(0, length) : undefined);
const dayOf = (value: unknown) => (typeof value === "string" && isDay(value) ? value : undefined);

/** Parses the address; unknown values are dropped. */
export function parseAdminSearch(search: Record<string, unknown>): AdminSearch {
  return {
    tab: adminTabs.find((tab) => tab === search.tab),
    q: words(search.q, 100),
    user: /^[1-9]\d{0,8}$/.test(String(search.user)) ? String(search.user) : undefined,
    action: auditGroups.find((group) => group && group === search.action),
    subject: words(search.subject, 60),
    from: dayOf(search.from),
    to: dayOf(search.to),
    reason: contactRefusals.find((reason) => reason === search.reason),
  };
}
