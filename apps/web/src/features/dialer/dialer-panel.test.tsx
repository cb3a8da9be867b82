import { endCall, getLiveCall } from "@portal/contract/routes/calls";
import { previewDialer, startDialer } from "@portal/contract/routes/dialer";
import { listVoicemailMessages } from "@portal/contract/routes/voicemail-messages";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { buildUser } from "../../testing/builders.ts";
import {
  buildDialer,
  buildPreview,
  buildWrapUp,
  inSeconds,
  openDialerSession,
  serveDialer,
} from "../../testing/dialer-builders.ts";
import { buildCall, buildLead } from "../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderApp } from "../../testing/render.tsx";
import { renderPortal } from "../../testing/render-portal.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";
import SelectionBar from "../leads/components/selection-bar.tsx";
import DialerSetup from "./components/dialer-setup.tsx";
import { closeDialer } from "./dialer-store.ts";

describe("the dialer before a session", () => {
  it("shows a preview, opens each group, and starts with the chosen options", async () => {
    const dialer = serveDialer(null);
    const { user } = renderPortal("/auto-dialer");
    expect(await screen.findByText("42 leads:")).toBeTruthy();
    expect(screen.getByText("Inactivo")).toBeTruthy();
    expect(screen.getByRole("button", { name: "31 now" })).toBeTruthy();
    expect(screen.getByRole("button", { name: /^6 later \(from .*4:00 PM Pacific Time\)$/ })).toBeTruthy();
    expect(screen.getByRole("button", { name: "2 without a phone" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "3 opted out" }));
    const group = within(screen.getByRole("region", { name: "Leads: 3 opted out" }));
    expect(group.getByText("Óscar Peña")).toBeTruthy();
    expect(group.getByText("and 2 more")).toBeTruthy();

    await user.click(screen.getByRole("combobox", { name: "Lead filter" }));
    await user.click(await screen.findByRole("option", { name: "Qualified" }));
    await user.click(screen.getByRole("combobox", { name: "Delay between calls" }));
    await user.click(await screen.findByRole("option", { name: "30 seconds" }));
    dialer.becomes(buildDialer({ phase: "checking", position: 0 }));
    await user.click(screen.getByRole("button", { name: "Start" }));
    expect(await screen.findByText("Checking Inés Duarte")).toBeTruthy();
    expect(dialer.asked[0]).toEqual({
      route: "start",
      body: {
        source: { kind: "filter", status: "qualified" },
        order: "createdAt",
        includeTried: false,
        delaySeconds: 30,
        lineMode: "each_call",
        brief: "short",
      },
    });
  });

  it("shows the first lead and its last attempt, and includes leads tried within the hour on request", async () => {
    const tried = { attempts: 2, lastAttemptOutcome: "busy" as const, lastAttemptAt: inSeconds(-12 * 60) };
    const lead = (leadId: number, name: string) => ({
      leadId,
      name,
      company: null,
      allowedAt: null,
      ...tried,
    });
    const dialer = serveDialer(null);
    server.use(
      replyTo(previewDialer, ({ body }) =>
        (body as { includeTried: boolean }).includeTried
          ? buildPreview({
              total: 2,
              now: 2,
              nowLeads: [lead(1, "Rita Vega"), lead(2, "Ana Ruiz")],
              groups: [],
            })
          : buildPreview({
              total: 2,
              now: 1,
              nowLeads: [lead(1, "Rita Vega")],
              groups: [
                {
                  reason: "retry_waiting",
                  count: 1,
                  allowedAt: null,
                  timeZone: null,
                  leads: [lead(2, "Ana Ruiz")],
                },
              ],
            }),
      ),
    );
    setLanguage("es");
    const { user } = renderPortal("/auto-dialer", buildUser({ language: "es" }));
    expect(await screen.findByText("Primera llamada: Rita Vega")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "1 con un intento más tarde" }));
    const group = within(screen.getByRole("region", { name: /con un intento/ }));
    expect(group.getByText("Ana Ruiz")).toBeTruthy();
    expect(group.getByText("Ocupado · hace 12 minutos · 2.º intento")).toBeTruthy();
    await user.click(screen.getByRole("checkbox", { name: /cuyo próximo intento es más tarde/ }));
    expect(await screen.findByRole("button", { name: "2 ahora" })).toBeTruthy();
    dialer.becomes(buildDialer({ phase: "checking", position: 0 }));
    await user.click(screen.getByRole("button", { name: "Iniciar" }));
    await waitFor(() => expect(dialer.asked[0]?.body).toMatchObject({ includeTried: true }));
  });

  it("leaves a recorded message by itself when that is enabled and chosen", async () => {
    const dialer = serveDialer(null);
    const message = {
      id: 1,
      name: "Hi",
      language: "en",
      format: "wav",
      seconds: 9,
      isDefault: true,
    } as const;
    const createdAt = "2026-11-20T10:00:00.000Z";
    server.use(
      replyTo(listVoicemailMessages, { isOn: true, messages: [{ ...message, createdAt }], recording: null }),
    );
    const { user } = renderPortal("/auto-dialer");
    const box = await screen.findByRole("checkbox", { name: "Leave my message at voicemails" });
    expect((box as HTMLInputElement).checked).toBe(false);
    await user.click(box);
    dialer.becomes(buildDialer({ phase: "checking", position: 0 }));
    await user.click(screen.getByRole("button", { name: "Start" }));
    await waitFor(() => expect(dialer.asked[0]?.body).toMatchObject({ leaveMessage: true }));
  });

  it("reports that nobody can be called", async () => {
    serveDialer(null);
    server.use(refuse(startDialer, "no_leads", "No hay leads disponibles para llamar"));
    const { user } = renderPortal("/auto-dialer");
    await user.click(await screen.findByRole("button", { name: "Start" }));
    expect(await screen.findByText("Sin leads")).toBeTruthy();
    expect(screen.getByText("No hay leads disponibles para llamar")).toBeTruthy();
  });

  it("calls the selected cards in the order of the cards", async () => {
    const dialer = serveDialer(null);
    const leads = [buildLead(), buildLead({ id: 8, name: "Óscar Peña" })];
    const bar = renderApp(
      <SelectionBar selection={new Set([8, 7])} leads={leads} onChange={() => undefined} />,
    );
    await bar.user.click(screen.getByRole("button", { name: "Call selected" }));
    bar.unmount();
    const { user } = renderApp(<DialerSetup />);
    expect(screen.getByRole<HTMLInputElement>("radio", { name: /Selected leads/ }).checked).toBe(true);
    expect(screen.queryByRole("combobox", { name: "Lead filter" })).toBeNull();
    dialer.becomes(buildDialer({ phase: "checking" }));
    await user.click(screen.getByRole("button", { name: "Start" }));
    await waitFor(() =>
      expect(dialer.asked[0]?.body).toMatchObject({ source: { kind: "selection", leadIds: [7, 8] } }),
    );
    closeDialer();
  });
});

describe("a running session", () => {
  it.each([
    [buildDialer({ phase: "checking" }), "Checking Inés Duarte"],
    [buildDialer({ phase: "calling", call: buildCall() }), "Your phone is ringing"],
    [buildDialer({ phase: "calling", call: buildCall({ state: "confirming" }) }), "Press 1 on your phone"],
    [
      buildDialer({ phase: "calling", step: "ringing_lead", call: buildCall({ state: "ringing_lead" }) }),
      "Inés Duarte's phone is ringing",
    ],
    [
      buildDialer({
        phase: "calling",
        step: "talking",
        call: buildCall({ state: "in_progress", answeredAt: inSeconds(-65), answeredBy: "person" }),
      }),
      "You are talking with Inés Duarte.",
    ],
    [buildDialer({ phase: "calling", call: buildCall({ state: "ended" }) }), "The call has ended"],
    [buildDialer({ phase: "countdown", dueAt: inSeconds(9) }), "Next: Inés Duarte"],
    [buildDialer(), "The countdown is held. Call when you are ready."],
    [buildDialer({ autoDial: false }), "Automatic dialing is off in Settings. Call when you are ready."],
    [
      buildDialer({
        phase: "calling",
        call: buildCall({ state: "requested", dialsAt: inSeconds(20) }),
      }),
      /^Calling in \d+ seconds$/,
    ],
  ])("shows its current step %#", async (session, words) => {
    const { panel } = await openDialerSession(session);
    expect(panel.getByText("Activo")).toBeTruthy();
    expect(panel.getByText("Lead 7 of 42")).toBeTruthy();
    expect(await panel.findByText(words)).toBeTruthy();
  });

  it("counts down by the server's clock, and calls or holds on a command for this lead", async () => {
    // The server's clock is an hour ahead of this browser's.
    const { panel, user, asked } = await openDialerSession(
      buildDialer({ phase: "countdown", now: inSeconds(3600), dueAt: inSeconds(3630), delaySeconds: 30 }),
    );
    expect(panel.getByRole("timer", { name: "Seconds until the next call" }).textContent).toMatch(
      /^(30|2\d)$/,
    );
    await user.click(panel.getByRole("button", { name: "Hold" }));
    await user.click(panel.getByRole("button", { name: "Call now" }));
    expect(asked.map(({ body }) => body)).toEqual([
      { command: "hold", position: 6 },
      { command: "call_now", position: 6 },
    ]);
  });

  it("shows the talk time by the server's clock, and a field for notes", async () => {
    const { panel } = await openDialerSession(
      buildDialer({
        phase: "calling",
        step: "talking",
        now: inSeconds(3600),
        call: buildCall({ state: "in_progress", answeredAt: inSeconds(3535), answeredBy: "person" }),
      }),
    );
    expect(panel.getByRole("timer", { name: "Talk time" }).textContent).toMatch(/^1:\d\d$/);
    expect(panel.getByRole("textbox", { name: "Notes about this call" })).toBeTruthy();
  });

  it.each([
    ["left", "The page was closed or reloaded. Nobody is called until you resume."],
    ["rep_not_answering", "You missed your phone twice. Have it ready, then resume."],
    ["rep_without_phone", "There is no phone to ring you on. Set your number in Settings, then resume."],
  ] as const)("shows what to do when paused for %s, and offers to resume", async (pauseReason, words) => {
    const { panel, user, asked } = await openDialerSession(buildDialer({ status: "paused", pauseReason }));
    expect(panel.getByText("Pausado")).toBeTruthy();
    expect(panel.getByText(words)).toBeTruthy();
    expect(panel.queryByRole("button", { name: "Pause" })).toBeNull();
    expect(asked).toEqual([]);
    await user.click(panel.getByRole("button", { name: "Resume at lead 7 of 42" }));
    await waitFor(() => expect(asked[0]?.body).toEqual({ command: "resume", position: 6 }));
  });

  it("ignores an older response", async () => {
    const { panel, client, publish } = await openDialerSession(buildDialer({ position: 8, version: 30 }));
    expect(panel.getByText("Lead 9 of 42")).toBeTruthy();
    await publish(client, buildDialer({ position: 7, version: 29 }));
    expect(panel.getByText("Lead 9 of 42")).toBeTruthy();
    await publish(client, buildDialer({ position: 9, version: 31 }));
    expect(await panel.findByText("Lead 10 of 42")).toBeTruthy();
  });

  it("reports a lead that could not be called, and continues", async () => {
    const { client, publish } = await openDialerSession(buildDialer());
    await publish(
      client,
      buildDialer({
        position: 7,
        version: 21,
        lastFailure: { position: 6, leadName: "Inés Duarte", message: null, at: "2026-11-20T10:00:08.000Z" },
      }),
    );
    expect(await screen.findByText("Error en llamada")).toBeTruthy();
    expect(screen.getByText("No se pudo llamar a Inés Duarte")).toBeTruthy();
  });

  it("shows who was skipped before the next lead, and that lead's last attempt", async () => {
    const lead = {
      company: null,
      allowedAt: null,
      attempts: 0,
      lastAttemptAt: null,
      lastAttemptOutcome: null,
    };
    const { panel, user } = await openDialerSession(
      buildDialer({
        phase: "countdown",
        dueAt: inSeconds(20),
        lead: buildLead({ attempts: 3, lastAttemptAt: inSeconds(-7_300), lastAttemptOutcome: null }),
        passedOver: [{ reason: "opted_out", count: 1, leads: [{ leadId: 9, name: "Óscar Peña", ...lead }] }],
      }),
    );
    expect(panel.getByText("Called · 2 hours ago · 3rd try")).toBeTruthy();
    await user.click(panel.getByRole("button", { name: "1 opted out" }));
    expect(panel.getByText("Óscar Peña")).toBeTruthy();
  });

  it("shows why the same lead is tried again", async () => {
    const { panel } = await openDialerSession(
      buildDialer({ phase: "countdown", again: true, dueAt: inSeconds(5) }),
    );
    expect(await panel.findByText("Your phone was not answered, so this lead is tried again.")).toBeTruthy();
  });

  it("is put on hold while the user types anywhere in the portal", async () => {
    const { asked, user, client, publish } = await openDialerSession(buildWrapUp());
    await publish(client, buildDialer({ phase: "countdown", version: 21, dueAt: inSeconds(9) }));
    await screen.findByText("Next: Inés Duarte");
    const field = document.createElement("input");
    document.body.append(field);
    await user.type(field, "abc");
    field.remove();
    await waitFor(() => expect(asked).toEqual([{ route: "typing", body: undefined }]));
  });
});

describe("the wrap-up", () => {
  it("preselects the provider's outcome; a digit selects one, Enter saves it with notes and follow-up", async () => {
    const { panel, user, asked, becomes } = await openDialerSession(buildWrapUp());
    const outcome = (name: RegExp) => panel.getByRole("button", { name }).getAttribute("aria-pressed");
    expect(outcome(/^Busy/)).toBe("true");
    await user.type(panel.getByRole("textbox", { name: "Notes about this call" }), "s 3 asked for Tuesday");
    expect(outcome(/^Busy/)).toBe("true");
    await user.click(panel.getByRole("button", { name: "Tomorrow" }));
    panel.getByRole("button", { name: /^Busy/ }).focus();
    await user.keyboard("2");
    expect(outcome(/^Voicemail/)).toBe("true");
    becomes(buildDialer({ phase: "countdown", position: 7, version: 22, dueAt: inSeconds(5) }));
    await user.keyboard("{Enter}");
    await waitFor(() => expect(asked).toHaveLength(1));
    const tomorrow = new Date();
    tomorrow.setDate(tomorrow.getDate() + 1);
    tomorrow.setHours(12, 0, 0, 0);
    expect(asked[0]).toEqual({
      route: "wrap-up",
      body: {
        callId: 31,
        outcome: "voicemail",
        seen: null,
        notes: "s 3 asked for Tuesday",
        nextFollowUpDate: tomorrow.toISOString(),
      },
    });
    expect(await panel.findByText("Lead 8 of 42")).toBeTruthy();
    expect(panel.queryByRole("textbox")).toBeNull();
  });

  it("pauses the session by Space, skips by S, and is saved from the notes with Ctrl+Enter", async () => {
    const { panel, user, asked } = await openDialerSession(buildWrapUp());
    await user.keyboard(" ");
    await waitFor(() => expect(asked).toHaveLength(1));
    await user.keyboard("s");
    await waitFor(() => expect(asked).toHaveLength(2));
    expect(asked.map(({ body }) => body)).toEqual([
      { command: "pause", position: 6 },
      { command: "skip", position: 6 },
    ]);
    await user.type(
      panel.getByRole("textbox", { name: "Notes about this call" }),
      "x{Control>}{Enter}{/Control}",
    );
    await waitFor(() =>
      expect(asked[2]?.body).toEqual({ callId: 31, outcome: "busy", notes: "x", seen: null }),
    );
  });

  it("waits for an outcome if the provider reports none", async () => {
    const { panel, user, asked } = await openDialerSession(buildWrapUp({ suggestedOutcome: null }));
    expect(panel.getByRole("button", { name: "Save & next" }).getAttribute("aria-disabled")).toBe("true");
    expect(panel.getByText("Choose an outcome to go on.")).toBeTruthy();
    expect(panel.getByRole("list", { name: "Keys" }).textContent).toBe("1–6 outcomeSpace pause");
    panel.getByRole("textbox").focus();
    await user.keyboard("{Control>}{Enter}{/Control}");
    panel.getByRole("button", { name: /^Busy/ }).focus();
    await user.keyboard("s");
    expect(asked).toEqual([]);
    // The chosen outcome is kept when the lead is skipped.
    await user.keyboard("4s");
    await waitFor(() => expect(asked[0]?.body).toMatchObject({ callId: 31, outcome: "busy" }));
  });

  it("requires no outcome for a call that could not be connected, and keeps the notes", async () => {
    const wrapUp = buildWrapUp({ suggestedOutcome: null });
    const call = wrapUp.call && { ...wrapUp.call, result: "not_connected" as const };
    const { panel, user, asked } = await openDialerSession({ ...wrapUp, call });
    expect(panel.getByText(/^The call could not be connected\./)).toBeTruthy();
    expect(panel.queryByRole("button", { name: /Suggested/ })).toBeNull();
    await user.type(panel.getByRole("textbox", { name: "Notes about this call" }), "Tono raro");
    await user.click(panel.getByRole("button", { name: "Save & next" }));
    await waitFor(() =>
      expect(asked[0]?.body).toEqual({
        callId: 31,
        outcome: "not_connected",
        notes: "Tono raro",
        seen: null,
      }),
    );
  });

  it("shows why the session is paused when no call can be connected, and resumes with one press", async () => {
    const wrapUp = buildWrapUp({ suggestedOutcome: null, status: "paused", pauseReason: "not_connecting" });
    const call = wrapUp.call && { ...wrapUp.call, result: "not_connected" as const };
    const { panel, user, asked } = await openDialerSession({ ...wrapUp, call });
    expect(panel.getByText(/^Five calls in a row could not be connected\./)).toBeTruthy();
    await user.click(panel.getByRole("button", { name: "Resume" }));
    await waitFor(() => expect(asked[0]?.body).toMatchObject({ command: "resume", position: 6 }));
  });

  it("accepts S and Call now for the next lead only once it has been shown", async () => {
    const { panel, user, asked, client, publish } = await openDialerSession(buildWrapUp());
    await publish(
      client,
      buildDialer({ phase: "countdown", position: 7, version: 21, dueAt: inSeconds(20) }),
    );
    expect(await panel.findByText("Lead 8 of 42")).toBeTruthy();
    const callNow = panel.getByRole("button", { name: "Call now" });
    // It is marked as disabled for now.
    expect(callNow.getAttribute("aria-disabled")).toBe("true");
    expect(panel.getByRole("button", { name: "Skip" }).getAttribute("aria-disabled")).toBe("true");
    await user.keyboard("s");
    callNow.click();
    expect(asked).toEqual([]);
    await waitFor(() => expect(callNow.getAttribute("aria-disabled")).toBeNull());
    await user.keyboard("s");
    await waitFor(() => expect(asked.map(({ body }) => body)).toEqual([{ command: "skip", position: 7 }]));
    expect(panel.getByRole("list", { name: "Keys" }).textContent).toBe("Space pauseS skip");
  });

  it("handles its keys wherever the focus is, except in text fields and under another dialog", async () => {
    const { panel, user } = await openDialerSession(buildWrapUp());
    const chosen = (name: RegExp) => panel.getByRole("button", { name }).getAttribute("aria-pressed");
    for (const [element, key, name] of [
      [screen.getAllByRole("link")[0], "2", /^Voicemail/],
      [panel.getByRole("combobox", { name: "Delay between calls" }), "3", /^No Answer/],
      [panel.getByRole("button", { name: "Stop" }), "1", /^Answered/],
    ] as const) {
      element?.focus();
      await user.keyboard(`{Control>}6{/Control}{Alt>}6{/Alt}${key}`);
      expect(chosen(name)).toBe("true");
    }
    await user.type(panel.getByRole("textbox"), "4");
    expect(chosen(/^Answered/)).toBe("true");
    const over = document.createElement("div");
    over.setAttribute("role", "dialog");
    document.body.append(over);
    panel.getByRole("button", { name: "Stop" }).focus();
    await user.keyboard("5");
    expect(chosen(/^Answered/)).toBe("true");
    over.remove();
    await user.keyboard("5");
    expect(chosen(/^Wrong/)).toBe("true");
  });

  it("reports that the lead was reassigned, even if the session has ended too", async () => {
    const { panel, user, becomes } = await openDialerSession(buildWrapUp({ position: 41 }));
    becomes(buildDialer({ status: "completed", position: 42, version: 21, followUpProposed: true }));
    await user.click(panel.getByRole("button", { name: "Save & finish" }));
    expect(await screen.findByText("Saved, without the follow-up")).toBeTruthy();
    expect(screen.getByText(/^Inés Duarte belongs to somebody else now/)).toBeTruthy();
  });

  it("saves the lead's status together with the outcome", async () => {
    const { panel, user, asked } = await openDialerSession(buildWrapUp());
    await user.click(panel.getByRole("combobox", { name: "Status" }));
    await user.click(await screen.findByRole("option", { name: "Interested" }));
    await user.click(panel.getByRole("button", { name: /^Save/ }));
    await waitFor(() =>
      expect(asked).toContainEqual({
        route: "wrap-up",
        body: { callId: 31, outcome: "busy", notes: null, seen: null, status: "interested" },
      }),
    );
  });

  it("reports that another outcome was saved first, and which one applies", async () => {
    const { panel, user, becomes } = await openDialerSession(buildWrapUp());
    becomes(buildDialer({ position: 4, version: 21, phase: "countdown", outcomeKept: "busy" }));
    await user.click(panel.getByRole("button", { name: /^Save/ }));
    expect(await screen.findByText("An outcome was given before")).toBeTruthy();
    expect(screen.getByText(/^Inés Duarte: Busy,/)).toBeTruthy();
  });

  it("keeps unsaved input across a reload", async () => {
    const { user, panel, unmount } = await openDialerSession(buildWrapUp());
    await user.type(panel.getByRole("textbox"), "Wants an offer");
    unmount();
    const again = await openDialerSession(buildWrapUp({ status: "paused", pauseReason: "left" }));
    expect(again.panel.getByRole<HTMLTextAreaElement>("textbox").value).toBe("Wants an offer");
  });
});

describe("the bar of a closed dialer", () => {
  it("is shown on every page instead of the live call's bar, and reopens the session", async () => {
    setLanguage("es");
    serveLeadsPage();
    const live = buildCall({ state: "ringing_lead" });
    serveDialer(buildDialer({ phase: "calling", step: "ringing_lead", call: live }));
    server.use(replyTo(getLiveCall, { call: live }));
    const { user } = renderPortal("/", buildUser({ language: "es" }));
    const bar = await screen.findByRole("region", { name: "Marcador automático: Activo, Inés Duarte" });
    expect(within(bar).getByText("7 de 42 · Suena su teléfono")).toBeTruthy();
    expect(screen.queryByRole("region", { name: "Llamada en curso con Inés Duarte" })).toBeNull();
    const asked: string[] = [];
    server.use(
      replyTo(endCall, ({ params }) => {
        asked.push(String(params.id));
        return buildCall({ state: "ended", result: "canceled" });
      }),
    );
    await user.click(within(bar).getByRole("button", { name: "Terminar llamada" }));
    await waitFor(() => expect(asked).toEqual([String(live.id)]));
    await user.click(within(bar).getByRole("button", { name: "Abrir" }));
    expect(await screen.findByRole("dialog", { name: "Marcador automático" })).toBeTruthy();
    await user.keyboard("{Escape}");
    expect(await screen.findByRole("button", { name: "Abrir" })).toBeTruthy();
  });
});
