import type { ListedSms } from "@portal/contract/entities/message";
import { listSalesReps } from "@portal/contract/routes/assignment";
import { getLead } from "@portal/contract/routes/leads";
import { listMessages, listSmsHistory } from "@portal/contract/routes/sms";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { buildLead } from "../../../testing/lead-builders.ts";
import { renderPortal } from "../../../testing/render-portal.tsx";
import { replyTo, server } from "../../../testing/server.ts";

const text = (more: Partial<ListedSms>): ListedSms => ({
  id: 1,
  leadId: 7,
  leadName: "Marta Peña",
  mayOpen: true,
  number: "+12125550177",
  direction: "outbound",
  status: "delivered",
  message: "Hola",
  attachments: 0,
  createdAt: "2026-11-19T15:00:00.000Z",
  senderName: "Ana Rivera",
  ...more,
});

it("lists the texts behind a report's figure, each with its conversation; removing a chip widens the list", async () => {
  const asked: string[] = [];
  server.use(
    replyTo(listSmsHistory, ({ request }) => {
      asked.push(new URL(request.url).search);
      return [
        text({}),
        text({ id: 2, leadId: 8, leadName: "Given Away", mayOpen: false }),
        text({ id: 3, leadId: null, leadName: null, mayOpen: false, direction: "inbound", senderName: null }),
      ];
    }),
    replyTo(listSalesReps, [{ id: 3, name: "Luis Mora", email: "luis@example.com" }]),
    replyTo(getLead, buildLead({ id: 7, name: "Marta Peña" })),
    replyTo(listMessages, []),
  );
  const { user } = renderPortal("/texts?range=week&day=2026-11-19&rep=3&direction=outbound&until=x");
  const chips = within(await screen.findByRole("list", { name: "Filters" }));
  expect(await chips.findByText("Sent by Luis Mora")).toBeTruthy();
  expect(chips.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Last 7 days",
    "Nov 19, 2026",
    "Sent by Luis Mora",
    "Sent",
  ]);
  expect(asked).toEqual(["?limit=50&range=week&day=2026-11-19&rep=3&direction=outbound"]);
  const names = (await screen.findAllByRole("article")).map((entry) => entry.getAttribute("aria-label"));
  expect(names).toEqual(["Marta Peña", "Given Away", "(212) 555-0177"]);
  const list = within(screen.getByRole("main"));
  expect(list.queryByRole("button", { name: "Given Away" })).toBeNull();
  await user.click(list.getByRole("button", { name: "Conversation Marta Peña" }));
  expect(await screen.findByRole("dialog", { name: /Marta Peña/ })).toBeTruthy();
  await user.keyboard("{Escape}");
  await user.click(chips.getByRole("button", { name: /Luis Mora/ }));
  await waitFor(() => expect(window.location.search).toBe("?range=week&day=2026-11-19&direction=outbound"));
});
