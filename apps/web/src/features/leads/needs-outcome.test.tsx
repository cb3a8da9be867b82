import { createCallLog, listCallLogs } from "@portal/contract/routes/calls";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it, vi } from "vitest";
import { buildCallLog } from "../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";

const first = buildCallLog();
const second = buildCallLog({
  id: 52,
  leadId: 8,
  leadName: "Óscar Peña",
  outcome: null,
  twilioCallSid: "CA52",
});

const strip = () => screen.findByRole("region", { name: /Needs outcome/ });

describe("the Needs outcome list", () => {
  it("is hidden when every call has its outcome", async () => {
    serveLeadsPage();
    renderPortal("/");
    await screen.findByRole("article");
    expect(screen.queryByRole("region", { name: /Needs outcome/ })).toBeNull();
  });

  it("keeps its height for the next visit, so that nothing below it moves; on a first visit no lead waits for it", async () => {
    serveLeadsPage({ logs: [first] });
    const firstAnswer = Promise.withResolvers<(typeof first)[]>();
    server.use(replyTo(listCallLogs, () => firstAnswer.promise));
    const { container, unmount } = renderPortal("/");
    await screen.findByRole("article");
    // What follows such a mark is hidden by styles.css.
    expect(container.querySelector(".late-part")).toBeNull();
    vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(214);
    firstAnswer.resolve([first]);
    await strip();
    unmount();
    const answer = Promise.withResolvers<[]>();
    server.use(replyTo(listCallLogs, () => answer.promise));
    const again = renderPortal("/");
    await screen.findByRole("article");
    const room = () => again.container.querySelector("main [style='height: 214px;']");
    expect(room()).not.toBeNull();
    answer.resolve([]);
    await waitFor(() => expect(room()).toBeNull());
  });

  it("counts the calls and marks the provider's suggested outcome", async () => {
    serveLeadsPage({ logs: [first, second] });
    renderPortal("/");
    const region = within(await strip());
    expect(region.getByText("2 calls")).toBeTruthy();
    const [row] = region.getAllByRole("listitem");
    if (!row) throw new Error("no row");
    expect(within(row).getByRole("button", { name: "Voicemail Suggested" })).toBeTruthy();
  });

  it("saves the tapped outcome with the call's SID and removes the row", async () => {
    serveLeadsPage({ logs: [first] });
    let sent: unknown;
    server.use(
      replyTo(createCallLog, ({ body }) => {
        sent = body;
        server.use(replyTo(listCallLogs, []));
        return buildCallLog({ outcome: "wrong_number", confirmed: true });
      }),
    );
    const { user } = renderPortal("/");
    await user.click(within(await strip()).getByRole("button", { name: "Wrong Number" }));
    expect(await screen.findByText("Call Log Saved")).toBeTruthy();
    expect(sent).toMatchObject({
      leadId: 7,
      outcome: "wrong_number",
      duration: 12,
      notes: null,
      callType: "browser",
      twilioCallSid: "CA51",
    });
    await waitFor(() => expect(screen.queryByRole("region", { name: /Needs outcome/ })).toBeNull());
  });

  it("suggests nothing for a call that could not be connected, which may be left without an outcome", async () => {
    serveLeadsPage({ logs: [{ ...first, outcome: "not_connected" }] });
    let sent: unknown;
    server.use(
      replyTo(createCallLog, ({ body }) => {
        sent = body;
        server.use(replyTo(listCallLogs, []));
        return buildCallLog({ outcome: "not_connected", confirmed: true });
      }),
    );
    const { user } = renderPortal("/");
    const region = within(await strip());
    expect(region.getByRole("listitem", { name: /Could not be connected/ })).toBeTruthy();
    expect(region.queryByRole("button", { name: /Suggested/ })).toBeNull();
    await user.click(region.getByRole("button", { name: "Keep as is" }));
    await waitFor(() => expect(sent).toMatchObject({ outcome: "not_connected", twilioCallSid: "CA51" }));
  });

  it("handles a digit for the call that has the focus, and nowhere else", async () => {
    serveLeadsPage({ logs: [first, second] });
    const sent: unknown[] = [];
    server.use(
      replyTo(createCallLog, ({ body }) => {
        sent.push(body);
        return buildCallLog({ confirmed: true });
      }),
    );
    const { user } = renderPortal("/");
    await strip();
    await user.type(screen.getByRole("searchbox"), "4");
    await user.click(await screen.findByRole("button", { name: "Update Status Inés Duarte" }));
    await screen.findByRole("dialog");
    await user.keyboard("5");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent).toEqual([]);
    // A digit typed elsewhere on the page sets no outcome.
    (document.activeElement as HTMLElement | null)?.blur();
    await user.keyboard("2");
    screen.getByRole("button", { name: "Update Status Inés Duarte" }).focus();
    await user.keyboard("2");
    expect(sent).toEqual([]);
    within(await strip())
      .getByRole("button", { name: "Voicemail Suggested" })
      .focus();
    await user.keyboard("{Control>}2{/Control}3");
    await waitFor(() => expect(sent).toMatchObject([{ twilioCallSid: "CA51", outcome: "no_answer" }]));
  });

  it("saves an outcome with one digit and moves to the next call", async () => {
    serveLeadsPage({ logs: [first, second] });
    const sent: unknown[] = [];
    server.use(
      replyTo(createCallLog, ({ body }) => {
        sent.push(body);
        if (sent.length === 1) server.use(replyTo(listCallLogs, [second]));
        return buildCallLog({ confirmed: true });
      }),
    );
    const { user } = renderPortal("/");
    within(await strip())
      .getByRole("button", { name: "Voicemail Suggested" })
      .focus();
    await user.keyboard("2");
    await waitFor(() => expect(sent).toHaveLength(1));
    await user.keyboard("3");
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent).toMatchObject([
      { twilioCallSid: "CA51", outcome: "voicemail" },
      { twilioCallSid: "CA52", outcome: "no_answer" },
    ]);
  });

  it("restores the call when its outcome could not be saved", async () => {
    serveLeadsPage({ logs: [first] });
    server.use(refuse(createCallLog, "internal", "Something went wrong."));
    const { user } = renderPortal("/");
    await user.click(within(await strip()).getByRole("button", { name: "Busy" }));
    expect(await screen.findByText("Failed to save call log")).toBeTruthy();
    expect(within(await strip()).getByText("1 call")).toBeTruthy();
  });
});
