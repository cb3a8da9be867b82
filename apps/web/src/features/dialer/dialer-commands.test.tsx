import type { DialerSession } from "@portal/contract/entities/dialer";
import { commandDialer, wrapUpDialer } from "@portal/contract/routes/dialer";
import { screen, waitFor } from "@testing-library/react";
import { HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import {
  buildDialer,
  buildWrapUp,
  inSeconds,
  openDialerSession,
  serveDialer,
} from "../../testing/dialer-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { replyTo, server } from "../../testing/server.ts";
import { dismissToast } from "../../ui/toast.ts";

describe("a dialer command sent while another one is pending", () => {
  /** Responds to commands only on request, with the given sessions. */
  function holdCommands(dialer: ReturnType<typeof serveDialer>) {
    const sent: { command: string; position: number }[] = [];
    const waiting: ((session: DialerSession | Response) => void)[] = [];
    server.use(
      replyTo(commandDialer, async ({ body }) => {
        sent.push(body as (typeof sent)[number]);
        return new Promise<DialerSession | Response>((resolve) => waiting.push(resolve));
      }),
    );
    return {
      sent,
      /** The response to the last command; a Response if it is lost. */
      async answer(session: DialerSession, lost?: Response) {
        dialer.becomes(session);
        await waitFor(() => expect(waiting.length).toBeGreaterThan(0));
        waiting.shift()?.(lost ?? session);
      },
    };
  }
  const counting = buildDialer({ phase: "countdown", dueAt: inSeconds(60), version: 21 });
  const paused = buildDialer({ status: "paused", pauseReason: "consultant", version: 22 });
  const checking = buildDialer({ phase: "checking", version: 23 });
  const skipped = buildDialer({ phase: "countdown", position: 7, dueAt: inSeconds(60), version: 24 });
  const press = async (user: Awaited<ReturnType<typeof openDialerSession>>["user"], name: RegExp) => {
    const button = await screen.findByRole("button", { name });
    await waitFor(() => expect(button.getAttribute("aria-disabled")).toBeNull());
    await user.click(button);
  };

  // Regression: Skip within a second after Pause and Resume sent no command.
  it("is queued: Skip after Resume is sent once Resume is answered, for the same lead", async () => {
    const session = await openDialerSession(counting);
    const { sent, answer } = holdCommands(session);
    await press(session.user, /^Pause$/);
    await answer(paused);
    await press(session.user, /^Resume at lead 7/);
    await press(session.user, /^Skip$/);
    // Twice, by mistake.
    await session.user.click(screen.getByRole("button", { name: "Skip" }));
    expect(sent.map(({ command }) => command)).toEqual(["pause", "resume"]);
    await answer(checking);
    await waitFor(() => expect(sent).toHaveLength(3));
    await answer(skipped);
    expect(await session.panel.findByText("Lead 8 of 42")).toBeTruthy();
    expect(sent).toEqual([
      { command: "pause", position: 6 },
      { command: "resume", position: 6 },
      { command: "skip", position: 6 },
    ]);
  });

  it("is based on the updated session, also when the previous response was lost", async () => {
    const session = await openDialerSession(counting);
    const { sent, answer } = holdCommands(session);
    await press(session.user, /^Skip$/);
    // No other lead is called or skipped by a click made while this one was leaving.
    for (const name of ["Call now", "Hold", "Skip"])
      expect(screen.getByRole("button", { name }).getAttribute("aria-disabled")).toBe("true");
    await press(session.user, /^Pause$/);
    await press(session.user, /^Stop$/);
    await answer(skipped, HttpResponse.error());
    await waitFor(() => expect(sent.map(({ command }) => command)).toEqual(["skip", "pause"]));
    await answer(buildDialer({ status: "paused", position: 7, version: 25 }));
    await waitFor(() => expect(sent.map(({ command }) => command)).toEqual(["skip", "pause", "stop"]));
    await answer(buildDialer({ status: "stopped", position: 7, version: 26 }));
    expect(await screen.findByRole("button", { name: "Close" })).toBeTruthy();
  });

  it("is queued for Space and Save too: Pause during a wrap-up's save holds the next call", async () => {
    const session = await openDialerSession(buildWrapUp());
    const { sent, answer } = holdCommands(session);
    let saved: (session: DialerSession) => void = () => undefined;
    server.use(replyTo(wrapUpDialer, () => new Promise<DialerSession>((resolve) => (saved = resolve))));
    await session.user.keyboard("{Enter} ");
    expect(sent).toEqual([]);
    saved(skipped);
    await waitFor(() => expect(sent.map(({ command }) => command)).toEqual(["pause"]));
    await answer(buildDialer({ status: "paused", position: 7, version: 25 }));
    expect(await screen.findByRole("button", { name: "Resume at lead 8 of 42" })).toBeTruthy();
  });
});

describe("the summary after a session", () => {
  // Regression: closed with Escape, it returned on the next opening, after a reload and in other tabs.
  it("closes with Escape too", async () => {
    serveLeadsPage();
    const ended = buildDialer({ status: "completed", position: 42, version: 40, lead: null });
    const dialer = serveDialer(ended);
    const { user } = renderPortal("/");
    await user.click(await screen.findByRole("button", { name: "Auto-Dialer" }));
    expect(await screen.findByRole("heading", { name: "Session summary" })).toBeTruthy();
    dialer.becomes({ ...ended, closed: true, version: 41 });
    await user.keyboard("{Escape}");
    await waitFor(() => expect(dialer.asked.map(({ route }) => route)).toEqual(["close"]));
    await user.click(await screen.findByRole("button", { name: "Auto-Dialer" }));
    expect(await screen.findByRole("button", { name: "Start" })).toBeTruthy();
    await user.keyboard("{Escape}");
    expect(dialer.asked).toHaveLength(1);
  });

  it("shows call counts and totals, and closes with Close", async () => {
    const { client, publish, user, asked, becomes } = await openDialerSession(buildWrapUp({ position: 41 }));
    const ended = buildDialer({
      status: "completed",
      position: 42,
      version: 40,
      lead: null,
      counts: { dialled: 36, reached: 20, skipped: 5, failed: 1 },
    });
    await publish(client, ended);
    expect(await screen.findByText("36 leads called.")).toBeTruthy();
    dismissToast();
    expect(await screen.findByText("Completado")).toBeTruthy();
    expect(await screen.findByText("12:34")).toBeTruthy();
    expect(screen.getByText("Rita Vega")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "3 opted out" }));
    expect(screen.getByText("Óscar Peña")).toBeTruthy();
    becomes({ ...ended, closed: true, version: 41 });
    await user.click(screen.getByRole("button", { name: "Close" }));
    expect(await screen.findByRole("button", { name: "Start" })).toBeTruthy();
    expect(screen.getByText("Inactivo")).toBeTruthy();
    expect(asked.map(({ route }) => route)).toEqual(["close"]);
  });
});
