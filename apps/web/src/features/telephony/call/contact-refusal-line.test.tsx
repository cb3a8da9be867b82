import { getCall, getLiveCall, makeCall } from "@portal/contract/routes/calls";
import { getLead, recordConsent, withdrawConsent } from "@portal/contract/routes/leads";
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { formatSoon } from "../../../lib/format.ts";
import { setLanguage } from "../../../lib/i18n.ts";
import { buildUser } from "../../../testing/builders.ts";
import { buildCall, buildLead } from "../../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../../testing/leads-server.ts";
import { renderPortal } from "../../../testing/render-portal.tsx";
import { errorReply, replyTo, server } from "../../../testing/server.ts";
import { dismissToast } from "../../../ui/toast.ts";

const callNow = "Call Now Inés Duarte";
const callAnyway = "Call anyway… Inés Duarte";
const hourMs = 3_600_000;

async function openPage(lead = buildLead(), user = buildUser()) {
  serveLeadsPage({ leads: [lead] });
  const rendered = renderPortal("/", user);
  await screen.findByRole("article");
  return rendered;
}
const soon = () => new Date(Date.now() + 26 * hourMs).toISOString();

describe("a lead who may not be called now", () => {
  it("shows the reason and the next allowed time before the button is pressed", async () => {
    const callAllowedAt = soon();
    await openPage(buildLead({ callRefusal: "outside_hours", callAllowedAt }));
    const description = `Outside this lead's hours. Allowed again: ${formatSoon(callAllowedAt)}, your time.`;
    const button = screen.getByRole("button", { name: callNow, description });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(screen.getByText(description).className).not.toContain("sr-only");
  });

  it("shows the reason in Spanish", async () => {
    setLanguage("es");
    const callAllowedAt = soon();
    await openPage(buildLead({ callRefusal: "attempt_cap", callAllowedAt }));
    expect(
      screen.getByText(
        `Ya se le contactó lo suficiente por ahora. Se permite de nuevo: ${formatSoon(callAllowedAt)}, tu hora.`,
      ),
    ).toBeTruthy();
  });

  it("can be called once the allowed time has come", async () => {
    const callAllowedAt = new Date(Date.now() + 700).toISOString();
    await openPage(buildLead({ callRefusal: "outside_hours", callAllowedAt }));
    await waitFor(() =>
      expect(screen.getByRole("button", { name: callNow }).getAttribute("aria-disabled")).toBeNull(),
    );
  });

  it("offers a consultant no override", async () => {
    await openPage(buildLead({ callRefusal: "outside_hours", callOverride: true }));
    expect(screen.queryByRole("button", { name: callAnyway })).toBeNull();
  });

  it("is reported in the dialog with the time if only the server refuses", async () => {
    const { user } = await openPage();
    const nextAllowedAt = soon();
    server.use(
      replyTo(makeCall, () =>
        HttpResponse.json(
          {
            code: "contact_refused",
            message: "It is outside the lead's hours.",
            reason: "outside_hours",
            nextAllowedAt,
          },
          { status: 409 },
        ),
      ),
    );
    await user.click(screen.getByRole("button", { name: callNow }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(
      await dialog.findByText(
        `It is outside the lead's hours. Allowed again: ${formatSoon(nextAllowedAt)}, your time.`,
      ),
    ).toBeTruthy();
  });
});

describe("a lead who needs consent", () => {
  it("can be called once consent is recorded with its source", async () => {
    const lead = buildLead({ callRefusal: "no_consent", textRefusal: "no_consent" });
    const { user } = await openPage(lead);
    const asked: unknown[] = [];
    server.use(
      replyTo(recordConsent, ({ params, body }) => {
        asked.push(params, body);
        const given = { consentAt: "2026-11-20T10:00:00.000Z", consentSource: "Por teléfono" };
        serveLeadsPage({ leads: [buildLead(given)] });
        return buildLead(given);
      }),
    );
    await user.click(screen.getByRole("button", { name: "Record consent… Inés Duarte" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Consent of Inés Duarte" }));
    const confirm = dialog.getByRole("button", { name: "Record consent" });
    expect(confirm.getAttribute("aria-disabled")).toBe("true");
    // The field has the focus already.
    await user.paste(" Por teléfono ");
    await user.click(confirm);
    expect(await screen.findByText("Consent Recorded")).toBeTruthy();
    expect(asked).toEqual([{ id: "7" }, { source: "Por teléfono" }]);
    expect(await screen.findByText("Consent Nov 20, 2026: Por teléfono")).toBeTruthy();
    expect(screen.getByRole("button", { name: callNow }).getAttribute("aria-disabled")).toBeNull();
  });

  it("can withdraw consent, and a failed save keeps the dialog open", async () => {
    const consentAt = "2026-11-20T10:00:00.000Z";
    const { user } = await openPage(buildLead({ consentAt, consentSource: "Contrato" }));
    server.use(replyTo(withdrawConsent, () => errorReply("unavailable", "The service is not available.")));
    await user.click(await screen.findByRole("button", { name: "Withdraw… Inés Duarte" }));
    const name = "Withdraw the consent of Inés Duarte?";
    const dialog = within(await screen.findByRole("dialog", { name }));
    await user.click(dialog.getByRole("button", { name: "Withdraw consent" }));
    expect(await screen.findByText("The service is not available.")).toBeTruthy();
    server.use(replyTo(withdrawConsent, () => buildLead()));
    await user.click(dialog.getByRole("button", { name: "Withdraw consent" }));
    expect(await screen.findByText("Consent Withdrawn")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("an administrator", () => {
  const admin = buildUser({ role: "admin" });

  it("calls anyway with a reason, which is part of the request", async () => {
    const asked: unknown[] = [];
    const { user } = await openPage(buildLead({ callRefusal: "opted_out", callOverride: true }), admin);
    server.use(
      replyTo(makeCall, ({ body }) => {
        asked.push(body);
        return { callSid: "CA31", callId: 31, officeLine: null };
      }),
      replyTo(getCall, buildCall()),
    );
    await user.click(screen.getByRole("button", { name: callAnyway }));
    const dialog = within(await screen.findByRole("dialog", { name: "Call Inés Duarte anyway?" }));
    expect(dialog.getByText("This lead asked not to be called.")).toBeTruthy();
    const confirm = dialog.getByRole("button", { name: "Call" });
    expect(confirm.getAttribute("aria-disabled")).toBe("true");
    await user.type(dialog.getByRole("textbox", { name: "Reason" }), "  Asked for it by email ");
    await user.click(confirm);
    expect(await screen.findByText("Your phone is ringing")).toBeTruthy();
    expect(asked).toEqual([{ leadId: 7, to: "+17875550107", overrideReason: "Asked for it by email" }]);
  });

  it("is not offered an override if no reason helps", async () => {
    await openPage(buildLead({ callRefusal: "lead_on_call", callOverride: false }), admin);
    expect(screen.queryByRole("button", { name: callAnyway })).toBeNull();
  });

  it("can cancel, which returns the focus", async () => {
    const { user } = await openPage(buildLead({ callRefusal: "outside_hours", callOverride: true }), admin);
    await user.click(screen.getByRole("button", { name: callAnyway }));
    await screen.findByRole("dialog");
    await user.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(document.activeElement).toBe(screen.getByRole("button", { name: callAnyway }));
  });
});

describe("the bar of a live call", () => {
  const live = buildCall({ state: "in_progress", answeredBy: "person", now: "2026-11-20T10:01:05.000Z" });

  it.each(["/settings", "/reports", "/nowhere"])(
    "is shown on %s with its time, and reopens the call",
    async (path) => {
      server.use(replyTo(getLiveCall, { call: live }), replyTo(getCall, live), replyTo(getLead, buildLead()));
      const { user } = renderPortal(path);
      const bar = within(await screen.findByRole("region", { name: "Live call with Inés Duarte" }));
      expect(bar.getByRole("timer", { name: "Call timer" }).textContent).toMatch(/^1:0\d$/);
      await user.click(bar.getByRole("button", { name: "Return to call" }));
      expect(await screen.findByRole("dialog", { name: "Call Inés Duarte" })).toBeTruthy();
    },
  );

  it("survives a navigation from the page where the call was started", async () => {
    const { user } = await openPage();
    server.use(
      replyTo(makeCall, { callSid: "CA31", callId: 31, officeLine: null }),
      // Before the route of one call, whose path would match too.
      replyTo(getLiveCall, { call: live }),
      replyTo(getCall, live),
    );
    await user.click(screen.getByRole("button", { name: callNow }));
    await screen.findByText("In progress");
    dismissToast();
    await user.keyboard("{Escape}");
    await screen.findByRole("region", { name: "Live call with Inés Duarte" });
    await user.click(screen.getByRole("link", { name: "Reports" }));
    expect(await screen.findByRole("heading", { level: 1, name: /Reports/ })).toBeTruthy();
    expect(screen.getByRole("region", { name: "Live call with Inés Duarte" })).toBeTruthy();
  });
});
