import { accountHeader } from "@portal/contract/account-header";
import { addNote, getLead, updateLead } from "@portal/contract/routes/leads";
import { getTimeline } from "@portal/contract/routes/timeline";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { clockAt } from "../../lib/follow-up.ts";
import { setLanguage } from "../../lib/i18n.ts";
import { page } from "../../lib/navigation.ts";
import { type NewWrite, saveWrite, sendQueue } from "../../lib/offline/queue.ts";
import { addItem, clearItems, listItems } from "../../lib/offline/queue-database.ts";
import { buildUser } from "../../testing/builders.ts";
import { buildLead } from "../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { errorReply, replyTo, server } from "../../testing/server.ts";

// Loaded on first use, which is slow on a busy machine.
beforeAll(() => import("../leads/panel/lead-panel-dock.tsx"));

const lead = buildLead({ status: "new", notes: "Old roof" });
const userId = buildUser().id;
const status: NewWrite = {
  leadId: lead.id,
  leadName: lead.name,
  write: { kind: "change", change: { status: "interested" }, seen: { status: "new" } },
};
const note: NewWrite = {
  leadId: lead.id,
  leadName: lead.name,
  write: { kind: "note", text: "Calls at noon" },
};

type Body = Record<string, unknown>;

interface Request {
  body: Body;
  account: string | null;
}

/**
 * A server that is unreachable until the network is back, and then answers changes of leads one after the other; the last answer repeats.
 * `lost` are requests that got no answer.
 */
function serveLater(...answers: (() => Response | Promise<Response>)[]) {
  const sent = { lost: [] as Request[], answered: [] as Request[] };
  let isAway = true;
  const reply = ({ request, body }: { request: globalThis.Request; body: unknown }) => {
    const kept = { body: body as Body, account: request.headers.get(accountHeader) };
    if (isAway) {
      sent.lost.push(kept);
      return HttpResponse.error();
    }
    sent.answered.push(kept);
    const answer = answers[Math.min(sent.answered.length, answers.length) - 1];
    return answer?.() ?? HttpResponse.error();
  };
  server.use(replyTo(updateLead, reply), replyTo(addNote, reply));
  const comeBack = () => {
    isAway = false;
    act(() => void window.dispatchEvent(new Event("online")));
  };
  return { sent, comeBack };
}

const saved = () => HttpResponse.json(buildLead({ status: "interested" }));
const conflict = () =>
  HttpResponse.json(
    { code: "changed_meanwhile", message: "Choose what holds.", now: { status: "qualified" } },
    { status: 409 },
  );

/** The portal with these writes queued and the server still unreachable. */
async function openWith(...writes: NewWrite[]) {
  serveLeadsPage({ leads: [lead] });
  const rendered = renderPortal("/");
  await screen.findByRole("article");
  for (const write of writes)
    await act(() => saveWrite(rendered.client, write).then(({ state }) => expect(state).toBe("waiting")));
  return rendered;
}

const button = (name: string | RegExp) => screen.findByRole("button", { name });

async function openQueue(user: Awaited<ReturnType<typeof openWith>>["user"], name: string) {
  await user.click(await button(name));
  return within(await screen.findByRole("dialog", { name: "Waiting to be sent" }));
}

describe("a change made while the server is unreachable", () => {
  it("waits, is marked, and is sent once, in order, with its id, the values the user saw, and its account", async () => {
    const { sent, comeBack } = serveLater(saved);
    await openWith(status, note);
    expect(await screen.findByText(/^Last updated/)).toBeTruthy();
    const card = within(screen.getByRole("article"));
    expect(await card.findByRole("button", { name: "Waiting to be sent" })).toBeTruthy();
    await button("2 waiting to be sent");
    comeBack();
    expect(await screen.findByText("2 changes that waited are saved.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("button", { name: /waiting to be sent/i })).toBeNull());
    const [first, again] = sent.lost;
    expect(first?.body).toEqual({
      status: "interested",
      clientRef: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(again?.body).toEqual({ ...first?.body, seen: { status: "new" } });
    // The note is sent after the change and was not tried before it.
    expect(sent.lost.every(({ body }) => body.status === "interested")).toBe(true);
    expect(sent.answered.map(({ body }) => body)).toEqual([
      again?.body,
      { text: "Calls at noon", clientRef: expect.any(String) },
    ]);
    expect(sent.answered.map(({ account }) => account)).toEqual([String(userId), String(userId)]);
    expect(await listItems(userId)).toEqual([]);
  });

  it("shows the whole follow-up, also of a change of its time or its day only", async () => {
    serveLater();
    const seen = {
      nextFollowUpDate: "2026-07-10T12:00:00.000Z",
      nextFollowUpTime: "10:00",
      nextFollowUpZone: "UTC",
    };
    const of = (change: { nextFollowUpDate?: string | null; nextFollowUpTime?: string }): NewWrite => ({
      leadId: lead.id,
      leadName: lead.name,
      write: { kind: "change", change, seen },
    });
    const { user } = await openWith(
      of({ nextFollowUpTime: "11:30" }),
      of({ nextFollowUpDate: "2026-07-12T12:00:00.000Z" }),
      of({ nextFollowUpDate: null }),
    );
    const dialog = await openQueue(user, "3 waiting to be sent");
    const said = dialog.getAllByText("Follow-up:").map(({ nextSibling }) => nextSibling?.textContent);
    expect(said).toEqual(["Jul 10, 2026 · 11:30 AM · UTC", "Jul 12, 2026 · 11:30 AM · UTC", "Nothing"]);
  });

  it("is no longer counted as soon as it is sent", async () => {
    let answer = () => {};
    const held = new Promise<Response>((resolve) => {
      answer = () => resolve(saved());
    });
    const { sent, comeBack } = serveLater(saved, () => held);
    await openWith(status, note);
    await button("2 waiting to be sent");
    comeBack();
    await waitFor(() => expect(sent.answered).toHaveLength(2));
    expect(screen.getByRole("button", { name: "1 waiting to be sent" })).toBeTruthy();
    answer();
    expect(await screen.findByText("2 changes that waited are saved.")).toBeTruthy();
  });

  it("shows in the list and in the lead's panel, also one that was closed and opened again", async () => {
    serveLater();
    server.use(replyTo(getTimeline, []));
    const followUp = { nextFollowUpTime: "10:00", nextFollowUpZone: "UTC" };
    const at = { nextFollowUpDate: "2026-07-10T12:00:00.000Z", nextFollowUpAt: "2026-07-10T10:00:00.000Z" };
    serveLeadsPage({ leads: [{ ...lead, ...followUp, ...at }] });
    const { user } = renderPortal("/");
    const name = await screen.findByRole("link", { name: lead.name });
    await user.click(name);
    const panel = async () => within(await screen.findByRole("dialog", { name: lead.name }));
    const time = async () => (await panel()).findByLabelText<HTMLInputElement>("Time (optional)");
    expect((await time()).value).toBe("10:00");
    server.use(replyTo(getLead, () => HttpResponse.error()));
    fireEvent.change(await time(), { target: { value: "11:30" } });
    await user.click(await button("Update Lead"));
    const said = `· ${clockAt("2026-07-10T11:30:00.000Z", "UTC")}`;
    await waitFor(() => expect(screen.getByRole("article").textContent).toContain(said));
    act(() => (document.activeElement as HTMLElement).blur());
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.click(name);
    expect((await time()).value).toBe("11:30");
  });

  it("is sent once when several senders run at once", async () => {
    const { sent, comeBack } = serveLater(saved);
    const { client } = await openWith(status);
    comeBack();
    await act(() => Promise.all([sendQueue(client), sendQueue(client), sendQueue(client)]));
    expect(sent.answered).toHaveLength(1);
  });

  it("survives the page, and is never sent by another user", async () => {
    const { sent, comeBack } = serveLater(saved);
    comeBack();
    const { leadId, leadName, write } = note;
    const of = { leadId, leadName, write, saidAt: Date.now() };
    await addItem({ ...of, userId, clientRef: "7b1b1f5c-9d0c-4a4e-8a3b-0d6f1d9a0001" });
    await addItem({ ...of, userId: 99, clientRef: "7b1b1f5c-9d0c-4a4e-8a3b-0d6f1d9a0002" });
    await openWith();
    expect(await screen.findByText("1 change that waited is saved.")).toBeTruthy();
    expect(sent.answered.map(({ body }) => body.clientRef)).toEqual(["7b1b1f5c-9d0c-4a4e-8a3b-0d6f1d9a0001"]);
    expect(await listItems(99)).toHaveLength(1);
    // The sign-in page of later files counts the items of all users.
    await clearItems(99);
  });

  it("waits for its user when the session has ended", async () => {
    serveLater(() => errorReply("unauthenticated", "Unauthorized")).comeBack();
    serveLeadsPage({ leads: [lead] });
    const { client } = renderPortal("/");
    await screen.findByRole("article");
    expect(await act(() => saveWrite(client, note))).toEqual({ state: "waiting", reason: "session" });
    expect(await listItems(userId)).toHaveLength(1);
  });

  it("is rejected to its form if that is still open, and is not queued", async () => {
    serveLater(() => errorReply("not_your_lead", "Not yours")).comeBack();
    serveLeadsPage({ leads: [lead] });
    const { client } = renderPortal("/");
    await screen.findByRole("article");
    await act(() => expect(saveWrite(client, note)).rejects.toMatchObject({ code: "not_your_lead" }));
    expect(await listItems(userId)).toEqual([]);
  });
});

describe("a queued change that the server rejects", () => {
  it("is kept with the reason, can be retried, and is discarded only after a confirmation", async () => {
    const { sent, comeBack } = serveLater(() => errorReply("not_your_lead", "This lead is Luis's now."));
    const { user } = await openWith(note);
    comeBack();
    const queue = await openQueue(user, "1 not saved");
    expect(queue.getByText("Not saved: This lead is Luis's now.")).toBeTruthy();
    expect(queue.getByText("Calls at noon")).toBeTruthy();
    await user.click(queue.getByRole("button", { name: "Try again" }));
    await waitFor(() => expect(sent.answered).toHaveLength(2));
    await queue.findByText("Not saved: This lead is Luis's now.");
    const discard = () => queue.getByRole("button", { name: /^Discard/ });
    await waitFor(() => expect(discard()).toHaveProperty("disabled", false));
    await user.click(discard());
    const question = within(await screen.findByRole("alertdialog", { name: "Discard this?" }));
    expect(await listItems(userId)).toHaveLength(1);
    await user.click(question.getByRole("button", { name: "Discard" }));
    expect(await queue.findByText("Everything is sent.")).toBeTruthy();
    expect(await listItems(userId)).toEqual([]);
  });

  it("does not block later changes", async () => {
    const { sent, comeBack } = serveLater(conflict, saved);
    await openWith(status, note);
    comeBack();
    expect(await screen.findByText("1 change that waited is saved.")).toBeTruthy();
    expect(await button("1 not saved")).toBeTruthy();
    expect(sent.answered.at(-1)?.body).toMatchObject({ text: "Calls at noon" });
  });

  it("after a conflict can be saved over the newer value, with that value as seen", async () => {
    const { sent, comeBack } = serveLater(conflict, saved);
    const { user } = await openWith(status);
    comeBack();
    const queue = await openQueue(user, "1 not saved");
    expect(queue.getByText("This was changed meanwhile. Now:")).toBeTruthy();
    expect(queue.getByText("Qualified")).toBeTruthy();
    await user.click(queue.getByRole("button", { name: "Save mine" }));
    expect(await queue.findByText("Everything is sent.")).toBeTruthy();
    expect(sent.answered.at(-1)?.body).toMatchObject({ status: "interested", seen: { status: "qualified" } });
  });

  it("after a conflict can be dropped in favor of the newer value, in Spanish too", async () => {
    const { sent, comeBack } = serveLater(conflict);
    const { user } = await openWith(status);
    comeBack();
    await button("1 not saved");
    act(() => setLanguage("es"));
    await user.click(await button("1 sin guardar"));
    const queue = within(await screen.findByRole("dialog", { name: "Pendiente de envío" }));
    await user.click(queue.getByRole("button", { name: "Dejar como está ahora" }));
    expect(await queue.findByText("Todo está enviado.")).toBeTruthy();
    expect(sent.answered).toHaveLength(1);
  });
});

it("signing out asks before it deletes unsent changes", async () => {
  const go = vi.spyOn(page, "go").mockReturnValue();
  serveLater();
  const { user } = await openWith(note);
  const signOut = async () => {
    await user.click(await button(/account menu/));
    await user.click(await screen.findByRole("menuitem", { name: "Sign out" }));
    return within(await screen.findByRole("alertdialog", { name: "1 change is not saved yet" }));
  };
  await user.click((await signOut()).getByRole("button", { name: "Stay signed in" }));
  expect(go).not.toHaveBeenCalled();
  await user.click((await signOut()).getByRole("button", { name: "Delete and sign out" }));
  await waitFor(() => expect(go).toHaveBeenCalledWith("/api/logout"));
  expect(await listItems(userId)).toEqual([]);
});
