import type { LeadMerge, MergeLead, MergePreview } from "@portal/contract/entities/lead-merge";
import {
  listMergesOfLead,
  mergeLeads,
  previewLeadMerge,
  undoLeadMerge,
} from "@portal/contract/routes/lead-merge";
import {
  type Duplicates,
  findKnownLeads,
  getLead,
  listDuplicates,
  listFurtherNumbers,
} from "@portal/contract/routes/leads";
import { getTimeline } from "@portal/contract/routes/timeline";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildLead } from "../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { replyTo, server } from "../../testing/server.ts";

// Loaded on first use, which is slow on a busy machine.
beforeAll(
  () => Promise.all([import("./merge-dialog.tsx"), import("../leads/panel/lead-panel-dock.tsx")]),
  60_000,
);
beforeEach(() => server.use(replyTo(getTimeline, [])));

const side = (more: Partial<MergeLead>): MergeLead => ({
  ...{
    id: 7,
    name: "Inés Duarte",
    phone: "+17875550107",
    email: "ines@example.com",
    company: "Solar del Este",
  },
  ...{ industry: null, leadSource: null, dealValue: null, status: "new", priority: "high" },
  ...{ nextFollowUpDate: null, nextFollowUpTime: null, nextFollowUpZone: null },
  ...{ assignedTo: 2, salesRepName: "Ana Rivera", ghlContactId: null },
  ...{ createdAt: "2026-10-30T12:00:00.000Z", lastActivityAt: null, callOptOut: null, textOptOut: null },
  counts: { calls: 0, texts: 0, meetings: 0, events: 0 },
  ...more,
});
const kept = side({});
const other = side({
  ...{ id: 8, name: "Inés D.", phone: "+17875550108", company: "Sol", callOptOut: "dnd" },
  counts: { calls: 1, texts: 3, meetings: 0, events: 9 },
});
const preview = (more: Partial<MergePreview> = {}): MergePreview => ({
  kept,
  other,
  fields: [
    { field: "contact", side: "kept", fixed: true },
    { field: "name", side: "kept", fixed: false },
    { field: "phone", side: "kept", fixed: false },
    { field: "company", side: "kept", fixed: true },
    { field: "status", side: "kept", fixed: false },
  ],
  refusal: null,
  ...more,
});
const merge: LeadMerge = {
  ...{ id: 4, leadId: 7, leadName: "Inés Duarte", otherId: 8, otherName: "Inés D.", userName: "Ana Rivera" },
  further: { phone: "+17875550108", email: "ines@example.com", ghlContactId: null },
  ...{ at: "2026-11-23T12:00:00.000Z", undoneAt: null, undoUntil: "2026-11-30T12:00:00.000Z", mayUndo: true },
};
const double = ({ id, name, phone }: MergeLead): Duplicates["leads"][number] => ({
  ...{ id, name, phone, company: null, email: null, status: "new" },
  ...{ assignedTo: 2, salesRepName: "Ana Rivera" },
});

/** The list of duplicates, with the user's own leads and another consultant's. */
function serveDuplicates() {
  const theirs = { ...double(side({ id: 9, name: "Not mine" })), assignedTo: 3 };
  server.use(
    replyTo(listDuplicates, [{ count: 3, leads: [theirs, double(kept), double(other)] }], {
      "x-total-count": "1",
    }),
    replyTo(getLead, buildLead()),
  );
}

describe("merging from the duplicates page", () => {
  it("compares both leads, explains the effect, and merges with the chosen values", async () => {
    const asked: unknown[] = [];
    serveDuplicates();
    server.use(
      replyTo(previewLeadMerge, ({ body }) => {
        asked.push(body);
        return preview();
      }),
      replyTo(mergeLeads, ({ body }) => {
        asked.push(body);
        return merge;
      }),
    );
    const { user } = renderPortal("/duplicates");
    const button = await screen.findByRole("button", { name: "Merge Inés D. into Inés Duarte" });
    // Only the user's own leads can be merged.
    expect(screen.getAllByRole("button", { name: /^Merge / })).toHaveLength(1);
    await user.click(button);
    const dialog = within(await screen.findByRole("dialog", { name: "Merge leads" }));
    const phone = within(await dialog.findByRole("group", { name: "Phone" }));
    expect((phone.getByRole("radio", { name: "(787) 555-0107" }) as HTMLInputElement).checked).toBe(true);
    await user.click(phone.getByRole("radio", { name: "(787) 555-0108" }));
    const company = within(dialog.getByRole("group", { name: /^Company.*Goes with the GHL contact$/ }));
    expect((company.getByRole("radio", { name: "Sol" }) as HTMLInputElement).disabled).toBe(true);
    expect(dialog.queryByRole("group", { name: "Status" })).toBeNull();
    expect(
      dialog.getByText("History comes together. From Inés D.: 1 call, 3 texts, 0 meetings."),
    ).toBeTruthy();
    expect(dialog.getByText("No more calls: Inés D. asked for it.")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Merge" }));
    expect(
      await screen.findByText("Inés D. is part of Inés Duarte now. You can undo it for 7 days."),
    ).toBeTruthy();
    await waitFor(() => expect(window.location.pathname).toBe("/leads/7"));
    expect(asked).toEqual([
      { otherId: 8, choices: {} },
      { otherId: 8, choices: { phone: "other" } },
      { otherId: 8, choices: { phone: "other" }, clientRef: expect.any(String) },
    ]);
  });

  it("shows why the leads cannot be merged, and merges nothing", async () => {
    serveDuplicates();
    server.use(replyTo(previewLeadMerge, preview({ refusal: "call" })));
    const { user } = renderPortal("/duplicates");
    await user.click(await screen.findByRole("button", { name: "Merge Inés D. into Inés Duarte" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Merge leads" }));
    expect((await dialog.findByRole("alert")).textContent).toMatch(/^Somebody is on the line/);
    await user.click(dialog.getByRole("button", { name: "Merge" }));
    expect(screen.getByRole("dialog", { name: "Merge leads" })).toBeTruthy();
  });
});

describe("merging in the lead's panel", () => {
  it("asks for the other lead, likely ones first", async () => {
    serveLeadsPage({ leads: [buildLead()] });
    server.use(
      replyTo(findKnownLeads, [
        { ...double(kept), by: ["phone"] },
        { ...double(other), by: ["phone"] },
        { ...double(side({ id: 9, name: "Not mine" })), assignedTo: 3, by: ["email"] },
      ]),
      replyTo(previewLeadMerge, preview()),
      replyTo(getLead, buildLead()),
    );
    const { user } = renderPortal("/leads/7");
    const panel = within(await screen.findByRole("dialog", { name: "Inés Duarte" }));
    await user.click(await panel.findByRole("button", { name: /^More/ }));
    await user.click(await screen.findByRole("menuitem", { name: "Merge with another lead" }));
    const likely = within(await screen.findByRole("region", { name: "Same phone or email" }));
    expect(likely.getAllByRole("button").map(({ textContent }) => textContent)).toEqual([
      "Inés D.(787) 555-0108",
    ]);
    await user.click(likely.getByRole("button"));
    expect(await screen.findByText("Inés D. becomes part of Inés Duarte. Choose what stays.")).toBeTruthy();
  });

  it("lists merged leads with their numbers and emails, undoes a merge, and redirects an old address", async () => {
    let merges = [merge];
    serveLeadsPage({ leads: [buildLead()] });
    server.use(
      replyTo(getLead, () => buildLead({ isMerged: merges.length > 0 })),
      replyTo(listFurtherNumbers, []),
      replyTo(listMergesOfLead, () => merges),
      replyTo(undoLeadMerge, () => {
        merges = [];
        return { ...merge, undoneAt: "2026-11-23T13:00:00.000Z", mayUndo: false };
      }),
    );
    const { user } = renderPortal("/leads/8");
    const lines = within(await screen.findByRole("region", { name: "Merged leads" }));
    await waitFor(() => expect(window.location.pathname).toBe("/leads/7"));
    expect(lines.getByText("(787) 555-0108 · ines@example.com")).toBeTruthy();
    await user.click(lines.getByRole("button", { name: "Undo the merge with Inés D." }));
    expect(await screen.findByText("Inés D. is a lead of its own again, with what it had.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("region", { name: "Merged leads" })).toBeNull());
  });
});
