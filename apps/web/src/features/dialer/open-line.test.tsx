import type { Line } from "@portal/contract/entities/line";
import { leaveMessage } from "@portal/contract/routes/calls";
import { getDialer } from "@portal/contract/routes/dialer";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import {
  buildDialer,
  buildWrapUp,
  inSeconds,
  openDialerSession,
  serveDialer,
} from "../../testing/dialer-builders.ts";
import { buildCall } from "../../testing/lead-builders.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { replyTo, server } from "../../testing/server.ts";

const buildLine = (overrides: Partial<Line> = {}): Line => ({
  id: 4,
  state: "open",
  officeLine: null,
  startedAt: inSeconds(-80),
  connectedAt: inSeconds(-65),
  endedAt: null,
  endReason: null,
  failure: null,
  ...overrides,
});
const onLine = (line: Partial<Line>, overrides: Parameters<typeof buildDialer>[0] = {}) =>
  buildDialer({ lineMode: "open_line", line: buildLine(line), ...overrides });

describe("a session on an open line", () => {
  it("is chosen at Start with the announcement before each lead, and remembers the last choice", async () => {
    const dialer = serveDialer(null);
    server.use(
      replyTo(getDialer, () => ({
        session: null,
        lastStart: { lineMode: "open_line" as const, brief: "full" as const, leaveMessage: false },
      })),
    );
    const { user } = renderPortal("/auto-dialer");
    const brief = await screen.findByRole("combobox", { name: "Said before each lead" });
    expect(brief.textContent).toContain("Also what was asked for");
    const ways = within(screen.getByRole("group", { name: "How your phone is called" }));
    await user.click(ways.getByRole("radio", { name: /^Ring my phone for every lead/ }));
    expect(screen.queryByRole("combobox", { name: "Said before each lead" })).toBeNull();
    await user.click(ways.getByRole("radio", { name: /^Keep one line open/ }));
    dialer.becomes(onLine({ state: "requested" }));
    await user.click(screen.getByRole("button", { name: "Start" }));
    expect(dialer.asked[0]).toMatchObject({
      route: "start",
      body: { lineMode: "open_line", brief: "full" },
    });
  });

  it("shows the state of the user's phone, and calls nobody before 1 is pressed", async () => {
    const { panel, client, publish } = await openDialerSession(onLine({ state: "ringing" }));
    expect(panel.getByText("Your phone is ringing")).toBeTruthy();
    expect(panel.queryByRole("button", { name: "Call now" })).toBeNull();
    await publish(client, onLine({ state: "confirming" }, { version: 21 }));
    expect(await panel.findByText("Press 1 on your phone")).toBeTruthy();
    await publish(client, onLine({ state: "open" }, { version: 22 }));
    const line = within(await panel.findByRole("region", { name: "On your line" }));
    expect(line.getByRole("timer", { name: "Time on your line" }).textContent).toMatch(/^1:0\d$/);
  });

  it("changes the announcement while it runs, and explains the phone's keys", async () => {
    const { panel, user, asked } = await openDialerSession(onLine({}));
    await user.click(panel.getByText("Keys of your phone"));
    expect(panel.getByText("ends their part, and keeps your line")).toBeTruthy();
    await user.click(panel.getByRole("combobox", { name: "Said before each lead" }));
    await user.click(await screen.findByRole("option", { name: "Nothing" }));
    expect(asked).toContainEqual({ route: "delay", body: { brief: "off" } });
  });

  it("shows why its line ended, and rings the user again", async () => {
    const paused = { status: "paused" as const, pauseReason: "line_ended" as const };
    const ended = { state: "ended" as const, endReason: "idle" as const };
    const { panel, user, asked } = await openDialerSession(onLine(ended, paused));
    expect(panel.getByText("Your line has ended")).toBeTruthy();
    expect(panel.getByText("It ended by itself after ten minutes without work.")).toBeTruthy();
    await user.click(panel.getByRole("button", { name: "Ring me again" }));
    expect(asked).toContainEqual({ route: "command", body: { command: "resume", position: 6 } });
  });

  it("joins a lead to the line without ringing the user's phone", async () => {
    const call = buildCall({ onLine: true, state: "requested" });
    const { panel } = await openDialerSession(onLine({}, { phase: "calling", call }));
    expect(panel.getByText("Joining your line")).toBeTruthy();
  });

  it("shows callers who are waiting, also while closed, and takes them next with one press", async () => {
    const calledAt = inSeconds(-30);
    const callers = [
      { leadId: 8, name: "Kevin Soto", calledAt, state: "missed" as const, isNext: true },
      { leadId: 9, name: "Óscar Peña", calledAt, state: "at_voicemail" as const, isNext: false },
    ];
    const { panel, user, asked } = await openDialerSession(onLine({}, { callers }));
    const list = within(panel.getByRole("list", { name: "Called meanwhile" }));
    expect(list.getByText(/^Kevin Soto called you/)).toBeTruthy();
    expect(list.getByText("Comes next")).toBeTruthy();
    await user.click(list.getByRole("button", { name: "Take next: Óscar Peña" }));
    expect(asked).toContainEqual({ route: "next", body: { leadId: 9 } });

    // When the panel is closed, its bar has the last one.
    await user.click(screen.getAllByRole("link", { name: "Settings" })[0] as HTMLElement);
    const bar = within(await screen.findByRole("region", { name: /^Auto-Dialer: / }));
    expect(bar.queryByText(/^Kevin Soto/)).toBeNull();
    expect(bar.getByText(/^Óscar Peña is at your voicemail/)).toBeTruthy();
    await user.click(bar.getByRole("button", { name: "Take next: Óscar Peña" }));
    expect(asked.filter(({ route }) => route === "next")).toHaveLength(2);
  });

  it("leaves the recorded message from its closed bar", async () => {
    const call = buildCall({ onLine: true, state: "in_progress", answeredBy: "machine" });
    const message = { name: "Call me back", state: "ready" as const };
    const session = onLine({}, { phase: "calling", step: "talking", call: { ...call, message } });
    serveDialer(session);
    const left: unknown[] = [];
    server.use(
      replyTo(leaveMessage, ({ params }) => {
        left.push(params);
        return { ...call, message: { ...message, state: "leaving" as const } };
      }),
    );
    const { user } = renderPortal("/settings");
    const bar = within(await screen.findByRole("region", { name: /^Auto-Dialer: / }));
    await user.click(bar.getByRole("button", { name: "Leave message" }));
    expect(left).toEqual([{ id: String(call.id) }]);
  });

  it("keeps the notes of a call whose outcome was set by a key of the phone, and saves them with it", async () => {
    const line = buildLine();
    const wrapUp = buildWrapUp({ lineMode: "open_line", line });
    const { panel, user, asked, client, publish, becomes } = await openDialerSession(wrapUp);
    const notes = panel.getByRole("textbox", { name: "Notes about this call" });
    await user.type(notes, "Wants an offer");
    const next = onLine({}, { position: 7, phase: "countdown", dueAt: inSeconds(60), version: 21 });
    await publish(client, next);
    expect(await panel.findByText("Notes about Inés Duarte, not saved yet")).toBeTruthy();
    expect(document.activeElement).toBe(notes);
    becomes({ ...next, outcomeKept: "busy", version: 22 });
    await user.click(panel.getByRole("button", { name: "Save notes" }));
    expect(await screen.findByText("Notes saved")).toBeTruthy();
    expect(panel.queryByText(/not saved yet$/)).toBeNull();
    expect(asked).toContainEqual({
      route: "wrap-up",
      body: { callId: 31, outcome: "busy", notes: "Wants an offer", seen: null },
    });
  });
});
