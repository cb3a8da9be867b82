import type { RouteResponse } from "@portal/contract/route";
import { getHealth, getReady } from "@portal/contract/routes/health";
import {
  checkIntegration,
  fixTelephony,
  getApiDocument,
  getTelephonyPlan,
} from "@portal/contract/routes/integrations";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../platform/http/app-error.ts";
import { bindRoute } from "../../platform/http/bind-route.ts";
import { createReadyCheck, type ReadyContext } from "./check-ready.ts";
import { applyFix, planFix } from "./fix-telephony.ts";
import { createDiagnostics } from "./service.ts";
import type { DiagnosticsContext } from "./types.ts";

const windowMs = 60_000;

/** Limits what each user asks for in a minute, in this process. Answers the seconds to wait, 0 where there is none. */
function createRateLimiter({ perMinute, now = Date.now }: { perMinute: number; now?: () => number }) {
  const users = new Map<number, { count: number; endsAt: number }>();
  return (userId: number): number => {
    for (const [id, { endsAt }] of users) if (endsAt <= now()) users.delete(id);
    const entry = users.get(userId) ?? { count: 0, endsAt: now() + windowMs };
    users.set(userId, entry);
    entry.count += 1;
    return entry.count > perMinute ? Math.ceil((entry.endsAt - now()) / 1_000) : 0;
  };
}

/** One look at everything is one request an integration: six a minute. */
const perMinute = 30;

/** How each integration does, asked now. What only an administrator can mend is told to them alone. */
export function registerDiagnosticRoutes(app: FastifyInstance, context: DiagnosticsContext): void {
  registerTelephonyFix(app, context);
  const check = createDiagnostics(context);
  const secondsToWait = createRateLimiter({ perMinute });

  bindRoute(app, checkIntegration, async ({ params, actor }) => {
    const seconds = secondsToWait(actor.userId);
    if (seconds > 0) {
      throw new AppError("rate_limited", "Too many checks. Try again in a minute.", {
        retryAfterSeconds: seconds,
      });
    }
    const report = await check(params.integration);
    if (actor.role === "admin") return report;
    return { ...report, checks: report.checks.map((check) => ({ ...check, detail: null })) };
  });
}

/** What would be set right at Twilio, and doing it: an administrator's. */
function registerTelephonyFix(app: FastifyInstance, context: DiagnosticsContext): void {
  bindRoute(app, getTelephonyPlan, () => planFix(context));
  bindRoute(app, fixTelephony, ({ actor, body }) => applyFix(context, { actor, seen: body.seen }));
}

/** The page that lists the endpoints. */
const pagePath = "/integrations?tab=api";

/** What this API offers, for those signed in: the document, and for a browser's address bar the page that shows it. */
export function registerApiDocs(app: FastifyInstance): void {
  const document = () => app.swagger() as RouteResponse<typeof getApiDocument>;
  bindRoute(app, getApiDocument, async () => document());

  app.get("/api/docs", { schema: { hide: true } }, async (request, reply) => {
    reply.header("vary", "accept");
    const isBrowser = request.headers.accept?.includes("text/html") ?? false;
    return isBrowser ? reply.redirect(pagePath) : document();
  });
}

/** Whether the server serves, and whether what it stands on does. */
export function registerHealthRoutes(app: FastifyInstance, context: ReadyContext): void {
  const checkReady = createReadyCheck(context);
  bindRoute(app, getHealth, async () => ({ status: "ok" as const }));
  bindRoute(app, getReady, async () => {
    await checkReady();
    return { status: "ok" as const, database: "ok" as const, jobs: "ok" as const };
  });
}
