import type { Duplicates } from "@portal/contract/routes/leads";
import { getLead, listDuplicates } from "@portal/contract/routes/leads";
import { getTimeline } from "@portal/contract/routes/timeline";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { buildLead } from "../../testing/lead-builders.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { replyTo, server } from "../../testing/server.ts";

const lead = (id: number, more: Partial<Duplicates["leads"][number]> = {}): Duplicates["leads"][number] => ({
  id,
  name: `Lead ${id}`,
  company: null,
  phone: "+16465550101",
  email: null,
  status: "new",
  assignedTo: null,
  salesRepName: null,
  ...more,
});

it("shows groups of possible duplicates with links to their panels, and keeps match and owner filters in the address", async () => {
  const asked: string[] = [];
  server.use(
    replyTo(
      listDuplicates,
      ({ request }) => {
        const { searchParams } = new URL(request.url);
        asked.push(searchParams.toString());
        if (searchParams.get("by") === "email") return [];
        return [{ count: 12, leads: [lead(1, { salesRepName: "Luis Mora" }), lead(2)] }];
      },
      { "x-total-count": "1" },
    ),
    replyTo(getLead, buildLead({ id: 2 })),
    replyTo(getTimeline, []),
  );
  const { user } = renderPortal("/duplicates");
  const group = within(await screen.findByRole("article", { name: "(646) 555-0101" }));
  expect(group.getByText("12 leads")).toBeTruthy();
  expect(group.getByText("and 10 more")).toBeTruthy();
  expect(group.getByText("(646) 555-0101 · with Luis Mora")).toBeTruthy();
  await user.click(group.getByRole("link", { name: "Lead 2" }));
  await waitFor(() => expect(window.location.pathname).toBe("/leads/2"));
  await user.click(screen.getByRole("checkbox", { name: "Only with my leads" }));
  await user.click(screen.getByRole("tab", { name: "Email" }));
  expect(await screen.findByText("No duplicates")).toBeTruthy();
  expect(asked).toEqual(["limit=50&by=phone", "limit=50&by=phone&mine=yes", "limit=50&by=email&mine=yes"]);
});
