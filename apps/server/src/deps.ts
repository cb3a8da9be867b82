import path from "node:path";
import type { Logger } from "pino";
import { createGoHighLevel } from "./adapters/gohighlevel/crm.ts";
import { createGoHighLevelProbe } from "./adapters/gohighlevel/probe.ts";
import { createGoHighLevelWebhooks } from "./adapters/gohighlevel/webhooks.ts";
import { createGoogleCalendar } from "./adapters/google-calendar/calendar.ts";
import { createMailer } from "./adapters/smtp/mailer.ts";
import { createTwilioProbe } from "./adapters/twilio/probe.ts";
import { createTwilioTelephony } from "./adapters/twilio/telephony.ts";
import { createTwilioTexting } from "./adapters/twilio/texting.ts";
import { type Database, openDatabase } from "./db/client.ts";
import type { Env } from "./env.ts";
import { type EventListener, listenForEvents } from "./events/listener.ts";
import { createSessions, type Sessions } from "./features/auth/session-reader.ts";
import { createSignInLibrary, type SignInLibrary } from "./features/auth/sign-in-library.ts";
import { createReportKeeper } from "./features/calls/keep-report.ts";
import { type CallsContext, callTimings } from "./features/calls/service.ts";
import { createCrmPace } from "./features/crm-sync/data-pace.ts";
import { pushQueue } from "./features/crm-sync/service.ts";
import type { DialerContext } from "./features/dialer/service.ts";
import { countDaysOf } from "./features/figures/service.ts";
import type { GateRules } from "./features/gate/decide-contact.ts";
import { markets } from "./features/gate/markets.ts";
import type { GoogleContext } from "./features/google-calendar/context.ts";
import { createIntake, type Intake } from "./features/lead-webhooks/intake.ts";
import type { LeadWebhooksContext } from "./features/lead-webhooks/service.ts";
import { createLeadTextCache, type LeadTextCache } from "./features/leads/lead-text-cache.ts";
import { createLeadSaver, type LeadSaver } from "./features/leads/update-lead.ts";
import type { NoticesContext } from "./features/notices/service.ts";
import { type SmsContext, textTimings } from "./features/sms/service.ts";
import { createPresence, type Presence } from "./features/users/presence.ts";
import { createJobs, type Jobs } from "./jobs/jobs.ts";
import { createTicker, type Ticker } from "./jobs/ticker.ts";
import { serverFolder } from "./place.ts";
import type { Crm } from "./ports/crm.ts";
import type { CrmWebhooks } from "./ports/crm-webhooks.ts";
import type { LoginProvider } from "./ports/login-provider.ts";
import type { CrmProbe, TelephonyProbe } from "./ports/probe.ts";

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
  /** Whether passwords kept here are taken, and the external login provider; null where none is set up. */
  localPasswords: boolean;
  loginProvider: LoginProvider | null;
  presence: Presence;
  /** Null where it has no key. */
  crm: Crm | null;
  crmWebhooks: CrmWebhooks | null;
  /** Look at a provider's state; null where it has no key. */
  probes: { crm: CrmProbe | null; telephony: TelephonyProbe | null };
  calls: CallsContext;
  sms: SmsContext;
  dialer: DialerContext;
  google: GoogleContext;
  notices: NoticesContext;
  /** What "may I contact?" goes by. */
  gate: GateRules;
  /** Leads that lists have read. */
  leadTexts: LeadTextCache;
  saveLead: LeadSaver;
  /** Who may send leads in. */
  intake: Intake;
  /** Folder of the built web. */
  webRoot: string;
  close(): Promise<void>;
}

/** What the webhooks that bring leads stand on. */
export function leadWebhooksContext({ env, database, log, jobs, intake }: Deps): LeadWebhooksContext {
  const { defaultCountry, publicUrl, encryptionKey } = env;
  return { database, log, jobs, intake, defaultCountry, publicUrl, encryptionKey };
}

/** The composition root: connects what the environment names. The schema must be up to date. */
export async function createDeps(env: Env, log: Logger): Promise<Deps> {
  const onError = (part: string) => (error: Error) => log.error({ err: error, part }, "background failure");
  const { goHighLevel } = env.providers;
  const database = openDatabase({ url: env.databaseUrl, onError: onError("database") });
  await countDaysOf(database, env.orgTimeZone);
  const events = await listenForEvents({ databaseUrl: env.databaseUrl, onError: onError("events") });
  const allJobs = createJobs({ databaseUrl: env.databaseUrl, onError: onError("jobs") });
  // Without a CRM nobody could send changes: they wait in the outbox, and a round takes them up once there is one.
  const isWorked: Jobs["isWorked"] = (queue) => goHighLevel !== null || queue !== pushQueue;
  const jobs: Jobs = {
    ...allJobs,
    isWorked,
    enqueue: async (tx, queue, ...job) => {
      if (isWorked(queue)) await allJobs.enqueue(tx, queue, ...job);
    },
  };
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
  const { provider } = env.signIn;
  const loginProvider =
    provider &&
    // Its library is loaded only where one is set up.
    (await import("./adapters/openid/login-provider.ts")).createOpenIdProvider({
      ...provider,
      redirectUri: `${env.publicUrl}/api/login/callback`,
      signedOutUri: `${env.publicUrl}/`,
    });
  const goHighLevelOptions = goHighLevel && { ...goHighLevel, pace: createCrmPace(database.db) };
  const crm = goHighLevelOptions && createGoHighLevel(goHighLevelOptions);
  const crmWebhooks =
    goHighLevel &&
    createGoHighLevelWebhooks({ publicKey: goHighLevel.webhookKey, locationId: goHighLevel.locationId });
  const gate = { market: markets[env.market], orgTimeZone: env.orgTimeZone };
  const { twilio } = env.providers;
  const probes = {
    crm: goHighLevelOptions && createGoHighLevelProbe(goHighLevelOptions),
    telephony: twilio && createTwilioProbe(twilio),
  };
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
    keepReport: createReportKeeper(database),
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
  const intake = createIntake({
    db: database.db,
    events,
    readSession: sessions.read,
    demo: env.demo,
    publicUrl: env.publicUrl,
    encryptionKey: env.encryptionKey,
  });
  const dialer: DialerContext = {
    database,
    events,
    log,
    ticker,
    jobs,
    calls,
    gate,
    orgTimeZone: env.orgTimeZone,
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
  const notices: NoticesContext = {
    database,
    jobs,
    log,
    mailer: env.mail && createMailer(env.mail),
    publicUrl: env.publicUrl,
    orgTimeZone: env.orgTimeZone,
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
    localPasswords: env.signIn.localPasswords,
    loginProvider,
    presence: createPresence({ db: database.db, ticker }),
    crm,
    crmWebhooks,
    probes,
    calls,
    sms,
    dialer,
    google,
    notices,
    gate,
    leadTexts: createLeadTextCache(),
    saveLead: createLeadSaver(database, jobs),
    intake,
    webRoot: path.join(serverFolder, "../web/dist"),
    async close() {
      await ticker.stop();
      await jobs.stop();
      await events.close();
      await database.close();
    },
  };
}
