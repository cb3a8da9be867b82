import { type DiagnosticReport, integrations } from "@portal/contract/entities/diagnostics";
import type { RouteResponse } from "@portal/contract/route";
import {
  getGoLive,
  goLiveSteps,
  markGoLiveStep,
  startTestCall,
  type TestCall,
} from "@portal/contract/routes/go-live";
import { checkIntegration } from "@portal/contract/routes/integrations";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { buildUser } from "../../testing/builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { errorReply, refuse, replyTo, server } from "../../testing/server.ts";

type GoLive = RouteResponse<typeof getGoLive>;

const now = () => new Date().toISOString();
const boss = buildUser({ role: "admin" });

const call = (fields: Partial<TestCall>): TestCall => ({
  id: 1,
  state: "calling",
  isLive: true,
  askedAt: now(),
  askedBy: "Eva",
  reachedAt: null,
  failure: null,
  isOpen: fields.state !== "passed",
  ...fields,
});

const looks: string[] = [];

/** Every integration has one check. Twilio's fails with a finding that this version of the page does not know. */
function serve(fields: Partial<GoLive> = {}): GoLive {
  const state: GoLive = {
    steps: goLiveSteps.map((step) => ({ step, done: null, isOpen: true })),
    testCall: null,
    ownPhone: "(305) 555-0101",
    canCall: true,
    countries: [
      { country: "US", leads: 1200 },
      { country: "PR", leads: 3 },
    ],
    backup: { last: null, failedAt: null, everyHours: null, isOpen: true },
    ...fields,
  };
  server.use(
    replyTo(getGoLive, () => state),
    replyTo(checkIntegration, ({ params }): DiagnosticReport => {
      const integration = integrations.find((known) => known === params.integration) ?? "email";
      looks.push(integration);
      const isAmiss = integration === "twilio";
      return {
        integration,
        status: isAmiss ? "fail" : "ok",
        checkedAt: now(),
        checks: [
          {
            name: isAmiss ? "numberWebhooks" : "queue",
            status: isAmiss ? "fail" : "ok",
            finding: isAmiss ? "number_unknown" : "nothing_waits",
            values: {},
            at: null,
            detail: null,
          },
        ],
      };
    }),
  );
  return state;
}

it("shows the diagnostics' findings with reason and link, the manual steps, and the number of open points", async () => {
  const state = serve();
  const old = new Date(Date.now() - 100 * 86_400_000).toISOString();
  state.steps = state.steps.map((each) =>
    each.step === "caller_name"
      ? { ...each, done: { at: now(), by: "Eva" }, isOpen: false }
      : each.step === "stir_shaken"
        ? { ...each, done: { at: old, by: "Max" }, isOpen: true }
        : each,
  );
  renderPortal("/go-live", boss);
  const twilio = within(await screen.findByRole("region", { name: "Twilio" }));
  expect(await twilio.findByText("The account does not have the system number.")).toBeTruthy();
  expect(twilio.getByText(/reaches the team only where it leads here/)).toBeTruthy();
  expect(
    twilio.getByRole("link", { name: /Where: Twilio Console › Phone Numbers/ }).getAttribute("href"),
  ).toContain("/phone-numbers/manage/incoming");
  expect(
    await twilio.findByText("Your leads' numbers: United States (1,200) and Puerto Rico (3)."),
  ).toBeTruthy();
  expect(twilio.getByText(/^Done on .* by Eva\.$/)).toBeTruthy();
  expect(twilio.getByText(/by Max, more than 90 days ago/)).toBeTruthy();
  // The check, five steps, the test call and the backup.
  expect(await screen.findByText("8 points are still open.")).toBeTruthy();
  expect(screen.getByText("The portal has made none yet.")).toBeTruthy();
  expect(screen.getByRole("link", { name: /Operations guide/ }).getAttribute("href")).toContain("operations");
});

it("does not recheck integrations when the user returns from the diagnostics, until asked to", async () => {
  serve();
  looks.length = 0;
  const { user } = renderPortal("/go-live", boss);
  expect(await screen.findByText("9 points are still open.")).toBeTruthy();
  await user.click(screen.getByRole("link", { name: "Diagnostics" }));
  expect(await screen.findByText("The account does not have the system number.")).toBeTruthy();
  await user.click(screen.getByRole("link", { name: "Go-live checklist" }));
  expect(await screen.findByText("9 points are still open.")).toBeTruthy();
  expect(looks).toHaveLength(integrations.length);
  await user.click(screen.getByRole("button", { name: "Check all again" }));
  await waitFor(() => expect(looks).toHaveLength(2 * integrations.length));
});

it("marks a step, and reports a step that could not be saved", async () => {
  const state = serve();
  server.use(
    replyTo(markGoLiveStep, ({ params }) => {
      const marked = { step: goLiveSteps[0], done: { at: now(), by: boss.name }, isOpen: false };
      if (params.step !== marked.step) return errorReply("unavailable", "Not now.");
      state.steps = state.steps.map((each) => (each.step === marked.step ? marked : each));
      return marked;
    }),
  );
  const { user } = renderPortal("/go-live", boss);
  const name = "Calls and texts to your leads' countries";
  await user.click(await screen.findByRole("button", { name: `Mark as done: ${name}` }));
  expect(await screen.findByRole("button", { name: `Take back: ${name}` })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Mark as done: Caller name (CNAM)" }));
  expect(await screen.findByText("That could not be saved")).toBeTruthy();
});

it("rings the user's own phone with one press, shows the progress, and is disabled during it", async () => {
  const state = serve();
  let presses = 0;
  server.use(
    replyTo(startTestCall, () => {
      presses += 1;
      state.testCall = call({ state: "ringing", reachedAt: now() });
      return state.testCall;
    }),
  );
  const { user, client } = renderPortal("/go-live", boss);
  const button = await screen.findByRole("button", { name: "Ring my phone (305) 555-0101" });
  await user.dblClick(button);
  expect(await screen.findByText(/The phone is ringing/)).toBeTruthy();
  expect(button.getAttribute("aria-disabled")).toBe("true");
  expect(presses).toBe(1);
  state.testCall = call({ state: "not_reached", isLive: false });
  await client.invalidateQueries({ queryKey: [getGoLive.path] });
  expect(await screen.findByText("Twilio never got through to the portal.")).toBeTruthy();
  expect(screen.getByText(/See that PUBLIC_URL/)).toBeTruthy();
  expect(button.getAttribute("aria-disabled")).not.toBe("true");
});

it("shows in the user's language why the test call failed, and that an earlier success no longer counts", async () => {
  setLanguage("es");
  const state = serve();
  state.testCall = call({ state: "refused", isLive: false, failure: { kind: "invalid", code: 21_215 } });
  const { client } = renderPortal("/go-live", buildUser({ role: "admin", language: "es" }));
  expect(
    await screen.findByText(
      "Twilio no hizo la llamada: las llamadas al país del teléfono no están activadas (error 21215).",
    ),
  ).toBeTruthy();
  const shows = async (fields: Partial<TestCall>) => {
    state.testCall = call({ isLive: false, ...fields });
    await client.invalidateQueries({ queryKey: [getGoLive.path] });
  };
  await shows({ state: "refused", failure: { kind: "invalid", code: 99_999 } });
  expect(await screen.findByText(/: rechazó la llamada \(error 99999\)\.$/)).toBeTruthy();
  await shows({ state: "refused", failure: { kind: "unavailable", code: null } });
  expect(await screen.findByText(/: no se pudo llegar a él\.$/)).toBeTruthy();
  // The check, six steps, the test call and the backup; the passed call no longer counts.
  await shows({ state: "passed", isOpen: true });
  expect(await screen.findByText(/vale 90 días/)).toBeTruthy();
  expect(screen.getByText("Quedan 9 puntos por resolver.")).toBeTruthy();
  await shows({ state: "passed" });
  expect(await screen.findByText("Quedan 8 puntos por resolver.")).toBeTruthy();
  expect(screen.queryByText(/vale 90 días/)).toBeNull();
});

it("reports incomplete checks, links to Settings without a phone number, and redirects consultants", async () => {
  serve({ ownPhone: null });
  server.use(refuse(checkIntegration, "rate_limited", "Too many checks."));
  const { unmount } = renderPortal("/go-live", boss);
  expect(await screen.findByText(/Not everything could be looked at/)).toBeTruthy();
  expect(await screen.findByRole("link", { name: "Open Settings" })).toBeTruthy();
  unmount();
  serveLeadsPage({ leads: [] });
  renderPortal("/go-live");
  await waitFor(() => expect(window.location.pathname).toBe("/"));
});
