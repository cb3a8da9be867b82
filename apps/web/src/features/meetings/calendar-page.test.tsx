import {
  createMeeting,
  deleteMeeting,
  findClash,
  listEarlierMeetings,
  listMeetings,
  updateMeeting,
} from "@portal/contract/routes/meetings";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { buildMeeting } from "../../testing/builders.ts";
import { buildLead } from "../../testing/lead-builders.ts";
import { renderApp } from "../../testing/render.tsx";
import { renderPortal } from "../../testing/render-portal.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";
import MeetingDialog from "./meeting-dialog.tsx";

// Lazy parts: their code is loaded before a test sets the clock.
beforeAll(async () => {
  await Promise.all([
    import("./calendar-page.tsx"),
    import("./meeting-dialog.tsx"),
    import("../leads/leads-page.tsx"),
  ]);
});

const hour = 3_600_000;
/** Noon, this many days from today, in the browser's zone. */
function noon(days: number): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, 12);
}
const times = (days: number, hours = 0) => {
  const start = noon(days).getTime() + hours * hour;
  return { startTime: new Date(start).toISOString(), endTime: new Date(start + hour / 2).toISOString() };
};
const serveClash = () => server.use(replyTo(findClash, { clash: null }));
const serve = (...meetings: ReturnType<typeof buildMeeting>[]) =>
  server.use(replyTo(listMeetings, meetings, { "x-total-count": String(meetings.length) }));

async function openMenu(title: string, item: string) {
  const { user } = renderPortal("/calendar");
  await user.click(await screen.findByRole("button", { name: `Actions for ${title}` }));
  await user.click(await screen.findByRole("menuitem", { name: item }));
  return user;
}

describe("the calendar", () => {
  it("groups meetings by day in order, with badge, link, attendees and description", async () => {
    serve(
      buildMeeting({ id: 1, title: "Later", ...times(1, 2), calendarType: "outlook" }),
      buildMeeting({ id: 2, title: "Sooner", ...times(1), calendarType: "local" }),
      buildMeeting({
        id: 3,
        title: "Now",
        ...times(0),
        sync: "synced",
        meetingLink: "https://meet.example.com/a",
        attendeeEmails: "a@example.com, b@example.com",
        description: "Bring the offer",
      }),
      buildMeeting({
        id: 4,
        title: "Far",
        startTime: "2031-02-03T17:00:00.000Z",
        endTime: "2031-02-03T17:30:00.000Z",
      }),
    );
    renderPortal("/calendar");
    await screen.findByRole("article", { name: "Now" });
    const headings = screen.getAllByRole("heading", { level: 2 }).map((each) => each.textContent);
    expect(headings.slice(-3)).toEqual(["Today", "Tomorrow", "Feb 3, 2031"]);
    const articles = screen.getAllByRole("article").map((each) => each.getAttribute("aria-label"));
    expect(articles).toEqual(["Now", "Sooner", "Later", "Far"]);
    const card = within(screen.getByRole("article", { name: "Now" }));
    expect(card.getByText("Google")).toBeTruthy();
    expect(card.getByText("12:00 PM – 12:30 PM")).toBeTruthy();
    expect(card.getByText("2 attendees")).toBeTruthy();
    expect(card.getByText("Bring the offer")).toBeTruthy();
    const link = card.getByRole<HTMLAnchorElement>("link", { name: "Join Meeting: Now" });
    expect([link.textContent, link.href]).toEqual(["Join Meeting", "https://meet.example.com/a"]);
    setLanguage("es");
    expect(await screen.findByRole("heading", { name: "3 feb 2031" })).toBeTruthy();
    expect(screen.getByRole("heading", { name: "Mañana" })).toBeTruthy();
  });

  it("shows in which calendar a meeting is stored", async () => {
    serve(
      buildMeeting({ id: 1, title: "Never connected", ...times(1), sync: "none" }),
      buildMeeting({ id: 2, title: "Waits", ...times(1), sync: "pending" }),
      buildMeeting({ id: 3, title: "Refused", ...times(1), sync: "failed", syncError: "Invalid attendee" }),
      buildMeeting({ id: 4, title: "There", ...times(1), sync: "synced" }),
    );
    renderPortal("/calendar");
    const words = async (name: string) => (await screen.findByRole("article", { name })).textContent;
    expect(await words("Never connected")).toMatch(/Local.*Only here: Google is not connected/);
    expect(await words("Waits")).toMatch(/Google · not synced.*Waiting to go to Google/);
    expect(await words("Refused")).toMatch(/Google · not synced.*Google refused it: Invalid attendee/);
    expect(await words("There")).toMatch(/ThereGoogle(?! ·)/);
  });

  it("collapses past days until they are requested, the latest first", async () => {
    serve();
    server.use(
      replyTo(listEarlierMeetings, [
        buildMeeting({ id: 8, title: "Yesterday", ...times(-1) }),
        buildMeeting({ id: 9, title: "Long ago", startTime: "2024-02-03T17:00:00.000Z" }),
      ]),
    );
    const { user } = renderPortal("/calendar");
    const earlier = await screen.findByRole("button", { name: "Earlier meetings", expanded: false });
    expect(await screen.findByText("No meetings scheduled")).toBeTruthy();
    expect(screen.queryByRole("article")).toBeNull();
    await user.click(earlier);
    const articles = screen.getAllByRole("article").map((each) => each.getAttribute("aria-label"));
    expect(articles).toEqual(["Yesterday", "Long ago"]);
    expect(screen.getByRole("region", { name: "Feb 3, 2024" })).toBeTruthy();
    await user.click(earlier);
    expect(screen.queryByRole("article")).toBeNull();
  });

  it("asks the recorded question before deleting, and shows why a deletion failed", async () => {
    const meeting = buildMeeting({ ...times(1) });
    serve(meeting);
    server.use(refuse(deleteMeeting, "unavailable", "Busy"));
    const user = await openMenu("Solar offer", "Delete");
    expect(await screen.findByText("Are you sure you want to delete this event?")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("Failed to delete event: Busy")).toBeTruthy();
    server.use(replyTo(deleteMeeting, { message: "ok" }), replyTo(listMeetings, []));
    await user.click(await screen.findByRole("button", { name: "Actions for Solar offer" }));
    await user.click(await screen.findByRole("menuitem", { name: "Delete" }));
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    expect(await screen.findByText("No meetings scheduled")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Schedule Your First Meeting" })).toBeTruthy();
  });
});

describe("scheduling a meeting", () => {
  it("from a lead: requires the missing fields, reports invalid addresses and a clash, and sends the lead's id", async () => {
    const sent: unknown[] = [];
    server.use(
      replyTo(findClash, { clash: { title: "Team", ...times(1) } }),
      replyTo(createMeeting, ({ body }) => {
        sent.push(body);
        return buildMeeting(times(1));
      }),
    );
    let closed = 0;
    const { user } = renderApp(
      <MeetingDialog lead={buildLead()} onClose={() => (closed += 1)} returnFocusTo={{ current: null }} />,
    );
    const dialog = within(await screen.findByRole("dialog", { name: "Schedule Meeting" }));
    expect(dialog.getByText("With Inés Duarte")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Schedule Meeting" }));
    expect(await screen.findByText("Missing Information")).toBeTruthy();
    expect(screen.getByText("Please fill in all required fields.")).toBeTruthy();
    expect(dialog.getAllByText("Required")).toHaveLength(3);

    await user.type(dialog.getByRole("textbox", { name: "Title" }), "Heat pump");
    await user.click(dialog.getByRole("button", { name: /^Date/ }));
    const month = within(await screen.findByRole("dialog", { name: "Calendar" }));
    const today = month.getByRole("button", { name: /^Today/ });
    expect(today.getAttribute("disabled")).toBeNull();
    await user.click(today);
    fireEvent.change(dialog.getByLabelText("Time"), { target: { value: "23:15" } });
    expect(await dialog.findByText(/You already have “Team” at that time/)).toBeTruthy();
    await user.type(dialog.getByRole("textbox", { name: "Attendees" }), "a@example.com, b@");
    await user.click(dialog.getByRole("button", { name: "Schedule Meeting" }));
    expect(dialog.getByText("Not an email address: b@")).toBeTruthy();
    expect(sent).toEqual([]);
    await user.type(dialog.getByRole("textbox", { name: "Attendees" }), "example.com");
    await user.type(dialog.getByRole("textbox", { name: "Meeting link" }), "zoom");
    await user.click(dialog.getByRole("button", { name: "Schedule Meeting" }));
    expect(dialog.getByText(/^Enter a web address/)).toBeTruthy();
    expect(sent).toEqual([]);
    await user.type(dialog.getByRole("textbox", { name: "Meeting link" }), ".us/j/1");
    await user.click(dialog.getByRole("button", { name: "Invite ines.duarte@example.com" }));
    await user.click(dialog.getByRole("button", { name: "Schedule Meeting" }));
    expect(await screen.findByText("Meeting Scheduled")).toBeTruthy();
    const start = noon(0).setHours(23, 15);
    expect(sent).toMatchObject([
      {
        title: "Heat pump",
        leadId: 7,
        calendarType: "google",
        attendeeEmails: "a@example.com, b@example.com, ines.duarte@example.com",
        startTime: new Date(start).toISOString(),
        endTime: new Date(start + hour / 2).toISOString(),
        clientRef: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
    await waitFor(() => expect(closed).toBe(1));
  });

  it("keeps the input when saving fails, and retries with the same reference", async () => {
    const sent: { clientRef: string }[] = [];
    serveClash();
    server.use(
      replyTo(createMeeting, ({ body }) => {
        sent.push(body as { clientRef: string });
        return Response.json({ message: "Busy", code: "unavailable" }, { status: 503 });
      }),
    );
    const { user } = renderPortal("/calendar");
    await user.click(await screen.findByRole("button", { name: "Schedule Your First Meeting" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Schedule Meeting" }));
    await user.type(dialog.getByRole("textbox", { name: "Title" }), "Offer");
    await user.click(dialog.getByRole("button", { name: /^Date/ }));
    await user.click(await screen.findByRole("button", { name: /^Today/ }));
    fireEvent.change(dialog.getByLabelText("Time"), { target: { value: "23:00" } });
    await user.click(dialog.getByRole("button", { name: "Schedule Meeting" }));
    expect(await screen.findByText("Failed to create/update calendar event: Busy")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Schedule Meeting" }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[0]?.clientRef).toBe(sent[1]?.clientRef);
    expect(dialog.getByRole<HTMLInputElement>("textbox", { name: "Title" }).value).toBe("Offer");
  });

  it("shows an insecure link as text only, and rejects a new one", async () => {
    serve(buildMeeting({ ...times(1), meetingLink: "http://meet.example.com/a" }));
    serveClash();
    const user = await openMenu("Solar offer", "Edit");
    expect(screen.getByText("http://meet.example.com/a")).toBeTruthy();
    expect(screen.queryByRole("link", { name: /Join Meeting/ })).toBeNull();
    const link = within(await screen.findByRole("dialog", { name: "Edit Meeting" })).getByRole("textbox", {
      name: "Meeting link",
    });
    await user.clear(link);
    await user.type(link, "http://meet.example.com/b");
    await user.tab();
    expect(link.getAttribute("aria-invalid")).toBe("true");
  });

  it("sends only the changed fields of a meeting, and the zone only with new times", async () => {
    serve(buildMeeting({ ...times(1), timeZone: "Asia/Tokyo", meetingLink: "https://meet.example.com/a" }));
    serveClash();
    const sent: unknown[] = [];
    server.use(
      replyTo(updateMeeting, ({ body }) => {
        sent.push(body);
        return buildMeeting(times(1));
      }),
    );
    const user = await openMenu("Solar offer", "Edit");
    expect(screen.getByText(/^[\d:]+ [AP]M – [\d:]+ [AP]M in Tokyo$/)).toBeTruthy();
    const dialog = within(await screen.findByRole("dialog", { name: "Edit Meeting" }));
    expect(dialog.getByText(/The meeting was scheduled for .+ in Tokyo\./)).toBeTruthy();
    await user.clear(dialog.getByRole("textbox", { name: "Title" }));
    await user.type(dialog.getByRole("textbox", { name: "Title" }), "New title");
    await user.click(dialog.getByRole("button", { name: "Update Meeting" }));
    expect(await screen.findByText("Meeting Updated")).toBeTruthy();
    expect(sent).toEqual([{ title: "New title" }]);
  });
});
