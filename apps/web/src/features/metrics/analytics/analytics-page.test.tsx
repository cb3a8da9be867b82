import { getCallAnalytics } from "@portal/contract/routes/analytics";
import { getLead } from "@portal/contract/routes/leads";
import { getTimeline } from "@portal/contract/routes/timeline";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { buildUser } from "../../../testing/builders.ts";
import { buildLead } from "../../../testing/lead-builders.ts";
import { renderPortal } from "../../../testing/render-portal.tsx";
import { buildCallAnalytics } from "../../../testing/report-builders.ts";
import { refuse, replyTo, server } from "../../../testing/server.ts";
import { callCountTone, nextActionOf } from "./lead-cards.tsx";

const card = async (label: string) =>
  (await screen.findByText(label, { selector: "dt *" })).closest("div") as HTMLElement;
/** The lead's name and the cells after it; on phones its status is below the name. */
const rowsOf = async (name: string) =>
  within(await screen.findByRole("table", { name }))
    .getAllByRole("row")
    .slice(1)
    .map((row) => [row.querySelector("a"), ...row.querySelectorAll("td")])
    .map((cells) => cells.map((cell) => cell?.textContent).join(" · "));

describe("the call analytics page", () => {
  it("shows the recorded cards, tables and distribution", async () => {
    renderPortal("/analytics");
    expect(await screen.findByRole("heading", { level: 1, name: "Call Analytics" })).toBeTruthy();
    expect((await card("Never Called")).textContent).toBe("Never Called4");
    expect((await card("Called 1 Time")).textContent).toBe("Called 1 Time3");
    expect((await card("Called 3+ Times")).textContent).toBe("Called 3+ Times2");
    expect((await card("Total Leads")).textContent).toBe("Total Leads1060% contacted");
    expect((await card("Contact Rate")).textContent).toContain("60%");
    expect((await card("Follow-up Rate")).textContent).toContain("20%");
    expect((await card("Average Calls per Lead")).textContent).toContain("1.212 calls made");
    expect(await rowsOf("Leads Never Called")).toEqual([
      "Inés Duarte · New · 0 calls · Priority for first contact",
    ]);
    expect(screen.getByText("The newest 1. Clients need no first contact and are left out.")).toBeTruthy();
    const frequency = await rowsOf("Call Frequency");
    expect(frequency[0]).toMatch(/^Óscar Peña · Interested · 4 calls · .+ · Well engaged$/);
    expect(frequency.slice(1)).toEqual([
      "Marta Solís · Contacted · 2 calls · — · Continue calling",
      "Lead #10 · New · 1 call · — · Schedule follow-up",
    ]);
    const bars = within(screen.getByRole("list", { name: "Distribution Overview" })).getAllByRole("listitem");
    expect(bars.map(({ textContent }) => textContent)).toEqual([
      "Never Called4 40.0%",
      "Called 1 Time3 30.0%",
      "Called 2 Times1 10.0%",
      "Called 3+ Times2 20.0%",
    ]);
  });

  it("applies both filters and keeps them in the address", async () => {
    const asked: string[] = [];
    server.use(
      replyTo(getCallAnalytics, ({ request }) => {
        asked.push(new URL(request.url).search);
        return buildCallAnalytics();
      }),
    );
    const { user } = renderPortal("/analytics", buildUser({ id: 1, role: "admin" }));
    const never = await card("Never Called");
    expect(within(never).getByRole("link").getAttribute("href")).toBe("/all-leads?called=no");
    await user.click(screen.getByRole("combobox", { name: "Time period" }));
    await user.click(await screen.findByRole("option", { name: "Today" }));
    await user.click(screen.getByRole("combobox", { name: "Lead status" }));
    await user.click(await screen.findByRole("option", { name: "Contacted" }));
    await waitFor(() => expect(asked).toEqual(["", "?range=today", "?range=today&status=contacted"]));
    expect(window.location.search).toBe("?range=today&status=contacted");
    expect(
      within(await card("Never Called"))
        .getByRole("link")
        .getAttribute("href"),
    ).toBe("/all-leads?status=contacted&called=no&calledIn=today");
    expect(
      within(await card("Total Leads"))
        .getByRole("link")
        .getAttribute("href"),
    ).toBe("/all-leads?status=contacted");
    expect(
      within(await card("Average Calls per Lead"))
        .getByRole("link")
        .getAttribute("href"),
    ).toBe("/call-history?range=today&direction=outbound&leadStatus=contacted");
  });

  it("opens a lead's panel from its name", async () => {
    server.use(replyTo(getTimeline, []), replyTo(getLead, buildLead()));
    const { user } = renderPortal("/analytics");
    const name = await screen.findByRole("link", { name: "Inés Duarte" });
    await user.click(name);
    expect(await screen.findByRole("dialog", { name: "Inés Duarte" })).toBeTruthy();
    await user.keyboard("{Escape}");
    await waitFor(() => expect(document.activeElement).toBe(name));
  });

  it("reports that there are no leads, and that every lead was called", async () => {
    server.use(replyTo(getCallAnalytics, buildCallAnalytics({ totalLeads: 0 })));
    const { unmount } = renderPortal("/analytics?status=qualified");
    expect(await screen.findByText("No Analytics Data")).toBeTruthy();
    expect(screen.getByText("No lead has this status.")).toBeTruthy();
    unmount();
    const detailedStats = { neverCalledLeads: [], callCountsByLead: [] };
    server.use(replyTo(getCallAnalytics, buildCallAnalytics({ neverCalled: 0, detailedStats })));
    renderPortal("/analytics");
    expect(await screen.findByText("Great work!")).toBeTruthy();
    expect(screen.queryByText("Priority for first contact")).toBeNull();
  });

  it("counts clients who were never called, but recommends no first contact with them", async () => {
    const client = { leadId: 7, leadName: "Inés Duarte", leadStatus: "converted" as const };
    const figures = (neverCalledLeads: (typeof client)[]) =>
      buildCallAnalytics({
        totalLeads: 1_619,
        totalCalls: 34,
        detailedStats: { neverCalledLeads, callCountsByLead: [] },
      });
    server.use(replyTo(getCallAnalytics, figures([client])));
    const { unmount } = renderPortal("/analytics?status=converted");
    expect(await rowsOf("Leads Never Called")).toEqual([
      "Inés Duarte · Converted · 0 calls · Already a client",
    ]);
    expect((await card("Average Calls per Lead")).textContent).toContain("0.02");
    unmount();
    server.use(replyTo(getCallAnalytics, figures([])));
    renderPortal("/analytics");
    expect(
      await screen.findByText("All 4 never called are clients already; they need no first contact."),
    ).toBeTruthy();
    expect((await card("Never Called")).textContent).toBe("Never Called4");
  });

  it("offers Retry when loading fails", async () => {
    server.use(refuse(getCallAnalytics, "internal", "Something went wrong"));
    const { user } = renderPortal("/analytics");
    expect(await screen.findByText("The figures could not be loaded")).toBeTruthy();
    server.use(replyTo(getCallAnalytics, buildCallAnalytics()));
    await user.click(screen.getByRole("button", { name: "Retry" }));
    expect(await card("Never Called")).toBeTruthy();
  });

  it.each([
    { calls: 0, tone: "danger", action: "continueCalling" },
    { calls: 1, tone: "warning", action: "scheduleFollowUp" },
    { calls: 2, tone: "info", action: "continueCalling" },
    { calls: 3, tone: "success", action: "wellEngaged" },
    { calls: 40, tone: "success", action: "wellEngaged" },
  ])("colors $calls calls as $tone and recommends $action", ({ calls, tone, action }) => {
    expect(callCountTone(calls)).toBe(tone);
    expect(nextActionOf(calls)).toBe(action);
  });
});
