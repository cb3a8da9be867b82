import path from "node:path";
import type { Logger } from "pino";
import { createGoHighLevel } from "./adapters/gohighlevel/crm.ts";
import { createGoogleCalendar } from "./adapters/google-calendar/calendar.ts";
import { createTwilioTelephony } from "./adapters/twilio/telephony.ts";
import { createTwilioTexting } from "./adapters/twilio/texting.ts";
import { type Database, openDatabase } from "./db/client.ts";
import type { Env } from "./env.ts";
import { type EventListener, listenForEvents } from "./events/listener.ts";
import { createSessions, type Sessions } from "./features/auth/session-reader.ts";
import { createSignInLibrary, type SignInLibrary } from "./features/auth/sign-in-library.ts";
import { type CallsContext, callTimings } from "./features/calls/service.ts";
import { createCrmPace } from "./features/crm-sync/data-pace.ts";
import type { GateRules } from "./features/gate/decide-contact.ts";
import { markets } from "./features/gate/markets.ts";
import type { GoogleContext } from "./features/google-calendar/context.ts";
import { type SmsContext, textTimings } from "./features/sms/service.ts";
import { createJobs, type Jobs } from "./jobs/jobs.ts";
import { createTicker, type Ticker } from "./jobs/ticker.ts";
import type { Crm } from "./ports/crm.ts";

/** Everything the features stand on, made once for a process. */
export interface Deps {
  env: Env;
  log: Logger;
  database: Database;
  events: EventListener;
  jobs: Jobs;
  ticker: Ticker;
  library: SignInLibrary;
  sessions: Sessions;
  /** Null where it has no key. */
  crm: Crm | null;
  calls: CallsContext;
  sms: SmsContext;
  google: GoogleContext;
  /** What "may I contact?" goes by. */
  gate: GateRules;
  /** Folder of the built web. */
  webRoot: string;
  close(): Promise<void>;
}

/** The composition root: connects what the environment names. The schema must be up to date. */
export async function createDeps(env: Env, log: Logger): Promise<Deps> {
  const onError = (part: string) => (error: Error) => log.error({ err: error, part }, "background failure");
  const database = openDatabase({ url: env.databaseUrl, onError: onError("database") });
  const events = await listenForEvents({ databaseUrl: env.databaseUrl, onError: onError("events") });
  const jobs = createJobs({ databaseUrl: env.databaseUrl, onError: onError("jobs") });
  const ticker = createTicker(onError("ticker"));
  const library = createSignInLibrary(database.db, {
    publicUrl: env.publicUrl,
    secure: env.secure,
    secret: env.sessionSecret,
    idleHours: env.sessionIdleHours,
  });
  const sessions = createSessions({
    library,
    db: database.db,
    listener: events,
    secure: env.secure,
    maxDays: env.sessionMaxDays,
  });
  const { goHighLevel } = env.providers;
  const crm = goHighLevel && createGoHighLevel({ ...goHighLevel, pace: createCrmPace(database.db) });
  const gate = { market: markets[env.market], orgTimeZone: env.orgTimeZone };
  const { twilio } = env.providers;
  const calls: CallsContext = {
    database,
    events,
    log,
    telephony: twilio && createTwilioTelephony(twilio),
    publicUrl: env.publicUrl,
    officeLine: env.officeLine,
    defaultCountry: env.defaultCountry,
    noticeMarket: env.market,
    gate,
    timings: callTimings,
  };
  const sms: SmsContext = {
    database,
    log,
    jobs,
    texting: twilio && createTwilioTexting(twilio),
    publicUrl: env.publicUrl,
    defaultCountry: env.defaultCountry,
    gate,
    timings: textTimings,
  };
  const google: GoogleContext = {
    database,
    jobs,
    log,
    calendar:
      env.providers.google &&
      createGoogleCalendar({
        ...env.providers.google,
        redirectUri: `${env.publicUrl}/api/google/callback`,
      }),
    encryptionKey: env.encryptionKey,
  };
  return {
    env,
    log,
    database,
    events,
    jobs,
    ticker,
    library,
    sessions,
    crm,
    calls,
    sms,
    google,
    gate,
    webRoot: path.join(import.meta.dirname, "../../web/dist"),
    async close() {
      await ticker.stop();
      await jobs.stop();
      await events.close();
      await database.close();
    },
  };
}
