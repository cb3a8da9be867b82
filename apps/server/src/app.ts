import { randomUUID } from "node:crypto";
import cookie from "@fastify/cookie";
import underPressure from "@fastify/under-pressure";
import Fastify, { type FastifyBaseLogger, type FastifyInstance } from "fastify";
import { serializerCompiler, validatorCompiler } from "fastify-type-provider-zod";
import { type Deps, leadWebhooksContext } from "./deps.ts";
import { registerEventStream } from "./events/stream.ts";
import { registerAdminRoutes } from "./features/admin/routes.ts";
import { registerAnalyticsRoutes } from "./features/analytics/routes.ts";
import { registerApiDocs } from "./features/api-docs/routes.ts";
import { registerPasswordLinkRoutes } from "./features/auth/password-link-routes.ts";
import { registerProviderRoutes } from "./features/auth/provider-routes.ts";
import { registerAuthRoutes } from "./features/auth/routes.ts";
import { registerSessionRoutes } from "./features/auth/session-routes.ts";
import { sessionCookieName } from "./features/auth/sign-in-library.ts";
import { signInOptions } from "./features/auth/sign-in-ways.ts";
import { registerCallRoutes } from "./features/calls/routes.ts";
import { registerCallWebhooks } from "./features/calls/webhook-routes.ts";
import { registerClientRoutes } from "./features/clients/routes.ts";
import { registerCrmSyncRoutes } from "./features/crm-sync/routes.ts";
import { registerCrmWebhooks } from "./features/crm-sync/webhook-routes.ts";
import { registerDiagnosticRoutes } from "./features/diagnostics/routes.ts";
import { registerDialerRoutes } from "./features/dialer/routes.ts";
import { noteListening } from "./features/dialer/service.ts";
import { registerGoogleRoutes } from "./features/google-calendar/routes.ts";
import { registerHealthRoutes } from "./features/health/routes.ts";
import { registerImportRoutes } from "./features/imports/routes.ts";
import { registerInboundWebhooks } from "./features/inbound-calls/webhook-routes.ts";
import { registerLeadWebhookRoutes } from "./features/lead-webhooks/routes.ts";
import { registerLeadWebhooks } from "./features/lead-webhooks/webhook-routes.ts";
import { registerAllLeadsRoutes } from "./features/leads/all-leads-routes.ts";
import { registerAssignmentRoutes } from "./features/leads/assignment-routes.ts";
import { registerLeadRoutes } from "./features/leads/routes.ts";
import { registerMeetingRoutes } from "./features/meetings/routes.ts";
import { registerNoticeRoutes } from "./features/notices/routes.ts";
import { registerRecordingRoutes } from "./features/recordings/routes.ts";
import { registerRecordingWebhooks } from "./features/recordings/webhook-routes.ts";
import { registerReportRoutes } from "./features/reports/routes.ts";
import { registerSmsRoutes } from "./features/sms/routes.ts";
import { registerSmsWebhooks } from "./features/sms/webhook-routes.ts";
import { registerTeamRoutes } from "./features/team/routes.ts";
import { registerTimelineRoutes } from "./features/timeline/routes.ts";
import { registerUserRoutes } from "./features/users/routes.ts";
import { registerActivity } from "./http/activity.ts";
import { registerApiDescription } from "./http/api-description.ts";
import { answerNotFound, registerErrorHandler } from "./http/error-handler.ts";
import { registerForgeryLimit } from "./http/forgery-limit.ts";
import { registerOriginCheck } from "./http/origin-check.ts";
import { registerRequestLog, requestLogging } from "./http/request-log.ts";
import { registerSecurityHeaders } from "./http/security-headers.ts";
import { registerSessionGuard } from "./http/session.ts";
import { registerWeb } from "./http/web.ts";

/** Puts the server together from its parts; listens to nothing and reads nothing by itself. */
export async function buildApp(deps: Deps): Promise<FastifyInstance> {
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
    forceCloseConnections: "idle",
    // Paths that the router cannot read; no hook runs for them.
    frameworkErrors: (_error, request, reply) => {
      reply.headers({ "x-request-id": request.id, "x-content-type-options": "nosniff" });
      return answerNotFound(request, reply);
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.removeContentTypeParser("text/plain");
  registerErrorHandler(app);
  // In a terminal the demo tells what matters; a log collector gets every request.
  registerRequestLog(app, { isOn: !env.demo });
  registerSecurityHeaders(app, env.secure);
  await app.register(underPressure, { maxEventLoopDelay: 3_000, exposeStatusRoute: false });
  await app.register(cookie);
  registerOriginCheck(app, env.publicUrl);
  registerSessionGuard(app, deps.sessions);
  registerActivity(app, deps.presence.acted);
  await registerForgeryLimit(app);
  await registerApiDescription(app, { publicUrl: env.publicUrl, cookieName: sessionCookieName(env.secure) });

  registerHealthRoutes(app, deps);
  registerEventStream(app, {
    listener: deps.events,
    isSessionAlive: deps.sessions.isAlive,
    onPresence: (userIds) => {
      noteListening(deps.dialer, userIds);
      deps.presence.listened(userIds);
    },
  });
  const auth = { ...deps, secure: env.secure, encryptionKey: env.encryptionKey };
  registerAuthRoutes(app, auth);
  registerProviderRoutes(app, auth);
  registerSessionRoutes(app, { ...deps, maxDays: env.sessionMaxDays });
  registerPasswordLinkRoutes(app, deps);
  registerCallRoutes(app, deps.calls);
  await registerCallWebhooks(app, deps.calls);
  await registerInboundWebhooks(app, deps.calls);
  await registerRecordingWebhooks(app, deps.calls);
  registerCrmSyncRoutes(app, { ...deps, defaultCountry: env.defaultCountry });
  await registerCrmWebhooks(app, { ...deps, defaultCountry: env.defaultCountry });
  await registerImportRoutes(app, { ...deps, defaultCountry: env.defaultCountry });
  registerRecordingRoutes(app, { ...deps, telephony: deps.calls.telephony, orgTimeZone: env.orgTimeZone });
  registerDialerRoutes(app, deps.dialer);
  registerTimelineRoutes(app, deps);
  registerAnalyticsRoutes(app, { ...deps, orgTimeZone: env.orgTimeZone });
  registerClientRoutes(app, { ...deps, orgTimeZone: env.orgTimeZone });
  registerReportRoutes(app, { ...deps, orgTimeZone: env.orgTimeZone });
  registerSmsRoutes(app, deps.sms);
  await registerSmsWebhooks(app, deps.sms);
  const leadWebhooks = leadWebhooksContext(deps);
  registerLeadWebhookRoutes(app, leadWebhooks, await registerLeadWebhooks(app, leadWebhooks));
  registerNoticeRoutes(app, deps);
  registerUserRoutes(app, { ...deps, defaultCountry: env.defaultCountry });
  registerLeadRoutes(app, { ...deps, orgTimeZone: env.orgTimeZone, demo: env.demo });
  registerAllLeadsRoutes(app, { ...deps, orgTimeZone: env.orgTimeZone });
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
      mail: deps.notices.mailer !== null,
    },
  });
  registerApiDocs(app);
  registerDiagnosticRoutes(app, {
    db: deps.database.db,
    log: deps.log,
    publicUrl: env.publicUrl,
    ...deps.probes,
    hasCalendar: deps.google.calendar !== null,
    accessOf: deps.intake.accessOf,
  });

  await registerWeb(app, {
    root: deps.webRoot,
    adminEmail: env.adminEmail,
    demo: env.demo,
    signInOptions: signInOptions(deps),
    readSession: deps.sessions.read,
  });
  return app;
}
