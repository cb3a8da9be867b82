import { createCallLog, getCall, getLiveCall, listCallLogs, makeCall } from "@portal/contract/routes/calls";
import { searchEverything } from "@portal/contract/routes/search";
import { listMessages } from "@portal/contract/routes/sms";
import { getTimeline } from "@portal/contract/routes/timeline";
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { allMessages, setLanguage } from "../lib/i18n.ts";
import { keyDialog, keyTable, singleKeys } from "../lib/keys.ts";
import { buildUser } from "../testing/builders.ts";
import { buildCall, buildCallLog, buildLead } from "../testing/lead-builders.ts";
import { serveLeadsPage } from "../testing/leads-server.ts";
import { renderPortal } from "../testing/render-portal.tsx";
import { errorReply, replyTo, server } from "../testing/server.ts";

// Loaded on first use; on a busy machine that takes time.
beforeAll(
  () =>
    Promise.all([
      import("./keyboard.tsx"),
      import("./command-palette.tsx"),
      import("./key-sheet.tsx"),
      import("../features/leads/panel/lead-panel-dock.tsx"),
      import("../features/telephony/call/call-dialog.tsx"),
    ]),
  60_000,
);
beforeEach(() => {
  server.use(replyTo(getTimeline, []));
  act(() => {
    keyDialog.set(null);
    singleKeys.set(true);
  });
});

const ines = buildLead();
const ramon = buildLead({ id: 8, name: "Ramón Ibarra", email: "ramon@example.com" });
const nameOf = (name: string) => screen.findByRole("link", { name });

/** Renders the page with two leads; returns the requested calls. */
async function openPage(user = buildUser()) {
  serveLeadsPage({ leads: [ines, ramon] });
  const asked: number[] = [];
  server.use(
    replyTo(makeCall, ({ body }) => {
      asked.push((body as { leadId: number }).leadId);
      return { callSid: "CA31", callId: 31, officeLine: null };
    }),
    replyTo(getCall, buildCall()),
  );
  const rendered = renderPortal("/", user);
  await nameOf("Ramón Ibarra");
  // The first press loads the code, which later presses find loaded.
  await rendered.user.keyboard("j");
  await waitFor(async () => expect(document.activeElement).toBe(await nameOf("Inés Duarte")));
  return { ...rendered, asked };
}

describe("single-key shortcuts", () => {
  it("move through the list, open a lead, and move through leads in the panel", async () => {
    const { user } = await openPage();
    await user.keyboard("jk");
    expect(document.activeElement).toBe(await nameOf("Inés Duarte"));
    await user.keyboard("j{Enter}");
    await screen.findByRole("dialog", { name: "Ramón Ibarra" });
    await user.keyboard("k");
    await screen.findByRole("dialog", { name: "Inés Duarte" });
  });

  /** Presses keys in sequence before the shortcuts' code has loaded; `ago` in ms. */
  async function pressEarly(keys: string, ago = 0) {
    serveLeadsPage({ leads: [ines, ramon] });
    const asked: number[] = [];
    server.use(
      replyTo(makeCall, ({ body }) => {
        asked.push((body as { leadId: number }).leadId);
        return { callSid: "CA31", callId: 31, officeLine: null };
      }),
      replyTo(getCall, buildCall()),
    );
    renderPortal("/");
    await nameOf("Ramón Ibarra");
    act(() => {
      for (const key of keys) {
        const event = new KeyboardEvent("keydown", { key, bubbles: true });
        Object.defineProperty(event, "timeStamp", { value: performance.now() - ago });
        document.body.dispatchEvent(event);
      }
    });
    return asked;
  }

  it("run in order once their code has loaded", async () => {
    const asked = await pressEarly("jjc");
    await waitFor(() => expect(asked).toEqual([ramon.id]));
    await screen.findByRole("dialog", { name: "Call Ramón Ibarra" });
  });

  it("are dropped if they were pressed more than 3 seconds before their code loaded", async () => {
    const asked = await pressEarly("jjc", 3_000);
    // Keys pressed from here on count again, each time from the top of the page.
    await waitFor(async () => {
      act(() => {
        (document.activeElement as HTMLElement).blur();
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
      });
      expect(document.activeElement).toBe(await nameOf("Inés Duarte"));
    });
    expect(asked).toEqual([]);
  });

  it("stop after the first one that opens something, because the rest may be typed text", async () => {
    const asked = await pressEarly("jnc");
    await screen.findByRole("dialog", { name: "Inés Duarte" });
    expect(asked).toEqual([]);
  });

  it("start a call at once when the user confirms with 1 on their phone, and no second call while it is live", async () => {
    const { user, asked } = await openPage();
    await user.keyboard("c");
    const dock = await screen.findByRole("dialog", { name: "Call Inés Duarte" });
    expect(asked).toEqual([7]);
    (await nameOf("Ramón Ibarra")).focus();
    await user.keyboard("c");
    expect(await screen.findByText("You are already on a call.")).toBeTruthy();
    within(dock).getByRole("button", { name: "Minimize" }).click();
    await screen.findByRole("region", { name: "Call Inés Duarte" });
    (await nameOf("Ramón Ibarra")).focus();
    await user.keyboard("c");
    expect(asked).toEqual([7]);
  });

  it("only open the call dialog, with Start Call focused, when the lead would ring at once", async () => {
    const { user, asked } = await openPage(buildUser({ pressOne: false }));
    await user.keyboard("c");
    const dock = within(await screen.findByRole("dialog", { name: "Call Inés Duarte" }));
    const start = await dock.findByRole("button", { name: "Start Call" });
    await waitFor(() => expect(document.activeElement).toBe(start));
    expect(asked).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() => expect(asked).toEqual([7]));
  });

  it("do nothing when held down, with Ctrl, Alt or Cmd, in fields, or over an open menu, list or dialog", async () => {
    const { user, asked } = await openPage();
    const name = await nameOf("Inés Duarte");
    name.dispatchEvent(new KeyboardEvent("keydown", { key: "c", repeat: true, bubbles: true }));
    // If the first of two keys is held long, the next is the second of the sequence, not a shortcut of its own.
    for (const [key, repeat] of [
      ["g", false],
      ["g", true],
      ["n", false],
    ] as const)
      act(() => void name.dispatchEvent(new KeyboardEvent("keydown", { key, repeat, bubbles: true })));
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(window.location.pathname).toBe("/");
    await user.keyboard("{Control>}c{/Control}{Alt>}c{/Alt}{Meta>}c{/Meta}{Shift>}C{/Shift}");
    await user.type(screen.getByRole("searchbox"), "csfngl?j");
    const list = document.createElement("ul");
    list.setAttribute("role", "listbox");
    document.body.append(list);
    name.focus();
    await user.keyboard("c");
    list.remove();
    await user.click(screen.getByRole("button", { name: "Update Status Inés Duarte" }));
    await screen.findByRole("dialog");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(asked).toEqual([]);
    expect(window.location.pathname).toBe("/");
    // Caps Lock does not change the shortcut.
    name.focus();
    name.dispatchEvent(new KeyboardEvent("keydown", { key: "C", bubbles: true }));
    await waitFor(() => expect(asked).toEqual([7]));
  });

  it("can all be switched off, digits included, while Ctrl+K still works", async () => {
    serveLeadsPage({ leads: [ines], logs: [buildCallLog()] });
    const { user } = renderPortal("/", buildUser({ singleKeys: false }));
    const name = await screen.findAllByRole("link", { name: "Inés Duarte" });
    name.at(-1)?.focus();
    (await screen.findByRole("button", { name: "Voicemail Suggested" })).focus();
    let saved = 0;
    server.use(
      replyTo(createCallLog, () => {
        saved += 1;
        return buildCallLog();
      }),
    );
    await user.keyboard("2c?gl/");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(saved).toBe(0);
    await user.keyboard("{Control>}k{/Control}");
    expect(await screen.findByRole("combobox", { name: "Search everything" })).toBeTruthy();
  });

  it("open pages and focus the page's search field, and ? lists them all in both languages", async () => {
    const { user } = await openPage();
    await user.keyboard("/");
    expect(document.activeElement).toBe(screen.getByRole("searchbox"));
    (await nameOf("Inés Duarte")).focus();
    await user.keyboard("?");
    const sheet = within(await screen.findByRole("dialog", { name: "Keyboard shortcuts" }));
    expect(sheet.getAllByRole("term")).toHaveLength(Object.keys(keyTable).length);
    act(() => setLanguage("es"));
    expect(await screen.findByRole("dialog", { name: "Atajos de teclado" })).toBeTruthy();
    act(() => setLanguage("en"));
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("gs");
    expect(await screen.findByRole("heading", { name: "Settings", level: 1 })).toBeTruthy();
    expect(Object.keys(allMessages.get("keys")?.pairs ?? {})).toEqual(
      expect.arrayContaining(Object.keys(keyTable)),
    );
  });

  it("never call a lead whose note or text is being opened: what is typed meanwhile goes into it", async () => {
    const { user, asked } = await openPage();
    await user.keyboard("nCall back, cost 9");
    const note = await screen.findByRole("textbox", { name: "Note" });
    await waitFor(() => expect(note).toHaveProperty("value", "Call back, cost 9"));
    await user.keyboard("0");
    expect(note).toHaveProperty("value", "Call back, cost 90");
    expect(asked).toEqual([]);
    // Where the panel with its field is there already, the keys work on the page again at once.
    await user.keyboard("{Escape}{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.keyboard("c");
    await waitFor(() => expect(asked).toEqual([7]));
  });

  it("start a note, a follow-up and a text in the lead's panel", async () => {
    const { user } = await openPage();
    await user.keyboard("n");
    const panel = within(await screen.findByRole("dialog", { name: "Inés Duarte" }));
    const note = await panel.findByRole("textbox", { name: "Note" });
    await waitFor(() => expect(document.activeElement).toBe(note));
    panel.getByRole("heading", { name: "Inés Duarte" }).focus();
    await user.keyboard("f");
    await waitFor(() => expect(document.activeElement?.getAttribute("data-act")).toBe("followUp"));
  });

  it("never call a lead whose text is being opened beside a call that needs its outcome", async () => {
    serveLeadsPage({ leads: [ines], logs: [buildCallLog({ confirmed: false })] });
    const asked: unknown[] = [];
    server.use(
      replyTo(makeCall, ({ body }) => {
        asked.push(body);
        return { callSid: "CA31", callId: 31, officeLine: null };
      }),
      replyTo(getLiveCall, { call: null }),
      replyTo(listMessages, []),
    );
    const { user } = renderPortal("/");
    const line = await screen.findByRole("button", { name: "Voicemail Suggested" });
    // The first press loads the code.
    await user.keyboard("j");
    await waitFor(() => expect(document.activeElement?.getAttribute("data-lead-link")).toBe("7"));
    line.closest("li")?.querySelector<HTMLElement>("[data-lead-link]")?.focus();
    await user.keyboard("s");
    await user.keyboard("Can you call me?");
    const text = await screen.findByRole("textbox", { name: "Message" });
    await waitFor(() => expect(text).toHaveProperty("value", "Can you call me?"));
    expect(asked).toEqual([]);
  });

  it("correct the last outcome in place", async () => {
    serveLeadsPage({ leads: [ines], logs: [buildCallLog()] });
    const saved: unknown[] = [];
    server.use(
      replyTo(createCallLog, ({ body }) => {
        saved.push(body);
        server.use(replyTo(listCallLogs, []));
        return buildCallLog({ confirmed: true });
      }),
      replyTo(getLiveCall, { call: null }),
    );
    const { user } = renderPortal("/");
    (await screen.findByRole("button", { name: "Voicemail Suggested" })).focus();
    await user.keyboard("4");
    await waitFor(() => expect(saved).toHaveLength(1));
    await screen.findByText("Call Log Saved");
    await user.keyboard("u");
    const dialog = within(await screen.findByRole("dialog", { name: "Correct the outcome" }));
    expect(dialog.getByRole("button", { name: "Busy" }).getAttribute("aria-pressed")).toBe("true");
    await user.keyboard("3");
    await waitFor(() => expect(saved).toHaveLength(2));
    expect(saved).toMatchObject([
      { twilioCallSid: "CA51", outcome: "busy" },
      { twilioCallSid: "CA51", outcome: "no_answer" },
    ]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});

describe("the global search", () => {
  const none = { items: [], count: 0, isMore: false, isCut: false };
  const lead = (id: number, name: string) => ({
    ...{ id, name, company: null, phone: "+18135550100", email: null },
    ...{ status: "new" as const, isOwn: true, salesRepName: null },
  });
  const leadsAnswer = (...items: ReturnType<typeof lead>[]) => ({
    ...{ hasFew: false, notes: none, texts: none, calls: none },
    leads: { ...none, items, count: items.length },
  });

  it("shows only the newest response, keeps the selection in place, and opens a lead", async () => {
    const first = Promise.withResolvers<void>();
    server.use(
      replyTo(searchEverything, async ({ request }) => {
        const q = new URL(request.url).searchParams.get("q");
        if (q === "in") {
          await first.promise;
          return leadsAnswer(lead(99, "Stale"));
        }
        return leadsAnswer(lead(7, "Inés Duarte"), lead(8, "Ramón Ibarra"));
      }),
    );
    const { user } = await openPage();
    await user.keyboard("{Control>}k{/Control}");
    const field = await screen.findByRole("combobox", { name: "Search everything" });
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(screen.getByRole("option", { name: /Call Inés Duarte/ })).toBeTruthy();
    await user.type(field, "in");
    await user.type(field, "es");
    const option = await screen.findByRole("option", { name: /Ramón Ibarra/ });
    first.resolve();
    await user.keyboard("{ArrowDown}");
    expect(field.getAttribute("aria-activedescendant")).toBe(option.id);
    expect(screen.queryByRole("option", { name: /Stale/ })).toBeNull();
    await user.keyboard("{Enter}");
    await screen.findByRole("dialog", { name: "Ramón Ibarra" });
    expect(window.location.pathname).toBe("/leads/8");
  });

  it("applies an Enter pressed before the response to the found lead, and finds similar spellings", async () => {
    server.use(
      replyTo(searchEverything, ({ request }) => {
        const { searchParams } = new URL(request.url);
        if (searchParams.get("similar") === "true") return leadsAnswer(lead(8, "Ramón Ibarra"));
        return { ...leadsAnswer(), hasFew: true };
      }),
    );
    const { user } = await openPage();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox", { name: "Search everything" }), "ramonn{Enter}");
    expect(await screen.findByRole("group", { name: /Similar/ })).toBeTruthy();
    expect(screen.getByRole("option", { name: /Ramón Ibarra/ })).toBeTruthy();
    server.use(replyTo(searchEverything, leadsAnswer(lead(7, "Inés Duarte"))));
    await user.type(screen.getByRole("combobox", { name: "Search everything" }), "x{Enter}");
    await screen.findByRole("dialog", { name: "Inés Duarte" });
  });

  it("reports that nothing was found, and that the search failed", async () => {
    server.use(replyTo(searchEverything, leadsAnswer()));
    const { user } = await openPage();
    await user.keyboard("{Control>}k{/Control}");
    const field = await screen.findByRole("combobox", { name: "Search everything" });
    await user.type(field, "zzz");
    expect(await screen.findByText("Nothing found for “zzz”.")).toBeTruthy();
    server.use(replyTo(searchEverything, () => errorReply("unavailable", "The database does not answer.")));
    await user.type(field, "q");
    expect((await screen.findByRole("alert")).textContent).toContain("The database does not answer.");
    await user.clear(field);
    await user.type(field, "setti{Enter}");
    expect(await screen.findByRole("heading", { name: "Settings", level: 1 })).toBeTruthy();
  });

  it("starts a new lead, prefilled with the typed number if no lead has it", async () => {
    server.use(replyTo(searchEverything, leadsAnswer()));
    const { user } = await openPage();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox", { name: "Search everything" }), "(813) 555-0177");
    await user.click(await screen.findByRole("option", { name: "New lead with (813) 555-0177" }));
    const dialog = await screen.findByRole("dialog", { name: "New Lead" });
    expect(within(dialog).getByRole<HTMLInputElement>("textbox", { name: "Phone" }).value).toBe(
      "(813) 555-0177",
    );
    await user.keyboard("{Escape}");
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByRole("combobox", { name: "Search everything" }), "new lead{Enter}");
    expect(await screen.findByRole("dialog", { name: "New Lead" })).toBeTruthy();
  });
});
