import type { InboxEntry } from "@portal/contract/entities/inbox";
import { makeCall } from "@portal/contract/routes/calls";
import {
  attachNumber,
  countInbox,
  listInbox,
  reopenInboxEntry,
  settleInboxEntry,
} from "@portal/contract/routes/inbox";
import { createLead, findKnownLeads, getLead, listFurtherNumbers } from "@portal/contract/routes/leads";
import { listMessages, markMessagesRead } from "@portal/contract/routes/sms";
import { getTimeline } from "@portal/contract/routes/timeline";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { invalidatePaths } from "../../lib/query-client.ts";
import { buildUser } from "../../testing/builders.ts";
import { buildLead } from "../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { errorReply, replyTo, server } from "../../testing/server.ts";
import { mergeEntries } from "./queries.ts";

// Loaded on first use, which is slow on a busy machine.
beforeAll(() => import("./inbox-page.tsx"));

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 15, minute)).toISOString();

function entryOf(over: Partial<InboxEntry> & Pick<InboxEntry, "id">): InboxEntry {
  return {
    lead: null,
    number: "+17865550123",
    at: at(30),
    textCount: 1,
    callCount: 0,
    lastTextId: 9,
    lastCallId: null,
    texts: [{ id: 9, message: "¿Quién es?", attachments: 0, createdAt: at(30) }],
    calls: [],
    ...over,
  };
}

const ines = buildLead({ id: 7, name: "Inés Duarte" });
const ramon = buildLead({ id: 8, name: "Ramón Ibarra" });
const leadOf = ({ id, name, company }: typeof ines) => ({
  id,
  name,
  company,
  assignedTo: 1,
  salesRepName: "Ana",
});
const first = entryOf({
  id: "lead:7",
  lead: leadOf(ines),
  texts: [{ id: 9, message: "Hola", attachments: 0, createdAt: at(30) }],
});
const second = entryOf({
  id: "lead:8",
  lead: leadOf(ramon),
  at: at(20),
  textCount: 0,
  callCount: 1,
  lastTextId: null,
  lastCallId: 4,
  texts: [],
  calls: [
    {
      id: 4,
      logId: 5,
      number: "+13055550188",
      result: "voicemail",
      startedAt: at(20),
      recordingSid: null,
      recordingSeconds: null,
      transcription: "Call me back",
      noTranscription: null,
    },
  ],
});
const stranger = entryOf({ id: "number:+17865550123", at: at(10) });

/** The server's inbox, which the test changes. */
function serveInbox(entries: InboxEntry[]) {
  const state = { entries, asked: [] as string[], done: [] as unknown[] };
  serveLeadsPage({ leads: [ines, ramon] });
  server.use(
    replyTo(listInbox, ({ request }) => {
      state.asked.push(new URL(request.url).searchParams.get("of") ?? "");
      return state.entries;
    }),
    replyTo(countInbox, () => ({ count: state.entries.length, isMore: false })),
    replyTo(listMessages, []),
    replyTo(markMessagesRead, { marked: 0 }),
    replyTo(settleInboxEntry, ({ params, body }) => {
      state.done.push([params.id, body]);
      state.entries = state.entries.filter(({ id }) => id !== params.id);
      return { texts: [], calls: [] };
    }),
    replyTo(reopenInboxEntry, ({ params, body }) => {
      state.done.push([params.id, body]);
      state.entries = [stranger];
      return { texts: [9], calls: [] };
    }),
  );
  return state;
}

const list = () => screen.findByRole("list", { name: "Who waits for an answer" });
const rows = async () => within(await list()).getAllByRole("button");
const address = () => `${window.location.pathname}${decodeURIComponent(window.location.search)}`;

beforeEach(() => localStorage.clear());

it("opens waiting entries by j and answers them by e, which focuses the next entry without opening it and keeps the order", async () => {
  const inbox = serveInbox([first, second, stranger]);
  const { user } = renderPortal("/inbox");
  expect(await rows()).toHaveLength(3);
  // The same count in the sidebar and above the list.
  expect(await screen.findByText("3 wait for an answer", { selector: "p" })).toBeDefined();
  const link = screen.getByRole("link", { name: /^Inbox/ });
  await waitFor(() => expect(link.textContent).toContain("3"));

  await user.keyboard("j");
  const pane = await screen.findByRole("region", { name: "Inés Duarte" });
  expect(address()).toBe("/inbox?entry=lead:7");
  expect(within(pane).getByRole("link", { name: "Inés Duarte" }).getAttribute("href")).toContain("/leads/7");
  const field = await within(pane).findByRole("textbox", { name: "Message" });
  // Enter on the open entry moves to the reply, and so does s from anywhere.
  const [row] = await rows();
  expect(document.activeElement).toBe(row);
  await user.keyboard("{Enter}");
  expect(document.activeElement).toBe(field);
  row?.focus();
  await user.keyboard("s");
  expect(document.activeElement).toBe(field);
  // In a field a shortcut key types its letter; Escape leaves the field and keeps the draft.
  await user.type(field, "je");
  expect(inbox.done).toEqual([]);
  await user.keyboard("{Escape}");
  expect(document.activeElement).toBe(row);
  expect((field as HTMLTextAreaElement).value).toBe("je");
  await user.keyboard("e");
  const [done, next] = await rows();
  await waitFor(() => expect(done?.textContent).toContain("Done"));
  expect(inbox.done).toEqual([["lead:7", { lastTextId: 9, lastCallId: null }]]);
  expect(await screen.findByText("2 wait for an answer", { selector: "p" })).toBeDefined();
  // The next entry has the focus but is not opened yet, and a second e does not apply to it.
  await waitFor(() => expect(document.activeElement).toBe(next));
  expect([address(), next?.getAttribute("aria-current")]).toEqual(["/inbox", null]);
  await user.keyboard("e");
  expect(inbox.done).toHaveLength(1);
  await user.keyboard("j");
  expect((await screen.findByRole("region", { name: "Ramón Ibarra" })).textContent).toContain("Call me back");
  expect(address()).toBe("/inbox?entry=lead:8");
});

it("moves on by e from a thread that opening it has answered", async () => {
  const inbox = serveInbox([first, second]);
  const { client, user } = renderPortal("/inbox");
  await rows();
  await user.keyboard("j");
  await screen.findByRole("region", { name: "Inés Duarte" });
  inbox.entries = [second];
  await client.invalidateQueries({
    predicate: ({ queryKey }) => String(queryKey[0]).startsWith("/api/inbox"),
  });
  const [answered, next] = await rows();
  await waitFor(() => expect(answered?.textContent).toContain("Done"));
  await user.keyboard("e");
  await waitFor(() => expect(document.activeElement).toBe(next));
  expect([address(), inbox.done]).toEqual(["/inbox", []]);
});

it("calls a lead at the additional number of its missed call, unless that number is refused", async () => {
  serveInbox([second]);
  const called: unknown[] = [];
  server.use(
    replyTo(getLead, { ...ramon, isMerged: true }),
    replyTo(listFurtherNumbers, [
      { phone: "+13055550188", callRefusal: null, callAllowedAt: null },
      { phone: "+13055550199", callRefusal: "number_fault", callAllowedAt: null },
    ]),
    replyTo(makeCall, ({ body }) => {
      called.push(body);
      return errorReply("rep_without_phone", "Set a phone number in Settings.");
    }),
  );
  const { user } = renderPortal("/inbox");
  await user.click((await rows())[0] as HTMLElement);
  const [from, refused] = within(await screen.findByRole("list", { name: "Further numbers" })).getAllByRole(
    "listitem",
  );
  expect(from?.textContent).toContain("Called from here");
  expect(refused?.textContent).toContain("wrong or out of service");
  expect(within(refused as HTMLElement).queryByRole("button")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Call Ramón Ibarra at (305) 555-0188" }));
  await waitFor(() => expect(called).toEqual([expect.objectContaining({ leadId: 8, to: "+13055550188" })]));
});

it("holds new entries behind a pill, or shows them at once if nothing waits", async () => {
  const inbox = serveInbox([second]);
  const { client, user } = renderPortal("/inbox");
  expect(await rows()).toHaveLength(1);
  inbox.entries = [first, second];
  await client.invalidateQueries({
    predicate: ({ queryKey }) => String(queryKey[0]).startsWith("/api/inbox"),
  });
  const pill = await screen.findByRole("button", { name: "1 new" });
  expect(await rows()).toHaveLength(1);
  await user.click(pill);
  await waitFor(async () => expect(await rows()).toHaveLength(2));
  expect(screen.queryByRole("button", { name: "1 new" })).toBeNull();
});

it("shows the texts of an unknown number, undoes Done, attaches it to a lead, and says so then", async () => {
  const inbox = serveInbox([stranger]);
  const given: unknown[] = [];
  server.use(
    replyTo(attachNumber, ({ body }) => {
      given.push(body);
      inbox.entries = [];
      return { texts: 1, calls: 0 };
    }),
  );
  const { user } = renderPortal("/inbox");
  const [row] = await rows();
  await user.click(row as HTMLElement);
  const pane = await screen.findByRole("region", { name: "(786) 555-0123" });
  expect(within(pane).getByText("¿Quién es?")).toBeDefined();
  expect(within(pane).queryByRole("textbox", { name: "Message" })).toBeNull();
  await user.click(within(pane).getByRole("button", { name: "Done (786) 555-0123" }));
  const [done] = await rows();
  await waitFor(() => expect(done?.textContent).toContain("Done"));
  await user.click(done as HTMLElement);
  await user.click(await screen.findByRole("button", { name: "Put back (786) 555-0123" }));
  await waitFor(() => expect(inbox.done.at(-1)).toEqual([stranger.id, { texts: [9], calls: [] }]));
  await waitFor(() => expect(done?.textContent).not.toContain("Done"));
  // Enter opens the entry, and on the open entry moves to what can be done about the number.
  done?.focus();
  await user.keyboard("{Enter}");
  const again = within(await screen.findByRole("region", { name: "(786) 555-0123" }));
  await user.keyboard("{Enter}{Enter}");
  await user.type(again.getByRole("searchbox"), "inés");
  await user.click(await again.findByRole("button", { name: /Inés Duarte/ }));
  await waitFor(() => expect(given).toEqual([{ number: "+17865550123", leadId: 7 }]));
  expect(await again.findByText("This number is now with")).toBeDefined();
  expect(again.getByRole("link", { name: "Inés Duarte" })).toBeDefined();
  expect(again.queryByText("Unknown number")).toBeNull();
  expect(again.queryByRole("button", { name: /^(New|Attach|Done|Put back)/ })).toBeNull();
});

it("offers nothing for a lead that was given to a colleague while it is open", async () => {
  serveInbox([first]);
  server.use(replyTo(getLead, ines));
  const { client, user } = renderPortal("/inbox");
  await user.click((await rows())[0] as HTMLElement);
  const pane = within(await screen.findByRole("region", { name: "Inés Duarte" }));
  expect(await pane.findByRole("button", { name: /^Call Now/ })).toBeDefined();
  server.use(replyTo(getLead, { ...ines, assignedTo: 3, salesRepName: "Luis Mora" }));
  await invalidatePaths(client, ["/api/leads"]);
  expect(await pane.findByText(/^This lead is with Luis Mora\./)).toBeDefined();
  expect(pane.queryByRole("button", { name: /^(Call|Transfer|Done|Put back|Send)/ })).toBeNull();
});

it("says to whom a number belongs once it was made a lead, and opens that lead", async () => {
  const inbox = serveInbox([stranger]);
  const made = buildLead({ id: 41, name: "Marta Peña" });
  server.use(
    replyTo(findKnownLeads, []),
    replyTo(getTimeline, []),
    replyTo(createLead, () => {
      inbox.entries = [];
      server.use(replyTo(getLead, made));
      return made;
    }),
  );
  const { user } = renderPortal("/inbox");
  await user.click((await rows())[0] as HTMLElement);
  const pane = within(await screen.findByRole("region", { name: "(786) 555-0123" }));
  await user.click(pane.getByRole("button", { name: "New lead with (786) 555-0123" }));
  await user.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Add Lead" }));
  const link = await pane.findByRole("link", { name: "Marta Peña" });
  expect(link.parentElement?.textContent).toBe("This number is now with Marta Peña");
  expect(pane.queryByRole("button", { name: /^(New|Attach|Done|Put back)/ })).toBeNull();
  expect(await screen.findByRole("dialog", { name: "Marta Peña" })).toBeDefined();
  expect(window.location.pathname).toBe("/leads/41");
});

it("shows an empty state, and offers everyone's entries to administrators only", async () => {
  const inbox = serveInbox([]);
  const { user, unmount } = renderPortal("/inbox", buildUser({ role: "admin" }));
  expect(await screen.findByText("Everybody has an answer")).toBeDefined();
  expect(screen.queryByText("Nobody chosen")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Everyone's" }));
  await waitFor(() => expect(inbox.asked).toContain("everyone"));
  expect(address()).toBe("/inbox?of=everyone");
  unmount();
  renderPortal("/inbox");
  expect(await screen.findByText("Everybody has an answer")).toBeDefined();
  expect(screen.queryByRole("button", { name: "Everyone's" })).toBeNull();
});

it("marks entries as answered only within the range that was read", () => {
  const newest = Array.from({ length: 50 }, (_, index) =>
    entryOf({ id: `call:${index}`, at: at(59 - index) }),
  );
  const older = entryOf({ id: "call:99", at: at(1) });
  const between = entryOf({ id: "call:98", at: at(40) });
  const { entries } = mergeEntries([...newest, between, older], newest);
  expect(entries.filter(({ isDone }) => isDone).map(({ id }) => id)).toEqual(["call:98"]);
  expect(mergeEntries([older], undefined).entries[0]?.isDone).toBe(false);
});

it("ignores its keys when single keys are switched off", async () => {
  const inbox = serveInbox([first, second]);
  const { user } = renderPortal("/inbox", buildUser({ singleKeys: false }));
  const [row] = await rows();
  if (row) await user.click(row);
  await user.click(await screen.findByRole("heading", { name: "Inés Duarte" }));
  await user.keyboard("jek");
  await screen.findByRole("textbox", { name: "Message" });
  expect([address(), inbox.done]).toEqual(["/inbox?entry=lead:7", []]);
});
