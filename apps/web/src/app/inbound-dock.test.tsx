import type { InboundCall } from "@portal/contract/entities/call";
import { createCallLog, endInboundCall, getLiveCall } from "@portal/contract/routes/calls";
import { createLead, findKnownLeads, getLead, updateLead } from "@portal/contract/routes/leads";
import type { QueryClient } from "@tanstack/react-query";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { buildCallLog, buildInboundCall, buildLead } from "../testing/lead-builders.ts";
import { serveLeadsPage } from "../testing/leads-server.ts";
import { renderPortal } from "../testing/render-portal.tsx";
import { refuse, replyTo, server } from "../testing/server.ts";

// Loaded on first use; on a busy machine that takes time.
beforeAll(
  () => Promise.all([import("./inbound-call-bar.tsx"), import("../features/new-lead/new-lead-dialog.tsx")]),
  60_000,
);

const title = "Incoming call from Inés Duarte";
const rings = buildInboundCall();
const talks = buildInboundCall({
  state: "talking",
  answeredAt: "2026-11-20T10:00:12.000Z",
  now: "2026-11-20T10:01:06.000Z",
});
const live = (...inboundCalls: InboundCall[]) => replyTo(getLiveCall, { call: null, inboundCalls });

/** Sets the server's next responses and reloads them on the page. */
async function publishCalls(client: QueryClient, ...calls: InboundCall[]): Promise<void> {
  server.use(live(...calls));
  await client.invalidateQueries({ queryKey: [getLiveCall.path] });
}

/** Renders the leads page during an inbound call, and opens the dock by its bar. */
async function openDock(call: InboundCall, name = "Inés Duarte") {
  const lead = buildLead({
    status: "contacted",
    notes: "Prefers mornings",
    attempts: 0,
    lastAttemptAt: null,
  });
  serveLeadsPage({ leads: [lead] });
  const sent: unknown[] = [];
  server.use(
    live(call),
    replyTo(createCallLog, ({ body }) => {
      sent.push(body);
      return buildCallLog({ confirmed: true });
    }),
    replyTo(updateLead, ({ body }) => {
      sent.push(body);
      return lead;
    }),
  );
  const rendered = renderPortal("/");
  const bar = await screen.findByRole("region", { name: `Incoming call from ${name}` });
  // It arrives as a bar and does not take the focus.
  expect(screen.queryByRole("dialog")).toBeNull();
  await rendered.user.click(within(bar).getByRole("button", { name: "Open" }));
  const dialog = await screen.findByRole("dialog", { name: `Incoming call from ${name}` });
  return { ...rendered, lead, sent, dialog, dock: within(dialog) };
}

const timed = /^\w{3} 3:00 PM$/;

describe("the dock of an inbound call from a lead", () => {
  it("shows talk time, last note and last call, and saves outcome, notes and follow-up with one press", async () => {
    const { user, dock, sent, client } = await openDock(rings);
    expect(await dock.findByText("Prefers mornings")).toBeTruthy();
    expect(dock.getByText("Never called")).toBeTruthy();
    expect(dock.getByText("Is calling: answer your phone and press 1")).toBeTruthy();
    // While the phone asks for a 1, digits are for the phone.
    await user.keyboard("4");
    expect(dock.getByRole("button", { name: /^Busy/ }).getAttribute("aria-pressed")).toBe("false");
    await publishCalls(client, talks);
    expect((await dock.findByRole("timer")).textContent).toMatch(/^\d+:\d\d$/);
    await user.keyboard("1");
    expect(dock.getByRole("button", { name: /^Answered/ }).getAttribute("aria-pressed")).toBe("true");
    await user.type(dock.getByRole("textbox", { name: "Notes" }), "Wants the offer");
    await user.click(dock.getByRole("button", { name: timed }));
    await user.type(dock.getByRole("textbox", { name: "Notes" }), "{Control>}{Enter}{/Control}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent).toMatchObject([
      { leadId: 7, outcome: "answered", notes: "Wants the offer", twilioCallSid: "CA4" },
      { nextFollowUpTime: "15:00" },
    ]);
    expect(await screen.findByText("Call Log Saved")).toBeTruthy();
  });

  it("lets the user who answered end the call for both sides", async () => {
    const { user, dock, client } = await openDock(rings);
    await dock.findByText("Prefers mornings");
    expect(dock.queryByRole("button", { name: "End Call" })).toBeNull();
    await publishCalls(client, { ...talks, mayEnd: true });
    const ended: string[] = [];
    server.use(
      replyTo(endInboundCall, ({ params }) => {
        ended.push(String(params.id));
        server.use(live());
        return { ended: true as const };
      }),
    );
    await user.click(await dock.findByRole("button", { name: "End Call" }));
    expect(await dock.findByText("Call ended")).toBeTruthy();
    expect(ended).toEqual(["4"]);
    expect(dock.queryByRole("button", { name: "End Call" })).toBeNull();
  });

  it("shows the colleague the user stands in for, saves outcome and notes, and offers no follow-up", async () => {
    const { user, dock, sent, client } = await openDock({ ...rings, standsInFor: "Ana Rivera" });
    expect(await dock.findByText("Prefers mornings")).toBeTruthy();
    expect(dock.getByText("Calls for Ana Rivera: answer your phone and press 1")).toBeTruthy();
    await publishCalls(client, { ...talks, standsInFor: "Ana Rivera" });
    expect(await dock.findByText("Incoming call for Ana Rivera")).toBeTruthy();
    for (const name of [timed, "Send text", "Book meeting"])
      expect(dock.queryByRole("button", { name })).toBeNull();
    await user.keyboard("1");
    await user.click(dock.getByRole("button", { name: "Save Call Log" }));
    await waitFor(() => expect(sent).toMatchObject([{ outcome: "answered", twilioCallSid: "CA4" }]));
  });

  it("stays open after the call ends, suggests the provider's outcome, and asks once before discarding notes", async () => {
    const { user, dock, sent, client } = await openDock(talks);
    await dock.findByText("Prefers mornings");
    await publishCalls(client);
    expect(await dock.findByText("Call ended")).toBeTruthy();
    expect(dock.getByRole("button", { name: /^Answered Suggested/ })).toBeTruthy();
    expect(dock.getByText(/waits under Needs outcome/)).toBeTruthy();
    await user.type(dock.getByRole("textbox", { name: "Notes" }), "Wants the offer");
    await user.click(dock.getByRole("button", { name: "Close" }));
    expect(dock.getByText(/Save the call log to keep your notes/)).toBeTruthy();
    await user.click(dock.getByRole("button", { name: "Save Call Log" }));
    await waitFor(() =>
      expect(sent).toMatchObject([{ duration: 0, outcome: "answered", notes: "Wants the offer" }]),
    );
  });

  it("minimizes to a bar without losing notes, and saves the planned follow-up on close", async () => {
    const { user, dock, sent } = await openDock(talks);
    await user.type(await dock.findByRole("textbox", { name: "Notes" }), "Wants");
    await user.click(dock.getByRole("button", { name: timed }));
    await user.click(dock.getByRole("button", { name: "Minimize" }));
    const bar = within(await screen.findByRole("region", { name: title }));
    expect(bar.getByRole("timer")).toBeTruthy();
    await user.click(bar.getByRole("button", { name: "Open" }));
    const again = within(await screen.findByRole("dialog", { name: title }));
    const notes = again.getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" });
    expect(notes.value).toBe("Wants");
    await user.clear(notes);
    await user.click(again.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(sent).toMatchObject([{ nextFollowUpTime: "15:00" }]));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("saves the chosen outcome before opening the next call, and stays open if saving fails", async () => {
    const { user, dock, sent, client } = await openDock(talks);
    await dock.findByText("Prefers mornings");
    await user.click(dock.getByRole("button", { name: /^Answered/ }));
    const next = buildInboundCall({ id: 5, leadName: "Ana Ruiz", callSid: "CA5", line: "office" });
    server.use(refuse(createCallLog, "not_your_lead", "This lead is assigned to another consultant."));
    await publishCalls(client, talks, next);
    const bar = within(await screen.findByRole("region", { name: "Incoming call from Ana Ruiz" }));
    expect(bar.getByText("Rings the office line")).toBeTruthy();
    await user.click(bar.getByRole("button", { name: "Open" }));
    expect(await screen.findByText("Save Failed")).toBeTruthy();
    expect(await dock.findByRole("button", { name: "Close without saving" })).toBeTruthy();
    server.use(
      replyTo(createCallLog, ({ body }) => {
        sent.push(body);
        return buildCallLog({ confirmed: true });
      }),
    );
    await user.click(dock.getByRole("button", { name: "Save Call Log" }));
    await waitFor(() => expect(sent).toMatchObject([{ outcome: "answered", twilioCallSid: "CA4" }]));
    await user.click(await screen.findByRole("button", { name: "Open" }));
    expect(await screen.findByRole("dialog", { name: /^Incoming call from/ })).toBeTruthy();
  });

  it("opens the next call after the save if that was pressed while it was pending", async () => {
    const { user, dock, client } = await openDock(talks);
    await user.click(await dock.findByRole("button", { name: /^Answered/ }));
    await publishCalls(client, talks, buildInboundCall({ id: 5, leadName: "Ana Ruiz", callSid: "CA5" }));
    const saved = Promise.withResolvers<void>();
    server.use(
      replyTo(createCallLog, async () => {
        await saved.promise;
        return buildCallLog({ confirmed: true });
      }),
    );
    await user.click(dock.getByRole("button", { name: "Save Call Log" }));
    const bar = within(await screen.findByRole("region", { name: "Incoming call from Ana Ruiz" }));
    await user.click(bar.getByRole("button", { name: "Open" }));
    saved.resolve();
    expect(await screen.findByRole("dialog", { name: "Incoming call from Ana Ruiz" })).toBeTruthy();
  });
});

describe("the dock of an inbound call from an unknown number", () => {
  const stranger = buildInboundCall({
    leadId: null,
    leadName: "",
    callerNumber: "+13125550186",
    line: "office",
    state: "talking",
    answeredAt: "2026-11-20T10:00:12.000Z",
  });

  it("creates a lead with the number prefilled and saves the call's outcome for it", async () => {
    const { user, dock, sent, client } = await openDock(stranger, "(312) 555-0186");
    expect(dock.getByText("On the office line")).toBeTruthy();
    const made = buildLead({ id: 9, name: "Olga Paz", status: "new" });
    server.use(replyTo(findKnownLeads, []), replyTo(createLead, made), replyTo(getLead, made));
    await user.click(dock.getByRole("button", { name: /^New lead with/ }));
    const form = within(await screen.findByRole("dialog", { name: "New Lead" }));
    expect(form.getByRole<HTMLInputElement>("textbox", { name: "Phone" }).value).toContain("3125550186");
    await user.click(form.getByRole("button", { name: "Add Lead" }));
    const of = within(await screen.findByRole("dialog", { name: "Incoming call from Olga Paz" }));
    await user.click(await of.findByRole("button", { name: /^Answered/ }));
    // An older response does not contain the lead yet.
    await publishCalls(client, { ...stranger, now: "2026-11-20T10:01:09.000Z" });
    expect(of.getByRole("button", { name: /^Answered/ }).getAttribute("aria-pressed")).toBe("true");
    await user.click(of.getByRole("button", { name: "Save Call Log" }));
    await waitFor(() =>
      expect(sent).toMatchObject([{ leadId: 9, outcome: "answered", twilioCallSid: "CA4" }]),
    );
  });

  it("can be hidden, and offers no new lead for a withheld number", async () => {
    const { user, dock, client } = await openDock({ ...stranger, callerNumber: null }, "Withheld number");
    expect(dock.getByText(/hides their number/)).toBeTruthy();
    expect(dock.queryByRole("button", { name: /^New lead with/ })).toBeNull();
    await publishCalls(client);
    expect(await dock.findByText("Call ended, or with a colleague")).toBeTruthy();
    await user.click(dock.getByRole("button", { name: "Done" }));
    await publishCalls(client, stranger);
    const bar = await screen.findByRole("region", { name: "Incoming call from (312) 555-0186" });
    await user.click(within(bar).getByRole("button", { name: "Hide" }));
    expect(screen.queryByRole("region", { name: /^Incoming call/ })).toBeNull();
  });
});
