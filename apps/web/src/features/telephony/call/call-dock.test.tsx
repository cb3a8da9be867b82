import { createCallLog, getCall, getLiveCall, makeCall } from "@portal/contract/routes/calls";
import { getLead, updateLead } from "@portal/contract/routes/leads";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { buildCall, buildCallLog, buildLead } from "../../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../../testing/leads-server.ts";
import { renderPortal } from "../../../testing/render-portal.tsx";
import { errorReply, replyTo, server } from "../../../testing/server.ts";
import { dismissToast } from "../../../ui/toast.ts";

// Loaded on first use, which is slow on a busy machine.
beforeAll(() => import("./call-dialog.tsx"));

const title = "Call Inés Duarte";
const talking = buildCall({
  state: "in_progress",
  leadRingingAt: "2026-11-20T10:00:08.000Z",
  answeredAt: "2026-11-20T10:00:12.000Z",
  answeredBy: "person",
});
const ended = buildCall({
  state: "ended",
  result: "answered",
  leadRingingAt: "2026-11-20T10:00:08.000Z",
  answeredAt: "2026-11-20T10:00:12.000Z",
  answeredBy: "person",
  talkSeconds: 65,
});

async function openCall(call = talking) {
  const lead = buildLead({ notes: "Prefers mornings", status: "contacted" });
  serveLeadsPage({ leads: [lead] });
  server.use(replyTo(makeCall, { callSid: "CA31", callId: 31, officeLine: null }), replyTo(getCall, call));
  const rendered = renderPortal("/");
  await screen.findByRole("article");
  server.use(replyTo(getLiveCall, { call: null }), replyTo(getCall, call));
  await rendered.user.click(screen.getByRole("button", { name: "Call Now Inés Duarte" }));
  const dialog = await screen.findByRole("dialog", { name: title });
  return { ...rendered, dialog, inside: within(dialog) };
}

describe("the docked call", () => {
  it("keeps the page usable, with its keys and its Escape, and survives a navigation", async () => {
    const saved: unknown[] = [];
    const { user, dialog, inside } = await openCall(ended);
    server.use(
      replyTo(createCallLog, ({ body }) => {
        saved.push(body);
        return buildCallLog({ confirmed: true });
      }),
    );
    await inside.findByText("Call ended");
    expect(dialog.contains(document.activeElement)).toBe(true);
    expect(dialog.getAttribute("aria-modal")).toBeNull();
    expect(document.querySelector("[inert], [data-scroll-locked], body[style*=pointer-events]")).toBeNull();
    expect(document.getElementById("main")?.closest("[aria-hidden]")).toBeNull();
    dismissToast();
    // Keys of the page itself: a field with Enter and Escape, and a typed digit.
    const search = screen.getByRole("searchbox", { name: "Search leads" });
    await user.type(search, "4{Enter}");
    await user.keyboard("{Escape}");
    expect(screen.getByRole("dialog", { name: title })).toBe(dialog);
    // A digit sets the outcome from the page too; saving it is only possible in the call.
    screen.getByRole("button", { name: "Update Status Inés Duarte" }).focus();
    await user.keyboard("4");
    expect(inside.getByRole("button", { name: /^Busy/ }).getAttribute("aria-pressed")).toBe("true");
    expect(saved).toEqual([]);
    await user.click(screen.getByRole("link", { name: "Settings" }));
    await screen.findByRole("heading", { name: "Settings", level: 1 });
    expect(within(screen.getByRole("dialog", { name: title })).getByText("Call ended")).toBeTruthy();
    inside.getByRole("button", { name: /^Busy/ }).focus();
    // In the call, one key each opens the follow-up and the notes.
    await user.keyboard("f");
    expect(document.activeElement).toBe(
      inside.getByRole("button", { name: "Tomorrow" }).parentElement?.querySelector("button:enabled"),
    );
    await user.keyboard("nNo offer");
    expect(document.activeElement).toBe(inside.getByRole("textbox", { name: "Notes" }));
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(saved).toMatchObject([{ outcome: "busy", notes: "No offer" }]));
  });

  it("minimizes to a bar without losing input, and takes the focus from no text field", async () => {
    const { user, inside } = await openCall();
    await inside.findByText("In progress");
    expect(inside.getByText("Prefers mornings")).toBeTruthy();
    await user.type(inside.getByRole("textbox", { name: "Notes" }), "Wants solar");
    await user.click(inside.getByRole("button", { name: "Minimize" }));
    const bar = await screen.findByRole("region", { name: title });
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(within(bar).getByText("In progress")).toBeTruthy();
    expect(within(bar).getByRole("timer")).toBeTruthy();
    expect(within(bar).getByRole("button", { name: "End Call" })).toBeTruthy();
    await user.click(within(bar).getByRole("button", { name: "Return to call" }));
    const again = within(await screen.findByRole("dialog", { name: title }));
    expect(again.getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" }).value).toBe("Wants solar");
  });

  it("saves follow-up and status after the outcome, which is saved even if the lead cannot be changed", async () => {
    const { user, inside } = await openCall(ended);
    await inside.findByText("Call ended");
    const sent: unknown[] = [];
    let refuses = true;
    server.use(
      replyTo(updateLead, ({ body }) => {
        sent.push(body);
        return refuses
          ? errorReply("not_your_lead", "This lead is assigned to another consultant.")
          : buildLead();
      }),
      replyTo(createCallLog, ({ body }) => {
        sent.push(body);
        return buildCallLog({ confirmed: true });
      }),
      replyTo(getLead, buildLead({ status: "contacted" })),
    );
    const [timed] = inside.getAllByRole("button", { name: /^\w{3} 10:00 AM$/ });
    if (timed) await user.click(timed);
    await user.click(inside.getByRole("button", { name: /^Busy/ }));
    // Enter on the chosen follow-up keeps it and saves.
    timed?.focus();
    await user.keyboard("{Enter}");
    expect(await screen.findByText("This lead is assigned to another consultant.")).toBeTruthy();
    expect(sent).toMatchObject([{ outcome: "busy", leadId: 7 }, { nextFollowUpTime: "10:00" }]);
    expect(timed?.getAttribute("aria-pressed")).toBe("true");
    refuses = false;
    await user.click(await inside.findByRole("button", { name: "Save Call Log" }));
    await waitFor(() => expect(sent).toHaveLength(4));
    // The same report once more, which counts once.
    expect(sent[2]).toEqual(sent[0]);
    expect(sent[3]).toMatchObject({
      nextFollowUpDate: expect.any(String),
      nextFollowUpTime: "10:00",
      nextFollowUpZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("keeps notes and plan across a call that failed, and ignores digits in a closed list", async () => {
    const { user, inside, client } = await openCall();
    await inside.findByText("In progress");
    await user.type(inside.getByRole("textbox", { name: "Notes" }), "Wants solar");
    const timed = () => inside.getAllByRole("button", { name: /^\w{3} 10:00 AM$/ })[0];
    await user.click(timed() as HTMLElement);
    const list = document.createElement("button");
    list.setAttribute("role", "combobox");
    document.body.append(list);
    list.focus();
    await user.keyboard("4");
    list.remove();
    expect(inside.getByRole("button", { name: /^Busy/ }).getAttribute("aria-pressed")).toBe("false");
    server.use(replyTo(getCall, buildCall({ state: "ended", leadRingingAt: null })));
    await client.invalidateQueries({ queryKey: ["/api/calls/31"] });
    const again = await inside.findByRole("button", { name: /Call again/i });
    server.use(
      replyTo(makeCall, { callSid: "CA32", callId: 32, officeLine: null }),
      replyTo(getCall, { ...talking, id: 32 }),
    );
    await user.click(again);
    await inside.findByText("In progress");
    expect((await inside.findByRole<HTMLTextAreaElement>("textbox", { name: "Notes" })).value).toBe(
      "Wants solar",
    );
    expect(timed()?.getAttribute("aria-pressed")).toBe("true");
  });
});
