import path from "node:path";
import type { Logger } from "pino";
import manifest from "../package.json" with { type: "json" };
import { createGoHighLevelApp } from "./adapters/gohighlevel/app.ts";
import { createGoHighLevel } from "./adapters/gohighlevel/crm.ts";
import { createGoHighLevelProbe } from "./adapters/gohighlevel/probe.ts";
import { createGoHighLevelWebhooks } from "./adapters/gohighlevel/webhooks.ts";
import { createGoogleCalendar } from "./adapters/google-calendar/calendar.ts";
import { createMailer } from "./adapters/smtp/mailer.ts";
import { createTwilioProbe } from "./adapters/twilio/probe.ts";
import { createTwilioSms } from "./adapters/twilio/sms.ts";
import { createTwilioTelephony } from "./adapters/twilio/telephony.ts";
import { createPushService } from "./adapters/web-push/push-service.ts";
import { type Env, isProxyUnknown } from "./env.ts";
import { type BulkContext, bulkTimings } from "./features/bulk-changes/change-leads.ts";
import { type ContactPolicyRules, markets } from "./features/contact-policy/decide-contact.ts";
import { createCrmPace } from "./features/crm/pace-requests.ts";
import { createLeadReader } from "./features/crm/refresh-contact.ts";
import { createCrmAccess } from "./features/crm-connection/refresh.ts";
import type { CrmConnectionContext } from "./features/crm-connection/types.ts";
import { pushQueue } from "./features/crm-outbox/service.ts";
import type { DiagnosticsContext } from "./features/diagnostics/check.ts";
import type { DialerContext } from "./features/dialer/types.ts";
import { createSignInLibrary, type SignInLibrary } from "./features/identity/auth/create-sign-in-library.ts";
import { createSessions, type Sessions } from "./features/identity/auth/read-session.ts";
import { createDeviceCookies, type DeviceCookies } from "./features/identity/auth/throttle.ts";
import { createPresence, type Presence } from "./features/identity/users/service.ts";
import { createSourceAuth, type WebhookSourceAuth } from "./features/lead-webhooks/check-source.ts";
import type { LeadWebhooksContext } from "./features/lead-webhooks/service.ts";
import type { GoogleContext } from "./features/meetings/google-calendar/types.ts";
import type { NotificationsContext } from "./features/notifications/service.ts";
import { type ScheduledContext, scheduledTimings } from "./features/sms/scheduled/service.ts";
import { messageTimings, type SmsContext } from "./features/sms/types.ts";
import { type CallsContext, callTimings } from "./features/telephony/types.ts";
import { serverFolder } from "./paths.ts";
import { type Database, openDatabase, supportsNamedStatements } from "./platform/db/client.ts";
import { createJobs, createScheduler, type Jobs, type Scheduler } from "./platform/jobs/jobs.ts";
import { type EventListener, listenForEvents } from "./platform/realtime/listener.ts";
import type { Crm, CrmAccess, CrmWebhooks } from "./ports/crm.ts";
import type { LoginProvider } from "./ports/login-provider.ts";
import type { CrmProbe, TelephonyProbe } from "./ports/probe.ts";
import { setTracer } from "./ports/tracer.ts";

/** The dependencies of all features, created once for each process. */
export interface Deps {
  env: Env;
  log: Logger;
  database: Database;
  events: EventListener;
  jobs: Jobs;
  scheduler: Scheduler;
  library: SignInLibrary;
  sessions: Sessions;
  devices: DeviceCookies;
  /** Whether local passwords are accepted, and the external login provider; null where none is configured. */
  localPasswords: boolean;
  loginProvider: LoginProvider | null;
  presence: Presence;
  /** Null if it has no key. */
  crm: Crm | null;
  crmWebhooks: CrmWebhooks | null;
  /** Which credentials the requests to the CRM use. */
  crmAccess: CrmAccess | null;
  crmConnection: CrmConnectionContext;
  /** Read a provider's state for the diagnostics; null if it has no key. */
  probes: { crm: CrmProbe | null; telephony: TelephonyProbe | null };
  calls: CallsContext;
  sms: SmsContext;
  scheduledSms: ScheduledContext;
  bulk: BulkContext;
  dialer: DialerContext;
  google: GoogleContext;
  notifications: NotificationsContext;
  /** Settings of the contact policy. */
  contactPolicy: ContactPolicyRules;
  /** Authentication of those who send leads in. */
  sourceAuth: WebhookSourceAuth;
  /** Folder of the built web. */
  webRoot: string;
  close(): Promise<void>;
}

/** Dependencies of the webhooks that create leads. */
export function leadWebhooksContext({ env, database, log, jobs, sourceAuth }: Deps): LeadWebhooksContext {
  const { defaultCountry, publicUrl, encryptionKeys } = env;
  return { database, log, jobs, sourceAuth, defaultCountry, publicUrl, encryptionKeys };
}

/** Dependencies of the diagnostics. */
export function diagnosticsContext(deps: Deps): DiagnosticsContext {
  const { env, database, log } = deps;
  return {
    db: database.db,
    database,
    log,
    publicUrl: env.publicUrl,
    ...deps.probes,
    officeLine: env.officeLine,
    crmConnection: deps.crmConnection,
    hasCalendar: deps.google.calendar !== null,
    isProxyUnknown: isProxyUnknown(env),
    encryptionKeys: env.encryptionKeys,
    mailer: deps.notifications.mailer,
    accessOf: deps.sourceAuth.accessOf,
  };
}

/** The composition root: creates every dependency from the environment. Expects a migrated database. */
export async function createDeps(env: Env, log: Logger): Promise<Deps> {
  const onError = (part: string) => (error: Error) => log.error({ err: error, part }, "background failure");
  const { goHighLevel } = env.providers;
  // The tracing libraries are loaded only if traces are exported.
  const tracer =
    env.traces &&
    (await import("./adapters/opentelemetry/tracer.ts")).createTracer({
      ...env.traces,
      version: manifest.version,
    });
  setTracer(tracer);
  const database = openDatabase({
    url: env.databaseUrl,
    waitMs: env.databaseWaitMs,
    trace: env.traces ? (await import("./adapters/opentelemetry/tracer.ts")).traceQueries : undefined,
    onError: onError("database"),
  });
  // Checked once: a transaction pooler may lose prepared statements.
  database.statements.named = await supportsNamedStatements(database);
  const { databaseDirectUrl: databaseUrl } = env;
  const events = await listenForEvents({ databaseUrl, onError: onError("events") });
  const allJobs = createJobs({
    databaseUrl,
    ownsSchema: env.databaseOwnerUrl === null,
    onError: onError("jobs"),
  });
  // Without a CRM there is no queue to send changes: they wait in the outbox until a scheduled task finds a CRM.
  const isWorked = (queue: string) => goHighLevel !== null || queue !== pushQueue;
  const jobs: Jobs = {
    ...allJobs,
    enqueue: async (tx, queue, ...job) => {
      if (isWorked(queue)) await allJobs.enqueue(tx, queue, ...job);
    },
  };
  const scheduler = createScheduler(onError("scheduler"));
  const library = createSignInLibrary(database.db, {
    publicUrl: env.publicUrl,
    secure: env.secure,
    secret: env.sessionSecrets.current,
    idleHours: env.sessionIdleHours,
  });
  const sessions = createSessions({
    library,
    db: database.db,
    listener: events,
    secure: env.secure,
    secrets: env.sessionSecrets,
    maxDays: env.sessionMaxDays,
  });
  const { provider } = env.signIn;
  const loginProvider =
    provider &&
    // The library is loaded only if a login provider is configured.
    (await import("./adapters/openid/login-provider.ts")).createOpenIdProvider({
      ...provider,
      redirectUri: `${env.publicUrl}/api/login/callback`,
      signedOutUri: `${env.publicUrl}/`,
    });
  const pace = createCrmPace(database.db);
  const mailer = env.mail && createMailer(env.mail);
  const crmConnection: CrmConnectionContext = {
    database,
    events,
    jobs,
    log,
    mailer,
    encryptionKeys: env.encryptionKeys,
    app: goHighLevel?.app
      ? createGoHighLevelApp({
          ...goHighLevel.app,
          baseUrl: goHighLevel.baseUrl,
          pace,
          redirectUri: `${env.publicUrl}/api/crm/install/callback`,
        })
      : null,
    privateKey:
      goHighLevel?.token && goHighLevel.locationId
        ? { token: goHighLevel.token, locationId: goHighLevel.locationId }
        : null,
    locationId: goHighLevel?.locationId ?? null,
  };
  const crmAccess = goHighLevel && createCrmAccess(crmConnection);
  const goHighLevelOptions = goHighLevel &&
    crmAccess && { baseUrl: goHighLevel.baseUrl, access: crmAccess, pace };
  const crm = goHighLevelOptions && createGoHighLevel(goHighLevelOptions);
  const crmWebhooks = goHighLevel && createGoHighLevelWebhooks({ publicKey: goHighLevel.webhookKey });
  const contactPolicy = { market: markets[env.market], orgTimeZone: env.orgTimeZone };
  const { twilio } = env.providers;
  const probes = {
    crm: goHighLevelOptions && createGoHighLevelProbe(goHighLevelOptions),
    telephony: twilio && createTwilioProbe(twilio),
  };
  const notifications: NotificationsContext = {
    database,
    jobs,
    log,
    mailer,
    push: createPushService(env.push),
    sessionMaxDays: env.sessionMaxDays,
    publicUrl: env.publicUrl,
    orgTimeZone: env.orgTimeZone,
    encryptionKeys: env.encryptionKeys,
  };
  const readLeadAgain = createLeadReader({
    database,
    jobs,
    events,
    log,
    crm,
    crmAccess,
    defaultCountry: env.defaultCountry,
    notifications,
  });
  const calls: CallsContext = {
    database,
    events,
    log,
    jobs,
    telephony: twilio && createTwilioTelephony(twilio),
    publicUrl: env.publicUrl,
    officeLine: env.officeLine,
    textsByService: twilio?.messagingServiceSid != null,
    defaultCountry: env.defaultCountry,
    noticeMarket: env.market,
    contactPolicy,
    readLeadAgain,
    timings: callTimings,
  };
  const sms: SmsContext = {
    database,
    log,
    jobs,
    smsProvider: twilio && createTwilioSms(twilio),
    publicUrl: env.publicUrl,
    defaultCountry: env.defaultCountry,
    contactPolicy,
    readLeadAgain,
    timings: messageTimings,
  };
  const bulk: BulkContext = {
    database,
    jobs,
    log,
    sms,
    contactPolicy,
    orgTimeZone: env.orgTimeZone,
    timings: bulkTimings,
  };
  const sourceAuth = createSourceAuth({
    db: database.db,
    events,
    readSession: sessions.read,
    demo: env.demo,
    publicUrl: env.publicUrl,
    encryptionKeys: env.encryptionKeys,
  });
  const dialer: DialerContext = {
    database,
    events,
    log,
    scheduler,
    jobs,
    calls,
    notifications,
    contactPolicy,
    orgTimeZone: env.orgTimeZone,
  };
  const google: GoogleContext = {
    database,
    jobs,
    log,
    mailer,
    calendar:
      env.providers.google &&
      createGoogleCalendar({
        ...env.providers.google,
        redirectUri: `${env.publicUrl}/api/google/callback`,
      }),
    encryptionKeys: env.encryptionKeys,
  };
  return {
    env,
    log,
    database,
    events,
    jobs,
    scheduler,
    library,
    sessions,
    devices: createDeviceCookies({ secrets: env.sessionSecrets, secure: env.secure }),
    localPasswords: env.signIn.localPasswords,
    loginProvider,
    presence: createPresence({ db: database.db, scheduler }),
    crm,
    crmWebhooks,
    crmAccess,
    crmConnection,
    probes,
    calls,
    sms,
    scheduledSms: { sms, timings: scheduledTimings },
    bulk,
    dialer,
    google,
    notifications,
    contactPolicy,
    sourceAuth,
    webRoot: path.join(serverFolder, "../web/dist"),
    async close() {
      await scheduler.stop();
      await jobs.stop();
      await events.close();
      await database.close();
      await tracer?.close();
    },
  };
}
