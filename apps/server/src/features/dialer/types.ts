import type { Logger } from "pino";
import type { Database } from "../../platform/db/client.ts";
import type { Jobs, Scheduler } from "../../platform/jobs/jobs.ts";
import type { EventListener } from "../../platform/realtime/listener.ts";
import type { ContactPolicyRules } from "../contact-policy/decide-contact.ts";
import type { NotificationsContext } from "../notifications/service.ts";
import type { CallsContext } from "../telephony/types.ts";

export interface DialerContext {
  database: Database;
  events: EventListener;
  log: Logger;
  scheduler: Scheduler;
  jobs: Pick<Jobs, "enqueue">;
  calls: CallsContext;
  notifications: Pick<NotificationsContext, "jobs" | "mailer">;
  contactPolicy: ContactPolicyRules;
  orgTimeZone: string;
}
