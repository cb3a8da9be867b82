import type { RouteResponse } from "@portal/contract/route";
import { getHealth, getReady, type ProcessRole } from "@portal/contract/routes/health";
import {
  checkIntegration,
  fixTelephony,
  getApiDocument,
  getTelephonyPlan,
} from "@portal/contract/routes/integrations";
import type { FastifyInstance } from "fastify";
import { bindRoute } from "../../platform/http/bind-route.ts";
import type { DiagnosticsContext } from "./check.ts";
import { applyFix, planFix } from "./fix-telephony.ts";
import { createDiagnostics, createReadyCheck, type ReadyContext } from "./service.ts";

const windowMs = 60_000;
/** Checking all integrations takes one request each, so this allows six checks of all per minute. */
const perMinute = 30;

/** Returns a function that counts a user's requests per minute in this process and returns whether they exceed the limit. */
function createHasteCheck(now: () => number = Date.now) {
  const users = new Map<number, { count: number; endsAt: number }>();
  return (userId: number): boolean => {
    for (const [id, { endsAt }] of users) if (endsAt <= now()) users.delete(id);
    const entry = users.get(userId) ?? { count: 0, endsAt: now() + windowMs };
    users.set(userId, entry);
    entry.count += 1;
    return entry.count > perMinute;
  };
}

/** Routes for the live checks of integrations. Details that only administrators can fix are hidden from others. */
export function registerDiagnosticRoutes(app: FastifyInstance, context: DiagnosticsContext): void {
  const diagnostics = createDiagnostics(context);
  const isHasty = createHasteCheck();

  bindRoute(app, checkIntegration, async ({ params, actor }) => {
    const report = await diagnostics.look(params.integration, { isHasty: isHasty(actor.userId) });
    if (actor.role === "admin") return report;
    return { ...report, checks: report.checks.map((check) => ({ ...check, detail: null })) };
  });
  bindRoute(app, getTelephonyPlan, () => planFix(context));
  bindRoute(app, fixTelephony, ({ actor, body }) =>
    applyFix(context, { actor, seen: body.seen }).finally(() => diagnostics.forget("twilio")),
  );
}

/** The page that lists the endpoints. */
const pagePath = "/integrations?tab=api";

/** Routes for the API documentation, for signed-in users: the OpenAPI document, and a redirect to the page that shows it. */
export function registerApiDocs(app: FastifyInstance): void {
  const document = () => app.swagger() as RouteResponse<typeof getApiDocument>;
  bindRoute(app, getApiDocument, async () => document());

  app.get("/api/docs", { schema: { hide: true } }, async (request, reply) => {
    reply.header("vary", "accept");
    const isBrowser = request.headers.accept?.includes("text/html") ?? false;
    return isBrowser ? reply.redirect(pagePath) : document();
  });
}

/** Routes for liveness and readiness. */
export function registerHealthRoutes(
  app: FastifyInstance,
  context: ReadyContext & { roles: ProcessRole[] },
): void {
  const checkReady = createReadyCheck(context);
  bindRoute(app, getHealth, async () => ({ status: "ok" as const }));
  bindRoute(app, getReady, async () => {
    await checkReady();
    return {
      status: "ok" as const,
      database: "ok" as const,
      jobs: "ok" as const,
      roles: context.roles,
      statements: context.database.statements.named ? ("named" as const) : ("unnamed" as const),
    };
  });
}
