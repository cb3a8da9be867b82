import { type DiagnosticReport, findings, integrations } from "@portal/contract/entities/diagnostics";
import { checkIntegration } from "@portal/contract/routes/integrations";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { buildUser } from "../../testing/builders.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { errorReply, replyTo, server } from "../../testing/server.ts";
import { findingMessages } from "./messages.ts";
import { todoMessages } from "./todo-messages.ts";

const stuck: DiagnosticReport = {
  integration: "ghl",
  status: "fail",
  checkedAt: new Date().toISOString(),
  checks: [
    { name: "credentials", status: "ok", finding: "accepted", values: {}, at: null, detail: null },
    {
      name: "outbox",
      status: "fail",
      finding: "stuck",
      values: { count: 1200, failed: 0 },
      at: new Date(Date.now() - 7_200_000).toISOString(),
      detail: null,
    },
    {
      name: "reachability",
      status: "fail",
      finding: "unreachable",
      values: {},
      at: null,
      detail: "https://portal.test: ENOTFOUND",
    },
  ],
};

const nothing: DiagnosticReport = {
  integration: "email",
  status: "off",
  checkedAt: stuck.checkedAt,
  checks: [{ name: "credentials", status: "off", finding: "not_used", values: {}, at: null, detail: null }],
};

/** GHL has a problem, Twilio cannot be checked, the rest is off. */
function serve(): void {
  server.use(
    replyTo(checkIntegration, ({ params }) => {
      const integration = integrations.find((known) => known === params.integration) ?? "email";
      if (integration === "ghl") return stuck;
      if (integration === "twilio") return errorReply("rate_limited", "Too many checks.");
      return { ...nothing, integration };
    }),
  );
}

describe("the diagnostics page", () => {
  it("has a text for every finding, and advice for every finding that can fail", () => {
    const fine = [
      "accepted",
      "app_connected",
      "private_token_used",
      "scopes_granted",
      "calls_connect",
      "whole_read",
      "accounts_connected",
      "no_accounts",
      "not_used",
      "keys_set",
      "left",
      "paced",
      "not_reported",
      "reachable",
      "told_apart",
      "secrets_readable",
    ];
    const good = [
      ...fine,
      "number_fallback_set",
      "call_fallback_set",
      "service_set",
      "pool_set",
      "number_set",
      "received",
      "nothing_waits",
      "waiting",
      "synced",
      "reports_matched",
    ];
    const plain = (finding: string) => finding.replace(/^(ghl|twilio|webhooks|google)_/, "");
    const advised = new Set(Object.keys(todoMessages.pairs).map(plain));
    expect(findings.filter((finding) => !(finding in findingMessages.pairs))).toEqual([]);
    expect(findings.filter((finding) => !good.includes(finding) && !advised.has(finding))).toEqual([]);
  });

  it("shows an administrator each finding with advice and details, and other findings when one check fails", async () => {
    serve();
    renderPortal("/ghl-diagnostics", buildUser({ role: "admin" }));
    const ghl = within(await screen.findByRole("region", { name: "Go High Level" }));
    expect(await ghl.findByText("Stuck: 1,200, the oldest since 2 hours ago.")).toBeTruthy();
    expect(ghl.getByText(/nothing is lost meanwhile/)).toBeTruthy();
    expect(ghl.getByText(/ENOTFOUND/)).toBeTruthy();
    const twilio = within(screen.getByRole("region", { name: "Twilio" }));
    expect(await twilio.findByText("Too many checks.")).toBeTruthy();
    expect(screen.getAllByText("Off").length).toBeGreaterThanOrEqual(3);
  });

  it("tells a consultant whom to ask", async () => {
    serve();
    renderPortal("/ghl-diagnostics");
    const ghl = within(await screen.findByRole("region", { name: "Go High Level" }));
    expect(await ghl.findAllByText("Tell an administrator.")).toHaveLength(2);
  });
});
