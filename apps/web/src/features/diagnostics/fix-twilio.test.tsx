import type { DiagnosticReport } from "@portal/contract/entities/diagnostics";
import { checkIntegration, fixTelephony, getTelephonyPlan } from "@portal/contract/routes/integrations";
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";
import { buildUser } from "../../testing/builders.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { errorReply, replyTo, server } from "../../testing/server.ts";

const before = "https://elsewhere.test/voice";
const after = "https://portal.test/api/twilio/voice/inbound#rc=5&rp=5xx,ct,rt";
const changes = [{ target: "number" as const, field: "voiceUrl", before, after }];

/** Twilio's number points elsewhere until it is fixed; the other integrations are off. */
function serve(answer: () => { changed: number } | Response) {
  const state = { isFixed: false, asked: [] as string[] };
  const check = (isFixed: boolean): DiagnosticReport["checks"][number] => ({
    name: "numberWebhooks",
    status: isFixed ? "ok" : "warn",
    finding: isFixed ? "number_set" : "number_elsewhere",
    values: isFixed ? {} : { count: 1, fixable: 1 },
    at: null,
    detail: isFixed ? null : `voiceUrl: ${before}`,
  });
  server.use(
    replyTo(checkIntegration, ({ params }) => ({
      integration: params.integration as DiagnosticReport["integration"],
      status: "ok" as const,
      checkedAt: new Date().toISOString(),
      checks: params.integration === "twilio" ? [check(state.isFixed)] : [],
    })),
    replyTo(getTelephonyPlan, () => ({
      changes: state.isFixed ? [] : changes,
      seen: (state.isFixed ? "b" : "a").repeat(64),
    })),
    replyTo(fixTelephony, ({ body }) => {
      state.asked.push((body as { seen: string }).seen);
      const answered = answer();
      state.isFixed = !(answered instanceof Response);
      return answered;
    }),
  );
  return state;
}

describe("the Fix button", () => {
  it("shows old and new values first, and applies exactly what was shown", async () => {
    const state = serve(() => ({ changed: 1 }));
    renderPortal("/ghl-diagnostics", buildUser({ role: "admin" }));
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Fix…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Fix at Twilio" }));
    expect(await dialog.findByText(before)).toBeTruthy();
    expect(dialog.getByText(after)).toBeTruthy();
    expect(dialog.getByText(/Address for calls/)).toBeTruthy();
    expect(state.asked).toEqual([]);
    await user.click(dialog.getByRole("button", { name: "Fix" }));
    expect(await screen.findByText("Calls and texts are sent to this portal.")).toBeTruthy();
    expect(state.asked).toEqual(["a".repeat(64)]);
    expect(screen.queryByRole("button", { name: "Fix…" })).toBeNull();
    // The button has disappeared, so the focus moves to the fixed check.
    await waitFor(() => expect(document.activeElement?.textContent).toContain("are sent to this portal."));
    expect(document.activeElement?.tagName).toBe("LI");
  });

  it("reports that the settings have changed meanwhile, and stays open", async () => {
    serve(() => errorReply("conflict", "The settings have changed meanwhile."));
    renderPortal("/ghl-diagnostics", buildUser({ role: "admin" }));
    const user = userEvent.setup();
    await user.click(await screen.findByRole("button", { name: "Fix…" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Fix at Twilio" }));
    await dialog.findByText(before);
    await user.click(dialog.getByRole("button", { name: "Fix" }));
    expect(await screen.findByText("Not fixed")).toBeTruthy();
    expect(dialog.getByText(before)).toBeTruthy();
  });

  it("is not shown to consultants", async () => {
    serve(() => ({ changed: 1 }));
    renderPortal("/ghl-diagnostics");
    await screen.findByText("Tell an administrator.");
    expect(screen.queryByRole("button", { name: "Fix…" })).toBeNull();
  });
});
