import type { DiagnosticReport, Integration } from "@portal/contract/entities/diagnostics";
import { type Check, runChecks } from "./check.ts";
import { emailChecks } from "./check-email.ts";
import { ghlChecks } from "./check-ghl.ts";
import { googleChecks } from "./check-google.ts";
import { twilioChecks } from "./check-twilio.ts";
import { webhookChecks } from "./check-webhooks.ts";
import type { DiagnosticsContext } from "./types.ts";

const checksOf: Record<Integration, (context: DiagnosticsContext) => Check[]> = {
  ghl: ghlChecks,
  twilio: twilioChecks,
  webhooks: webhookChecks,
  google: googleChecks,
  email: emailChecks,
};

/** Looks at integrations; who asks for one that is being looked at gets the same report, so that many viewers are one question. */
export function createDiagnostics(context: DiagnosticsContext) {
  const running = new Map<Integration, Promise<DiagnosticReport>>();
  return (integration: Integration): Promise<DiagnosticReport> => {
    const known = running.get(integration);
    if (known) return known;
    const onError = (err: unknown) => context.log.warn({ err, integration }, "diagnostic check failed");
    const report = runChecks(integration, checksOf[integration](context), onError).finally(() =>
      running.delete(integration),
    );
    running.set(integration, report);
    return report;
  };
}
