import { randomUUID } from "node:crypto";
import compress from "@fastify/compress";
import cookie from "@fastify/cookie";
import underPressure from "@fastify/under-pressure";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import manifest from "../package.json" with { type: "json" };
import { type ProviderRequestNote, providerRequests } from "./adapters/resilience.ts";
import { type Deps, diagnosticsContext, leadWebhooksContext } from "./deps.ts";
import { registerTimelineRoutes } from "./features/activity/routes.ts";
import { registerAdminRoutes } from "./features/admin/routes.ts";
import { registerAssignmentRoutes } from "./features/assignment/routes.ts";
import { registerAvailabilityRoutes } from "./features/availability/routes.ts";
import { registerBulkRoutes } from "./features/bulk-changes/routes.ts";
import { registerClientRoutes } from "./features/clients/routes.ts";
import { registerCrmSyncRoutes } from "./features/crm/routes.ts";
import { registerCrmWebhooks } from "./features/crm/webhook-routes.ts";
import { registerCrmConnectionRoutes } from "./features/crm-connection/routes.ts";
import {
  registerApiDocs,
  registerDiagnosticRoutes,
  registerHealthRoutes,
} from "./features/diagnostics/routes.ts";
import { registerLineWebhooks } from "./features/dialer/line/webhook-routes.ts";
import { registerDialerRoutes } from "./features/dialer/routes.ts";
import { noteListening } from "./features/dialer/service.ts";
import { registerGoLiveRoutes } from "./features/go-live/routes.ts";
import { registerTestCallWebhooks } from "./features/go-live/webhook-routes.ts";
import { sessionCookieName } from "./features/identity/auth/create-sign-in-library.ts";
import { signInOptions } from "./features/identity/auth/list-sign-ins.ts";
import {
  registerAuthRoutes,
  registerPasswordLinkRoutes,
  registerProviderRoutes,
  registerSessionRoutes,
} from "./features/identity/auth/routes.ts";
import { registerSecondFactorRoutes } from "./features/identity/second-factor/routes.ts";
import { registerUserRoutes } from "./features/identity/users/routes.ts";
import { registerImportRoutes } from "./features/imports/routes.ts";
import { registerInboxRoutes } from "./features/inbox/routes.ts";
import { followMergedLeads, registerMergeRoutes } from "./features/lead-merge/routes.ts";
import { registerLeadWebhookRoutes } from "./features/lead-webhooks/routes.ts";
import { registerLeadWebhooks } from "./features/lead-webhooks/webhook-routes.ts";
import { registerAllLeadsRoutes, registerLeadRoutes } from "./features/leads/routes.ts";
import { registerGoogleRoutes } from "./features/meetings/google-calendar/routes.ts";
import { registerMeetingRoutes } from "./features/meetings/routes.ts";
import { registerAnalyticsRoutes, registerReportRoutes } from "./features/metrics/routes.ts";
import { namedSources } from "./features/metrics/service.ts";
import { registerContentReports, registerMonitoring } from "./features/monitoring/routes.ts";
import type { Monitor } from "./features/monitoring/service.ts";
import { registerNewLeadRoutes } from "./features/new-lead/routes.ts";
import { registerNotificationRoutes, registerPushRoutes } from "./features/notifications/routes.ts";
import { registerRetryRoutes } from "./features/retry-rules/routes.ts";
import { registerSavedViewRoutes } from "./features/saved-views/routes.ts";
import { registerSearchRoutes } from "./features/search/routes.ts";
import { registerScheduledSmsRoutes, registerSmsRoutes } from "./features/sms/routes.ts";

import { registerSmsTemplateRoutes } from "./features/sms/templates/routes.ts";
import { registerSmsWebhooks } from "./features/sms/webhook-routes.ts";
import { registerTeamRoutes } from "./features/team/routes.ts";
import { registerInboundWebhooks } from "./features/telephony/inbound/webhook-routes.ts";
import { registerCallRoutes } from "./features/telephony/outbound/routes.ts";
import { registerCallWebhooks } from "./features/telephony/outbound/webhook-routes.ts";
import { registerCallLogRoutes } from "./features/telephony/outcomes/routes.ts";
import { registerRecordingRoutes } from "./features/telephony/recordings/routes.ts";
import { registerRecordingWebhooks } from "./features/telephony/recordings/webhook-routes.ts";
import { registerVoicemailMessageRoutes } from "./features/telephony/voicemail-messages/routes.ts";
import { registerMessageWebhooks } from "./features/telephony/voicemail-messages/webhook-routes.ts";
import { registerTodayRoutes } from "./features/today/routes.ts";
import { registerApiDescription } from "./platform/http/api-description.ts";
import { registerOriginCheck, registerSecurityHeaders } from "./platform/http/browser-security.ts";
import { answerNotFound, refuseUnderPressure, registerErrorHandler } from "./platform/http/error-handler.ts";
import {
  registerDownloadLimit,
  registerReadingPace,
  registerSignatureFailureLimit,
  registerUserLimit,
} from "./platform/http/limits.ts";
import {
  registerRequestLog,
  registerRequestTraces,
  requestLogging,
} from "./platform/http/request-records.ts";
import { registerActivity, registerSessionGuard } from "./platform/http/session.ts";
import { registerWeb } from "./platform/http/web.ts";
import { registerEventStream } from "./platform/realtime/stream.ts";

/** The Fastify app that every role of the process builds on: it opens no port, so that tests can build it too. */
async function buildBase(deps: Deps): Promise<FastifyInstance> {
  const { env } = deps;
  const app = Fastify({
    loggerInstance: deps.log as FastifyBaseLogger,
    // Proxies are trusted by their number, so that a client cannot choose its own address.
    trustProxy: env.trustProxyHops > 0 ? (_address, hop) => hop < env.trustProxyHops : false,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    ...requestLogging,
    bodyLimit: 1024 * 1024,
    requestTimeout: 60_000,
    // Closes a connection on which nothing was sent for this long; event streams send a heartbeat more often. `limits` ends slow readers.
    connectionTimeout: 90_000,
    forceCloseConnections: "idle",
    // Requests that arrive during shutdown are still answered: the CRM, for one, does not repeat an event after a 503.
    return503OnClosing: false,
    // Paths that the router cannot parse: no hook runs for them, so they are answered here.
    frameworkErrors: (_error, request, reply) => {
      reply.headers({ "x-request-id": request.id, "x-content-type-options": "nosniff" });
      return answerNotFound(request, reply);
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser("text/plain");
  if (env.traces) registerRequestTraces(app);
  registerErrorHandler(app);
  // In a terminal the demo logs only what matters; in production every request is logged.
  registerRequestLog(app, { isOn: !env.demo });
  registerSecurityHeaders(app, env.secure);
  await app.register(underPressure, {
    maxEventLoopDelay: env.maxEventLoopDelayMs,
    // A delay of a whole sample cannot be measured and counts as infinite, so samples are longer than the allowed delay.
    sampleInterval: 2 * env.maxEventLoopDelayMs,
    exposeStatusRoute: false,
    pressureHandler: refuseUnderPressure,
  });
  await app.register(cookie);
  registerOriginCheck(app, env.publicUrl);
  registerSessionGuard(app, deps.sessions);
  return app;
}

function registerMetrics(
  app: FastifyInstance,
  { database, env }: Deps,
  eventStreams: () => number,
): Monitor | null {
  return registerMonitoring(app, {
    database,
    token: env.metricsToken,
    version: manifest.version,
    eventStreams,
    onProviderRequest: (note) => {
      const listen = (message: unknown) => note(message as ProviderRequestNote);
      providerRequests.subscribe(listen);
      return () => providerRequests.unsubscribe(listen);
    },
  });
}

/** The app of a worker process, which runs only jobs and scheduled tasks: it serves its health and nothing else. */
export async function buildWorkerApp(deps: Deps): Promise<FastifyInstance> {
  const app = await buildBase(deps);
  registerHealthRoutes(app, { ...deps, roles: deps.env.roles });
  registerMetrics(app, deps, () => 0);
  app.setNotFoundHandler(answerNotFound);
  return app;
}

/** The app of a process that serves the API and the web. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
  const { env } = deps;
  const app = await buildBase(deps);
  // Larger answers of the API, the page and tables, also without a proxy that does it: the first leads take a third of a second less of a
  // slow phone's network. What a request carries is never decompressed, and the web's own files are compressed when it is built.
  await app.register(compress, {
    encodings: ["zstd", "gzip"],
    threshold: 2_048,
    globalDecompression: false,
  });
  registerActivity(app, deps.presence.acted);
  await registerSignatureFailureLimit(app);
  registerUserLimit(app, { perMinute: env.userRequestsPerMinute });
  registerReadingPace(app);
  followMergedLeads(app, deps);
  registerDownloadLimit(app, { perUser: env.open.downloadsPerUser, perProcess: env.open.downloads });
  await registerApiDescription(app, { publicUrl: env.publicUrl, cookieName: sessionCookieName(env.secure) });
  // Registered here, because the description contains only routes bound after it.
  registerHealthRoutes(app, { ...deps, roles: env.roles });

  const streams = registerEventStream(app, {
    listener: deps.events,
    most: { perUser: env.open.eventStreamsPerUser, perProcess: env.open.eventStreams },
    isSessionAlive: deps.sessions.isAlive,
    onPresence: (userIds) => {
      noteListening(deps.dialer, userIds);
      deps.presence.listened(userIds);
    },
  });
  await registerContentReports(app, registerMetrics(app, deps, streams.count));
  const auth = { ...deps, secure: env.secure, publicUrl: env.publicUrl, encryptionKeys: env.encryptionKeys };
  registerAuthRoutes(app, auth);
  registerProviderRoutes(app, auth);
  registerSecondFactorRoutes(app, auth);
  registerSessionRoutes(app, { ...deps, maxDays: env.sessionMaxDays });
  registerPasswordLinkRoutes(app, deps);
  registerCallRoutes(app, deps.calls);
  registerCallLogRoutes(app, { ...deps.calls, notifications: deps.notifications });
  await registerVoicemailMessageRoutes(app, deps.calls);
  await registerCallWebhooks(app, deps.calls);
  await registerInboundWebhooks(app, deps.calls);
  await registerRecordingWebhooks(app, deps.calls);
  await registerMessageWebhooks(app, deps.calls);
  registerCrmConnectionRoutes(app, deps.crmConnection);
  registerCrmSyncRoutes(app, { ...deps, defaultCountry: env.defaultCountry });
  await registerCrmWebhooks(app, { ...deps, defaultCountry: env.defaultCountry });
  await registerImportRoutes(app, { ...deps, defaultCountry: env.defaultCountry });
  registerRecordingRoutes(app, { ...deps, telephony: deps.calls.telephony, orgTimeZone: env.orgTimeZone });
  registerDialerRoutes(app, deps.dialer);
  await registerLineWebhooks(app, deps.dialer);
  registerTimelineRoutes(app, deps);
  registerAnalyticsRoutes(app, { ...deps, orgTimeZone: env.orgTimeZone });
  registerClientRoutes(app, { ...deps, orgTimeZone: env.orgTimeZone });
  registerReportRoutes(app, { ...deps, orgTimeZone: env.orgTimeZone });
  registerSmsRoutes(app, deps.sms);
  registerSmsTemplateRoutes(app, deps);
  registerScheduledSmsRoutes(app, deps.sms);
  await registerSmsWebhooks(app, deps.sms);
  registerInboxRoutes(app, deps);
  registerTodayRoutes(app, { ...deps, orgTimeZone: env.orgTimeZone });
  const leadWebhooks = leadWebhooksContext(deps);
  registerLeadWebhookRoutes(app, leadWebhooks, await registerLeadWebhooks(app, leadWebhooks));
  registerNotificationRoutes(app, deps);
  registerPushRoutes(app, deps.notifications);
  registerUserRoutes(app, { ...deps, defaultCountry: env.defaultCountry });
  registerLeadRoutes(app, { ...deps, orgTimeZone: env.orgTimeZone, demo: env.demo });
  registerMergeRoutes(app, deps);
  registerNewLeadRoutes(app, { ...deps, defaultCountry: env.defaultCountry });
  registerAllLeadsRoutes(app, {
    ...deps,
    orgTimeZone: env.orgTimeZone,
    namedSources: (asked) => namedSources(deps.database, asked),
  });
  registerBulkRoutes(app, deps.bulk);
  registerSavedViewRoutes(app, deps);
  registerRetryRoutes(app, deps);
  registerAvailabilityRoutes(app, deps);
  registerSearchRoutes(app, deps);
  registerAssignmentRoutes(app, { ...deps, orgTimeZone: env.orgTimeZone });
  registerTeamRoutes(app, {
    ...deps,
    orgTimeZone: env.orgTimeZone,
    publicUrl: env.publicUrl,
  });
  registerGoogleRoutes(app, deps.google);
  registerMeetingRoutes(app, { ...deps, orgTimeZone: env.orgTimeZone, publicUrl: env.publicUrl });

  registerAdminRoutes(app, {
    ...deps,
    orgTimeZone: env.orgTimeZone,
    has: {
      telephony: deps.calls.telephony !== null,
      crm: deps.crm !== null,
      calendar: deps.google.calendar !== null,
      mail: deps.notifications.mailer !== null,
    },
  });
  registerApiDocs(app);
  registerDiagnosticRoutes(app, diagnosticsContext(deps));
  registerGoLiveRoutes(app, deps.calls, env.backup.folder === null ? null : env.backup.everyHours);
  await registerTestCallWebhooks(app, deps.calls);

  await registerWeb(app, {
    root: deps.webRoot,
    adminEmail: env.adminEmail,
    demo: env.demo,
    portalWorker: env.portalWorker,
    signInOptions: signInOptions(deps),
    readSession: deps.sessions.readAny,
  });
  return app;
}
