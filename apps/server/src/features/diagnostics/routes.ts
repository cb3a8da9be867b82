import * as contract from "@portal/contract/routes/integrations";
import type { FastifyInstance } from "fastify";
import { AppError } from "../../http/app-error.ts";
import { bindRoute } from "../../http/bind-route.ts";
import type { DiagnosticsContext } from "./context.ts";
import { createLooks } from "./looks.ts";
import { createDiagnostics } from "./service.ts";

/** One look at everything is one request an integration: six a minute. */
const perMinute = 30;

/** How each integration does, asked now. What only an administrator can mend is told to them alone. */
export function registerDiagnosticRoutes(app: FastifyInstance, context: DiagnosticsContext): void {
  const lookAt = createDiagnostics(context);
  const count = createLooks({ perMinute });

  bindRoute(app, contract.checkIntegration, async ({ params, actor }) => {
    const seconds = count(actor.userId);
    if (seconds > 0) {
      throw new AppError("rate_limited", "Too many checks. Try again in a minute.", {
        retryAfterSeconds: seconds,
      });
    }
    const report = await lookAt(params.integration);
    if (actor.role === "admin") return report;
    return { ...report, checks: report.checks.map((check) => ({ ...check, detail: null })) };
  });
}
