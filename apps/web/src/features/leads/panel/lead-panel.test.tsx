import { addNote, getLead, listExtraFields, renameLead, updateLead } from "@portal/contract/routes/leads";
import { getTimeline } from "@portal/contract/routes/timeline";
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { leadPanelRewrite } from "../../../lib/lead-panel.ts";
import { invalidatePaths } from "../../../lib/query-client.ts";
import { buildLead } from "../../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../../testing/leads-server.ts";
import { renderPortal } from "../../../testing/render-portal.tsx";
import { errorReply, replyTo, server } from "../../../testing/server.ts";

// Loaded on first use, which is slow on a busy machine.
beforeAll(() => import("./lead-panel-dock.tsx"));
beforeEach(() => server.use(replyTo(getTimeline, [])));

const ines = buildLead();
const ramon = buildLead({ id: 8, name: "Ramón Ibarra", email: "ramon@example.com" });
const theirs = buildLead({ id: 9, name: "Nora Vidal", assignedTo: 3, salesRepName: "Luis Mora" });
const address = () => `${window.location.pathname}${window.location.search}`;
const nameOf = (name: string) => screen.findByRole("link", { name });
const panelOf = (name: string) => screen.findByRole("dialog", { name });

describe("a lead's address", () => {
  const inside = (path: string) => {
    const { href, origin } = leadPanelRewrite.input({ url: new URL(path, "https://desk.example") });
    return href.slice(origin.length);
  };
  const outside = (path: string) => {
    const { href, origin } = leadPanelRewrite.output({ url: new URL(path, "https://desk.example") });
    return href.slice(origin.length);
  };

  it("converts between the short link and the list with its filters and the open lead", () => {
    expect(inside("/leads/12")).toBe("/?lead=12");
    expect(outside("/?lead=12")).toBe("/leads/12");
    const sent = "/leads/12?from=%2Fall-leads%3Fsearch%3Dsol%26status%3Dnew";
    expect(inside(sent)).toBe("/all-leads?search=sol&status=new&lead=12");
    expect(outside("/all-leads?search=sol&status=new&lead=12")).toBe(sent);
    expect(inside("/all-leads?search=sol")).toBe("/all-leads?search=sol");
  });

  it("rejects another host and a nested lead as its list", () => {
    for (const from of [
      "https://evil.example/x",
      "//evil.example",
      "/\\evil.example",
      "/leads/3",
      "evil",
      "",
    ]) {
      expect(inside(`/leads/12?from=${encodeURIComponent(from)}`)).toBe("/?lead=12");
    }
    expect(inside("/leads/0")).toBe("/leads/0");
    expect(inside("/leads/twelve")).toBe("/leads/twelve");
  });
});

describe("the language of a lead", () => {
  const sent: unknown[] = [];
  /** The panel of a lead whose SMS look Spanish; saved changes are returned. */
  function open() {
    sent.length = 0;
    let lead = buildLead({ languageGuess: "es" });
    serveLeadsPage({ leads: [lead] });
    server.use(
      replyTo(getLead, () => lead),
      replyTo(updateLead, async ({ request }) => {
        const change = await request.json();
        sent.push(change);
        lead = { ...lead, ...(change as object) };
        return lead;
      }),
    );
    return renderPortal("/leads/7");
  }

  it("is guessed from their texts, marked as a guess, and confirmed with one press", async () => {
    const { user } = open();
    const panel = await panelOf("Inés Duarte");
    expect(await within(panel).findByText("Their texts look Spanish.")).toBeTruthy();
    const choice = () => within(panel).getByRole("combobox", { name: /Language/ });
    expect(choice().textContent).toBe("Not known");
    await user.click(within(panel).getByRole("button", { name: "Yes, Spanish" }));
    await waitFor(() => expect(choice().textContent).toBe("Spanish"));
    expect(sent).toEqual([{ language: "es", clientRef: expect.any(String) }]);
    expect(within(panel).queryByText("Their texts look Spanish.")).toBeNull();
    expect(document.activeElement).toBe(choice());
  });
});

describe("the lead panel", () => {
  it("opens from the name beside the list, has an address, and returns the focus when Back closes it", async () => {
    serveLeadsPage({ leads: [ines, ramon] });
    const { user } = renderPortal("/?status=new");
    const name = await nameOf("Inés Duarte");
    expect(name.getAttribute("href")).toBe("/leads/7?from=%2F%3Fstatus%3Dnew");
    await user.click(name);
    const panel = await panelOf("Inés Duarte");
    expect(address()).toBe("/leads/7?from=%2F%3Fstatus%3Dnew");
    await waitFor(() => expect(document.activeElement?.textContent).toBe("Inés Duarte"));
    expect(panel.contains(document.activeElement)).toBe(true);
    expect(await within(panel).findByRole("button", { name: /^Call Now/ })).toBeTruthy();
    // The list is still there, with its filter.
    expect(screen.getByRole("combobox", { name: "Filter by status" }).textContent).toBe("New");

    act(() => window.history.back());
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(address()).toBe("/?status=new");
    expect(document.activeElement).toBe(name);
  });

  it("moves through the list by j and k, and Escape closes it at once", async () => {
    serveLeadsPage({ leads: [ines, ramon] });
    const { user } = renderPortal("/");
    await user.click(await nameOf("Inés Duarte"));
    await panelOf("Inés Duarte");
    // The first press loads the code of the shortcuts and only counts if that is fast; at the end of the list another press does nothing.
    await waitFor(async () => {
      await user.keyboard("j");
      expect(screen.getByRole("dialog", { name: "Ramón Ibarra" })).toBeTruthy();
    });
    expect(address()).toBe("/leads/8");
    await user.keyboard("j");
    await user.keyboard("{Control>}j{/Control}");
    await user.keyboard("k");
    await panelOf("Inés Duarte");
    await user.keyboard("k");
    await user.keyboard("j");
    await panelOf("Ramón Ibarra");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(address()).toBe("/");
    expect(document.activeElement).toBe(await nameOf("Ramón Ibarra"));
  });

  it("opens from a shared link, and closes to the list in that link", async () => {
    serveLeadsPage({ leads: [ines] });
    const { user } = renderPortal("/leads/7?from=%2F%3Fpriority%3Dhigh");
    const panel = within(await panelOf("Inés Duarte"));
    await user.click(panel.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(address()).toBe("/?priority=high"));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("edits name, status, note and conversion in place, with the recorded forms as sections", async () => {
    const lead = buildLead({ notes: "Old roof" });
    let now = lead;
    const sent: Record<string, unknown> = {};
    const answer = (name: string, change: Partial<typeof lead>) => (body: unknown) => {
      sent[name] = body;
      now = { ...now, ...change };
      return now;
    };
    const note = answer("note", { notes: "New roof\n\nOld roof" });
    const status = answer("status", { status: "interested", leadStatus: "interested" });
    const renamed = answer("name", { name: "Inés D." });
    serveLeadsPage({ leads: [lead] });
    server.use(
      replyTo(getLead, () => now),
      replyTo(listExtraFields, [
        { name: "utm", value: "spring", from: "import" },
        { name: "tags", value: "hot", from: "crm" },
        { name: "Roof", value: "flat", from: "crm-field" },
      ]),
      replyTo(addNote, ({ body }) => note(body)),
      replyTo(updateLead, ({ body }) => status(body)),
      replyTo(renameLead, ({ body }) => ({ lead: renamed(body), ghlSynced: true })),
    );
    const { user } = renderPortal("/leads/7");
    const panel = within(await panelOf("Inés Duarte"));
    await panel.findByText("Roof");
    expect(panel.getAllByRole("term").map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(["Source", "Tags", "Roof", "utm"]),
    );

    await user.type(
      await panel.findByRole("textbox", { name: "Note" }),
      "New roof{Control>}{Enter}{/Control}",
    );
    await waitFor(() =>
      expect(panel.getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" }).value).toBe(
        "New roof\n\nOld roof",
      ),
    );
    expect(sent.note).toEqual({ text: "New roof", clientRef: expect.any(String) });

    // The buttons appear with the first change and disappear when it is discarded.
    expect(panel.queryByRole("button", { name: "Update Lead" })).toBeNull();
    await user.type(panel.getByRole("textbox", { name: "Notes" }), "!");
    await user.click(panel.getByRole("button", { name: "Cancel" }));
    expect(panel.queryByRole("button", { name: "Update Lead" })).toBeNull();
    await user.click(panel.getByRole("combobox", { name: "Status" }));
    await user.click(await screen.findByRole("option", { name: "Interested" }));
    await user.click(panel.getByRole("button", { name: "Update Lead" }));
    await waitFor(() => expect(sent.status).toEqual({ status: "interested", clientRef: expect.any(String) }));
    await waitFor(() => expect(panel.queryByRole("button", { name: "Update Lead" })).toBeNull());

    // Escape leaves the field first, and no typed text is lost.
    await user.type(panel.getByRole("textbox", { name: "Note" }), "half a jk{Escape}");
    expect(await panelOf("Inés Duarte")).toBeTruthy();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.click(await nameOf("Inés Duarte"));
    const again = within(await panelOf("Inés Duarte"));
    expect((await again.findByRole<HTMLTextAreaElement>("textbox", { name: "Note" })).value).toBe(
      "half a jk",
    );

    await user.click(again.getByRole("button", { name: "Edit the name of Inés Duarte" }));
    await user.clear(again.getByRole("textbox", { name: "Name" }));
    await user.type(again.getByRole("textbox", { name: "Name" }), "Inés D.{Enter}");
    expect(await panelOf("Inés D.")).toBeTruthy();
    expect(sent.name).toEqual({ name: "Inés D." });
    await user.click(again.getByRole("button", { name: "Convert to Client" }));
    expect(again.getByRole("spinbutton")).toBeTruthy();
  });

  it("keeps unsaved input, and does not overwrite fields that changed meanwhile", async () => {
    let now = buildLead({ notes: "Old roof", priority: "low" });
    const sent: unknown[] = [];
    serveLeadsPage({ leads: [now] });
    server.use(
      replyTo(getLead, () => now),
      replyTo(updateLead, ({ body }) => {
        sent.push(body);
        now = { ...now, notes: "New roof" };
        return now;
      }),
    );
    const { user, client } = renderPortal("/leads/7");
    const panel = within(await panelOf("Inés Duarte"));
    await user.clear(await panel.findByRole("textbox", { name: "Notes" }));
    await user.paste("New roof");
    await user.click(panel.getByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());

    now = { ...now, priority: "high" };
    await act(() => invalidatePaths(client, [`/api/leads/${now.id}`]));
    await user.click(await nameOf("Inés Duarte"));
    const again = within(await panelOf("Inés Duarte"));
    await waitFor(() =>
      expect(again.getByRole("combobox", { name: "Priority" }).textContent).toContain("High"),
    );
    await user.click(again.getByRole("button", { name: "Update Lead" }));
    await waitFor(() => expect(sent).toEqual([{ notes: "New roof", clientRef: expect.any(String) }]));
  });

  it("saves what somebody added to the notes meanwhile with one's own, and shows what it takes the place of", async () => {
    let now = buildLead({ notes: "Old roof" });
    const sent: unknown[] = [];
    serveLeadsPage({ leads: [now] });
    server.use(
      replyTo(getLead, () => now),
      replyTo(updateLead, ({ body }) => {
        const { notes } = body as { notes: string };
        sent.push(notes);
        now = { ...now, notes };
        return now;
      }),
    );
    const { user, client } = renderPortal("/leads/7");
    const panel = within(await panelOf("Inés Duarte"));
    const field = await panel.findByRole("textbox", { name: "Notes" });
    const change = (notes: string) => {
      now = { ...now, notes };
      return act(() => invalidatePaths(client, [`/api/leads/${now.id}`]));
    };
    await user.type(field, ", no shade");
    await change("Call on Friday\n\nOld roof");
    expect(await panel.findByText("Added meanwhile, and saved with yours: Call on Friday")).toBeTruthy();
    expect(field).toHaveProperty("value", "Old roof, no shade");
    await user.click(panel.getByRole("button", { name: "Update Lead" }));
    await waitFor(() => expect(sent).toEqual(["Call on Friday\n\nOld roof, no shade"]));
    await waitFor(() => expect(panel.queryByRole("button", { name: "Update Lead" })).toBeNull());
    expect(panel.queryByText(/meanwhile/)).toBeNull();

    await user.type(field, "!");
    await change("Sold");
    expect(await panel.findByText("Changed meanwhile. Yours take the place of: Sold")).toBeTruthy();
    await user.click(panel.getByRole("button", { name: "Update Lead" }));
    await waitFor(() => expect(sent.at(-1)).toBe("Call on Friday\n\nOld roof, no shade!"));
    await waitFor(() => expect(panel.queryByText(/meanwhile/)).toBeNull());
  });

  it("explains that a lead is a colleague's, is deleted, or cannot be read", async () => {
    serveLeadsPage({ leads: [theirs] });
    const { user, unmount } = renderPortal("/leads/9");
    const panel = within(await panelOf("Nora Vidal"));
    expect(await panel.findByText(/^Luis Mora has this lead/)).toBeTruthy();
    expect(panel.queryByRole("button", { name: /^Call Now/ })).toBeNull();
    unmount();

    let isBack = false;
    server.use(
      replyTo(getLead, () => (isBack ? ines : errorReply("not_found", "This lead does not exist."))),
    );
    renderPortal("/leads/7");
    const missing = within(await panelOf("Lead details"));
    expect((await missing.findByRole("alert")).textContent).toContain("This lead does not exist.");
    isBack = true;
    await user.click(missing.getByRole("button", { name: "Retry" }));
    expect(await panelOf("Inés Duarte")).toBeTruthy();
  });
});
