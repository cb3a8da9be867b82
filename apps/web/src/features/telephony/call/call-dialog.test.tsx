import type { Call } from "@portal/contract/entities/call";
import { createCallLog, endCall, getCall, getLiveCall, makeCall } from "@portal/contract/routes/calls";
import { getTimeline } from "@portal/contract/routes/timeline";
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { setLanguage } from "../../../lib/i18n.ts";
import { invalidatePaths } from "../../../lib/query-client.ts";
import { buildCall, buildCallLog, buildInboundCall, buildLead } from "../../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../../testing/leads-server.ts";
import { renderPortal } from "../../../testing/render-portal.tsx";
import { errorReply, refuse, replyTo, server } from "../../../testing/server.ts";
import { dismissToast } from "../../../ui/toast.ts";

const rung = "2026-11-20T10:00:08.000Z";
const callNow = "Call Now Inés Duarte";

async function openPage(lead = buildLead()) {
  serveLeadsPage({ leads: [lead] });
  const rendered = renderPortal("/");
  await screen.findByRole("article");
  return rendered;
}

/** The page with the dialog of a call in the given state; `showCall` delivers a change of it, as an event would. */
async function openCall(call = buildCall()) {
  server.use(replyTo(makeCall, { callSid: "CA31", callId: 31, officeLine: null }), replyTo(getCall, call));
  const { user, client } = await openPage();
  server.use(replyTo(makeCall, { callSid: "CA31", callId: 31, officeLine: null }), replyTo(getCall, call));
  await user.click(screen.getByRole("button", { name: callNow }));
  const dialog = within(await screen.findByRole("dialog"));
  const showCall = async (call: Parameters<typeof buildCall>[0], live: Call | null = null) => {
    // The live call's path also matches the other handler, so it comes first.
    server.use(replyTo(getLiveCall, { call: live }), replyTo(getCall, buildCall(call)));
    await invalidatePaths(client, ["/api/calls"]);
  };
  return { user, dialog, showCall };
}

describe("Call Now", () => {
  it("explains that a lead without a phone cannot be called", async () => {
    const { user } = await openPage(buildLead({ phone: null, callRefusal: "no_phone" }));
    await user.click(screen.getByRole("button", { name: callNow }));
    expect(await screen.findByText("No Phone Number")).toBeTruthy();
    expect(screen.getByText("This lead does not have a phone number")).toBeTruthy();
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it.each([
    ["opted_out", "This lead asked not to be called."],
    ["lead_on_call", "This lead is on the line with us already."],
    ["invalid_phone", "This number cannot be called."],
  ] as const)("is disabled when the server reports %s, and says why", async (callRefusal, description) => {
    await openPage(buildLead({ callRefusal }));
    const button = screen.getByRole("button", {
      name: callNow,
      description,
    });
    expect(button.getAttribute("aria-disabled")).toBe("true");
  });

  it("is enabled after the user's own call, even if the list was read during it", async () => {
    await openPage(buildLead({ callRefusal: "rep_on_call" }));
    expect(screen.getByRole("button", { name: callNow }).getAttribute("aria-disabled")).toBeNull();
  });

  it("is replaced by Call Complete for a lead who is not interested", async () => {
    await openPage(buildLead({ status: "not_interested" }));
    expect(screen.getByRole("button", { name: "Call Complete" }).getAttribute("aria-disabled")).toBe("true");
    expect(screen.queryByRole("button", { name: callNow })).toBeNull();
  });

  it("sends one request for a double click", async () => {
    const asked: unknown[] = [];
    const { user } = await openPage();
    server.use(
      replyTo(makeCall, ({ body }) => {
        asked.push(body);
        return { callSid: "CA31", callId: 31, officeLine: null };
      }),
      replyTo(getCall, buildCall()),
    );
    await user.dblClick(screen.getByRole("button", { name: callNow }));
    expect(await screen.findByText("Call Initiated")).toBeTruthy();
    expect(screen.getByText("Conectando la llamada a tu número personal...")).toBeTruthy();
    expect(asked).toEqual([{ leadId: 7, to: "+17875550107" }]);
  });

  it("says that a call is being requested when pressed again meanwhile, and requests no second one", async () => {
    const luis = buildLead({ id: 8, name: "Luis Mora" });
    serveLeadsPage({ leads: [buildLead(), luis] });
    const { user } = renderPortal("/");
    const other = await screen.findByRole("button", { name: "Call Now Luis Mora" });
    const asked: unknown[] = [];
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    server.use(
      replyTo(makeCall, async ({ body }) => {
        asked.push(body);
        await held;
        return { callSid: "CA31", callId: 31, officeLine: null };
      }),
      replyTo(getCall, buildCall()),
    );
    await user.click(screen.getByRole("button", { name: callNow }));
    await screen.findByRole("dialog");
    await user.click(other);
    expect(await screen.findByText("The call to Inés Duarte is being requested.")).toBeTruthy();
    answer();
    expect(await screen.findByText("Call Initiated")).toBeTruthy();
    expect(asked).toHaveLength(1);
  });

  it("shows why a call was refused, and retries from the dialog", async () => {
    const { user } = await openPage();
    server.use(refuse(makeCall, "rep_without_phone", "Set a personal number in Settings"));
    await user.click(screen.getByRole("button", { name: callNow }));
    expect(await screen.findByText("Call Failed")).toBeTruthy();
    expect(screen.getAllByText("Set a personal number in Settings").length).toBeGreaterThan(0);
    server.use(
      replyTo(makeCall, { callSid: "CA31", callId: 31, officeLine: null }),
      replyTo(getCall, buildCall()),
    );
    await user.click(await screen.findByRole("button", { name: "Start Call" }));
    expect(await screen.findByText("Your phone is ringing")).toBeTruthy();
  });

  it("shows the recorded text when the server is unreachable", async () => {
    const { user } = await openPage();
    server.use(http.post(makeCall.path, () => HttpResponse.error()));
    await user.click(screen.getByRole("button", { name: callNow }));
    await waitFor(() =>
      expect(screen.getAllByText("No se pudo iniciar la llamada").length).toBeGreaterThan(0),
    );
  });

  it("shows the reason of a refusal in Spanish", async () => {
    setLanguage("es");
    serveLeadsPage();
    const { user } = renderPortal("/");
    server.use(
      http.post(makeCall.path, () =>
        HttpResponse.json(
          { message: "Opted out", code: "contact_refused", reason: "opted_out" },
          { status: 409 },
        ),
      ),
    );
    await user.click(await screen.findByRole("button", { name: "Llamar ahora Inés Duarte" }));
    await waitFor(() =>
      expect(screen.getAllByText("Este prospecto pidió que no lo llamaran.").length).toBeGreaterThan(0),
    );
  });
});

describe("a live call in the call dialog", () => {
  it("is followed from the user's phone to the conversation and its end", async () => {
    const { dialog, showCall } = await openCall();
    expect(await dialog.findByText("Your phone is ringing")).toBeTruthy();
    await showCall({ state: "confirming" });
    expect(await dialog.findByText("Press 1 on your phone")).toBeTruthy();
    await showCall({ state: "ringing_lead", leadRingingAt: rung });
    expect(await dialog.findByText("Inés Duarte's phone is ringing")).toBeTruthy();
    await showCall({ state: "in_progress", leadRingingAt: rung, answeredAt: rung });
    expect(await dialog.findByText("Answered, checking who")).toBeTruthy();
    expect(dialog.queryByText(/Talk time/)).toBeNull();
    await showCall({ state: "in_progress", leadRingingAt: rung, answeredAt: rung, answeredBy: "person" });
    expect(await dialog.findByText("In progress")).toBeTruthy();
    await showCall({
      state: "ended",
      result: "answered",
      leadRingingAt: rung,
      answeredAt: rung,
      answeredBy: "person",
      talkSeconds: 65,
    });
    expect(await dialog.findByText("Call ended")).toBeTruthy();
    expect(dialog.getByText("Talk time 1:05")).toBeTruthy();
    expect(dialog.getByRole("button", { name: /Answered/ }).getAttribute("aria-pressed")).toBe("true");
  });

  it("shows the office line and the wait for it", async () => {
    const { dialog, showCall } = await openCall(
      buildCall({
        state: "requested",
        repLine: "office",
        officeLine: "+12125550101",
        dialsAt: "2026-11-20T10:00:32.000Z",
        now: "2026-11-20T10:00:02.000Z",
      }),
    );
    expect(await dialog.findByText(/^Dialing in (30|29) s$/)).toBeTruthy();
    await showCall({ repLine: "office", officeLine: "+12125550101" });
    expect(await dialog.findByText("The office line (212) 555-0101 is ringing")).toBeTruthy();
  });

  it("is ended at the provider, with the recorded request to hang up", async () => {
    const { user, dialog } = await openCall();
    await dialog.findByText("Your phone is ringing");
    server.use(replyTo(endCall, buildCall({ state: "ended", result: "canceled" })));
    server.use(replyTo(getCall, buildCall({ state: "ended", result: "canceled" })));
    await user.click(dialog.getByRole("button", { name: "End Call" }));
    expect(await screen.findByText("Call Status")).toBeTruthy();
    expect(screen.getByText("Please end the call on your personal phone.")).toBeTruthy();
    expect(await dialog.findByText("Call ended")).toBeTruthy();
    expect(dialog.queryByRole("group", { name: "Call Outcome" })).toBeNull();
    expect(dialog.getByRole("button", { name: "Call Again" })).toBeTruthy();
  });

  it("stays live when it could not be ended", async () => {
    const { user, dialog } = await openCall();
    await dialog.findByText("Your phone is ringing");
    server.use(replyTo(endCall, () => errorReply("provider_unavailable", "Twilio does not answer")));
    await user.click(dialog.getByRole("button", { name: "End Call" }));
    expect(await screen.findByText("Twilio does not answer")).toBeTruthy();
    expect(dialog.getByRole("button", { name: "End Call" }).getAttribute("aria-disabled")).toBeNull();
  });

  it("ignores as an outcome a 1 that is meant for the phone", async () => {
    const { user, dialog, showCall } = await openCall(buildCall({ state: "confirming" }));
    await dialog.findByText("Press 1 on your phone");
    dialog.getByRole("button", { name: "End Call" }).focus();
    await user.keyboard("1");
    expect(dialog.getByRole("button", { name: "Answered" }).getAttribute("aria-pressed")).toBe("false");
    await showCall({ state: "in_progress", leadRingingAt: rung, answeredAt: rung, answeredBy: "person" });
    await dialog.findByText("In progress");
    await user.keyboard("1");
    expect(dialog.getByRole("button", { name: "Answered" }).getAttribute("aria-pressed")).toBe("true");
  });

  it("shows why the provider could not make it", async () => {
    const { dialog } = await openCall(
      buildCall({ state: "ended", result: "failed", failure: "The number cannot be dialled" }),
    );
    expect(await dialog.findByText("The number cannot be dialled")).toBeTruthy();
  });
});

describe("closing the call dialog", () => {
  const ended = buildCall({ state: "ended", result: "no_answer", leadRingingAt: rung, talkSeconds: 0 });

  it("saves outcome, notes and timer, and resets", async () => {
    const { user, dialog } = await openCall(ended);
    await dialog.findByText("Call ended");
    let sent: unknown;
    server.use(
      replyTo(createCallLog, ({ body }) => {
        sent = body;
        return buildCallLog({ confirmed: true });
      }),
    );
    await user.click(dialog.getByRole("button", { name: /Busy/ }));
    await user.type(dialog.getByRole("textbox", { name: "Notes" }), "Try at noon");
    await user.click(dialog.getByRole("button", { name: "Close" }));
    expect(await screen.findByText("Call Log Saved")).toBeTruthy();
    expect(sent).toMatchObject({
      leadId: 7,
      outcome: "busy",
      notes: "Try at noon",
      callType: "browser",
      twilioCallSid: "CA31",
      duration: expect.stringMatching(/^0:\d\d$/),
    });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("shows no live call once it has ended, even if the list of live calls is older", async () => {
    const { user, dialog, showCall } = await openCall();
    await dialog.findByText("Your phone is ringing");
    server.use(replyTo(createCallLog, buildCallLog({ confirmed: true })));
    await showCall(ended, buildCall());
    await dialog.findByText("Call ended");
    await user.click(dialog.getByRole("button", { name: /Busy/ }));
    await user.click(dialog.getByRole("button", { name: "Close" }));
    expect(await screen.findByText("Call Log Saved")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.queryByRole("region", { name: /^Live call/ })).toBeNull();
    expect(screen.getByRole("button", { name: callNow }).getAttribute("aria-disabled")).toBeNull();
  });

  it("handles its keys wherever the focus is, and saves on Enter, or from the notes on Ctrl+Enter", async () => {
    const sent: unknown[] = [];
    const keeps = replyTo(createCallLog, ({ body }) => {
      sent.push(body);
      return buildCallLog({ confirmed: true });
    });
    const { user, dialog } = await openCall(ended);
    await dialog.findByText("Call ended");
    server.use(keeps);
    const [, close] = dialog.getAllByRole("button", { name: "Close" });
    (close ?? dialog.getByRole("button", { name: "Close" })).focus();
    await user.keyboard("4");
    expect(dialog.getByRole("button", { name: /^Busy/ }).getAttribute("aria-pressed")).toBe("true");
    await user.type(dialog.getByRole("textbox"), "At noon{Enter}3");
    expect(sent).toEqual([]);
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(sent).toMatchObject([{ outcome: "busy", notes: "At noon\n3" }]));

    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.click(screen.getByRole("button", { name: callNow }));
    await within(await screen.findByRole("dialog")).findByText("Call ended");
    await user.keyboard("5{Enter}");
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toMatchObject({ outcome: "wrong_number", notes: null });
  });

  it("leaves a call with only the provider's outcome under Needs outcome", async () => {
    const { user, dialog } = await openCall(ended);
    await dialog.findByText("Call ended");
    const sent: unknown[] = [];
    server.use(
      replyTo(createCallLog, ({ body }) => {
        sent.push(body);
        return buildCallLog({ confirmed: true });
      }),
    );
    expect(dialog.getByRole("button", { name: /No Answer/ }).getAttribute("aria-pressed")).toBe("true");
    expect(dialog.getByText("Close without saving and the call waits under Needs outcome.")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent).toEqual([]);
  });

  it("saves the provider's outcome on request, and warns before discarding notes", async () => {
    const { user, dialog } = await openCall(ended);
    await dialog.findByText("Call ended");
    let sent: unknown;
    server.use(
      replyTo(createCallLog, ({ body }) => {
        sent = body;
        return buildCallLog({ confirmed: true });
      }),
    );
    await user.type(dialog.getByRole("textbox", { name: "Notes" }), "Try at noon");
    dismissToast();
    await user.keyboard("{Escape}");
    expect(
      dialog.getByText("Save the call log to keep your notes, or close again to drop them."),
    ).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Save Call Log" }));
    expect(await screen.findByText("Call Log Saved")).toBeTruthy();
    expect(sent).toMatchObject({ outcome: "no_answer", notes: "Try at noon" });
  });

  it("keeps the input when saving fails, and can be closed without saving", async () => {
    const { user, dialog } = await openCall(ended);
    await dialog.findByText("Call ended");
    server.use(refuse(createCallLog, "internal", "Something went wrong."));
    await user.type(dialog.getByRole("textbox", { name: "Notes" }), "Try at noon");
    await user.click(dialog.getByRole("button", { name: "Save Call Log" }));
    expect(await screen.findByText("Save Failed")).toBeTruthy();
    expect(screen.getByText("Failed to save call log")).toBeTruthy();
    expect(dialog.getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" }).value).toBe("Try at noon");
    await user.click(await dialog.findByRole("button", { name: "Close without saving" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("resends an unchanged report with the same reference, and a changed one with a new reference", async () => {
    const { user, dialog } = await openCall(ended);
    await dialog.findByText("Call ended");
    const refs: unknown[] = [];
    server.use(
      http.post(createCallLog.path, async ({ request }) => {
        refs.push(((await request.json()) as { clientRef?: string }).clientRef);
        return errorReply("internal", "Something went wrong.");
      }),
    );
    const saveAgain = async () => {
      const before = refs.length;
      await user.click(dialog.getByRole("button", { name: "Save Call Log" }));
      await waitFor(() => expect(refs.length).toBe(before + 1));
      await waitFor(() =>
        expect(dialog.getByRole<HTMLButtonElement>("button", { name: "Save Call Log" }).disabled).toBe(false),
      );
    };
    await saveAgain();
    await saveAgain();
    await user.type(dialog.getByRole("textbox", { name: "Notes" }), "Try at noon");
    await saveAgain();
    expect(refs[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(refs[1]).toBe(refs[0]);
    expect(refs[2]).not.toBe(refs[0]);
  });

  it("saves nothing without an outcome, and warns once before discarding notes", async () => {
    const { user, dialog } = await openCall();
    await dialog.findByText("Your phone is ringing");
    await user.type(dialog.getByRole("textbox", { name: "Notes" }), "Try at noon");
    dismissToast();
    await user.keyboard("{Escape}");
    expect(
      dialog.getByText("Choose an outcome to keep your notes, or close again to drop them."),
    ).toBeTruthy();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("a live call behind a closed dialog", () => {
  it("is offered after a reload, and reopened with its elapsed time", async () => {
    serveLeadsPage();
    const live = buildCall({
      state: "in_progress",
      leadRingingAt: rung,
      answeredAt: rung,
      answeredBy: "person",
      now: "2026-11-20T10:01:05.000Z",
    });
    server.use(replyTo(getLiveCall, { call: live }), replyTo(getCall, live));
    const { user } = renderPortal("/");
    const bar = await screen.findByRole("region", { name: "Live call with Inés Duarte" });
    await user.click(within(bar).getByRole("button", { name: "Return to call" }));
    const dialog = within(await screen.findByRole("dialog"));
    expect(dialog.getByText("In progress")).toBeTruthy();
    expect(dialog.getByRole("timer", { name: "Call timer" }).textContent).toMatch(/^1:0[56]$/);
    expect(screen.queryByRole("region", { name: "Live call with Inés Duarte" })).toBeNull();
  });

  it("is shown for an inbound call with its talk time and the lead's history", async () => {
    serveLeadsPage();
    const now = "2026-11-20T10:01:05.000Z";
    const rings = buildInboundCall({ startedAt: now, now });
    server.use(replyTo(getLiveCall, { call: null, inboundCalls: [rings] }), replyTo(getTimeline, []));
    const { user, unmount } = renderPortal("/");
    const bar = await screen.findByRole("region", { name: "Incoming call from Inés Duarte" });
    expect(within(bar).getByText("Is calling: answer your phone and press 1")).toBeTruthy();
    expect(within(bar).queryByRole("timer")).toBeNull();
    await user.click(within(bar).getByRole("button", { name: "History" }));
    expect(await screen.findByRole("dialog", { name: "History of Inés Duarte" })).toBeTruthy();
    unmount();
    const talks = buildInboundCall({ state: "talking", answeredAt: rung, now });
    server.use(replyTo(getLiveCall, { call: null, inboundCalls: [talks] }));
    renderPortal("/");
    const timer = await screen.findByRole("timer", { name: "Call timer" });
    expect(timer.textContent).toMatch(/^\d+:\d\d$/);
  });

  it("disables Call Now for the other leads", async () => {
    serveLeadsPage({ leads: [buildLead(), buildLead({ id: 8, name: "Óscar Peña" })] });
    server.use(replyTo(getLiveCall, { call: buildCall() }), replyTo(getCall, buildCall()));
    renderPortal("/");
    await screen.findByRole("region", { name: "Live call with Inés Duarte" });
    const description = "You are already on a call.";
    const button = await screen.findByRole("button", { name: "Call Now Óscar Peña", description });
    expect(button.getAttribute("aria-disabled")).toBe("true");
    expect(screen.getAllByRole("button", { name: "Return to call" })).toHaveLength(2);
  });
});
