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

/** No report that is told again is older. */
const oldestMs = 60_000;

/**
 * Looks at integrations. Who asks for one that is being looked at gets the same report, so that many viewers are one question; who has asked
 * too often is told the last one, which says when it was made.
 */
export function createDiagnostics(context: DiagnosticsContext) {
  const running = new Map<Integration, Promise<DiagnosticReport>>();
  const last = new Map<Integration, DiagnosticReport>();

  function begin(integration: Integration): Promise<DiagnosticReport> {
    const onError = (err: unknown) => context.log.warn({ err, integration }, "diagnostic check failed");
    const report = runChecks(integration, checksOf[integration](context), onError);
    running.set(integration, report);
    const ended = () => running.get(integration) === report && running.delete(integration);
    report.then((made) => ended() && last.set(integration, made), ended);
    return report;
  }

  return {
    async look(integration: Integration, { isHasty }: { isHasty: boolean }): Promise<DiagnosticReport> {
      const made = last.get(integration);
      if (isHasty && made && Date.parse(made.checkedAt) > Date.now() - oldestMs) return made;
      return running.get(integration) ?? begin(integration);
    },
    /** Something of it was changed: what was seen before counts no more. */
    forget(integration: Integration): void {
      running.delete(integration);
      last.delete(integration);
    },
  };
}
