import type { Lead } from "@portal/contract/entities/lead";
import { type FollowUpGroup, listFollowUps } from "@portal/contract/routes/assignment";
import { updateLead } from "@portal/contract/routes/leads";
import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { buildLead } from "../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";

// Loaded on first use, which is slow on a busy machine.
beforeAll(() => import("./components/follow-ups-dialog.tsx"));

/** Serves the current follow-ups by group at each request. */
function serveFollowUps(groups: Partial<Record<FollowUpGroup, Lead[]>>, due: Lead[] = []): void {
  serveLeadsPage({ leads: [] });
  server.use(
    replyTo(listFollowUps, ({ request }) => {
      const group = new URL(request.url).searchParams.get("group") as FollowUpGroup;
      const count = (each: FollowUpGroup) => groups[each]?.length ?? 0;
      return {
        counts: {
          overdue: count("overdue"),
          today: count("today"),
          week: count("week"),
          later: count("later"),
        },
        leads: groups[group] ?? [],
        due,
      };
    }),
  );
}

async function open() {
  const { user } = renderPortal("/");
  await user.click(await screen.findByRole("button", { name: "Fechas de Seguimiento" }));
  return { user, drawer: within(await screen.findByRole("dialog", { name: "Fechas de Seguimiento" })) };
}

describe("the follow-ups drawer", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: new Date(2026, 10, 20, 10), toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("opens the overdue group first, with the count of every group", async () => {
    serveFollowUps({ week: [buildLead({ nextFollowUpDate: new Date(2026, 10, 23, 12).toISOString() })] });
    const { user, drawer } = await open();
    expect(await drawer.findByText("Due Nov 23, 2026")).toBeTruthy();
    expect(drawer.getAllByRole("tab").map(({ textContent }) => textContent)).toEqual([
      "Overdue0",
      "Today0",
      "Next 7 days1",
      "Later0",
    ]);
    await user.click(drawer.getByRole("tab", { name: /Today/ }));
    expect(await drawer.findByText("Nothing is due today")).toBeTruthy();
  });

  it("completes and snoozes follow-ups one by one, and focuses the next one", async () => {
    const due = new Date(2026, 10, 18, 12).toISOString();
    const groups = {
      overdue: [
        buildLead({ id: 7, name: "Inés Duarte", nextFollowUpDate: due }),
        buildLead({ id: 8, name: "Óscar Peña", nextFollowUpDate: due }),
      ],
    };
    serveFollowUps(groups);
    const sent: unknown[] = [];
    server.use(
      replyTo(updateLead, ({ body, params }) => {
        sent.push([Number(params.id), body]);
        const [lead = buildLead()] = groups.overdue.splice(0, 1);
        return lead;
      }),
    );
    const { user, drawer } = await open();
    expect(await drawer.findAllByText("Overdue since Nov 18, 2026")).toHaveLength(2);
    await user.click(drawer.getByRole("button", { name: "Follow-up with Inés Duarte is done" }));
    await waitFor(() => expect(drawer.queryByRole("listitem", { name: "Inés Duarte" })).toBeNull());
    const next = drawer.getByRole("listitem", { name: "Óscar Peña" });
    expect(next.contains(document.activeElement)).toBe(true);
    await user.click(within(next).getByRole("button", { name: "Snooze the follow-up with Óscar Peña" }));
    await user.click(await screen.findByRole("button", { name: /^Next week/ }));
    expect(await drawer.findByText("Nothing is overdue")).toBeTruthy();
    expect(sent).toEqual([
      [7, { nextFollowUpDate: null, clientRef: expect.any(String) }],
      [8, { nextFollowUpDate: new Date(2026, 10, 27, 12).toISOString(), clientRef: expect.any(String) }],
    ]);
  });

  it("lists follow-ups that are due now first, and only once", async () => {
    const at = new Date(2026, 10, 20, 9, 30);
    const lead = buildLead({
      nextFollowUpDate: new Date(2026, 10, 20, 12).toISOString(),
      nextFollowUpTime: "09:30",
      nextFollowUpZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      nextFollowUpAt: at.toISOString(),
    });
    const old = buildLead({
      id: 8,
      name: "Óscar Peña",
      nextFollowUpDate: new Date(2026, 10, 18).toISOString(),
    });
    serveFollowUps({ overdue: [old], today: [lead] }, [lead]);
    const { user, drawer } = await open();
    expect(await drawer.findByText("Due now · 9:30 AM")).toBeTruthy();
    const [first, second] = drawer.getAllByRole("listitem").map((row) => row.getAttribute("aria-label"));
    expect([first, second]).toEqual(["Inés Duarte", "Óscar Peña"]);
    await user.click(drawer.getByRole("tab", { name: /Today1/ }));
    expect(await drawer.findByText("All of them are due now and listed above.")).toBeTruthy();
    expect(drawer.getAllByRole("listitem")).toHaveLength(1);
  });

  it("shows the recorded text and keeps the row when a change is refused", async () => {
    serveFollowUps({ overdue: [buildLead({ nextFollowUpDate: new Date(2026, 10, 18, 12).toISOString() })] });
    server.use(refuse(updateLead, "not_your_lead", "This lead is assigned to another consultant."));
    const { user, drawer } = await open();
    await user.click(await drawer.findByRole("button", { name: "Follow-up with Inés Duarte is done" }));
    expect(await screen.findByText("Error al actualizar")).toBeTruthy();
    expect(drawer.getByRole("listitem", { name: "Inés Duarte" })).toBeTruthy();
  });
});
