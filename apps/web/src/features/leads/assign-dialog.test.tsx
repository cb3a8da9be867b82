import { assignLead, listSalesReps, transferLead } from "@portal/contract/routes/assignment";
import { listLeads } from "@portal/contract/routes/leads";
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { invalidatePaths } from "../../lib/query-client.ts";
import { buildLead } from "../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";

const reps = [
  { id: 2, name: "Ana Rivera", email: "ana@example.com" },
  { id: 3, name: "Luis Mora", email: "luis@example.com" },
  { id: 4, name: "Sofía Peña", email: "sofia@example.com" },
];

// Loaded on first use, which is slow on a busy machine.
beforeAll(
  () => Promise.all([import("./components/lead-menu-list.tsx"), import("./components/assign-dialog.tsx")]),
  60_000,
);

async function open(lead = buildLead()) {
  serveLeadsPage({ leads: [lead] });
  server.use(replyTo(listSalesReps, reps));
  const { user } = renderPortal("/");
  await user.click(await screen.findByRole("button", { name: "More for Inés Duarte" }));
  const title = lead.assignedTo === null ? "Assign Lead" : "Transfer Lead";
  await user.click(await screen.findByRole("menuitem", { name: title }));
  return { user, dialog: within(await screen.findByRole("dialog", { name: title })) };
}

async function pickRep(user: Awaited<ReturnType<typeof open>>["user"], name: string) {
  const field = await screen.findByRole<HTMLButtonElement>("combobox", { name: "Sales Representative" });
  await waitFor(() => expect(field.disabled).toBe(false));
  await user.click(field);
  await user.click(await screen.findByRole("option", { name }));
}

it("assigns an unassigned lead without asking what to transfer", async () => {
  const { user, dialog } = await open(buildLead({ assignedTo: null, salesRepName: null, assignedAt: null }));
  expect(dialog.queryByRole("checkbox")).toBeNull();
  let sent: unknown;
  server.use(
    replyTo(assignLead, ({ body }) => {
      sent = body;
      return { message: "Done", lead: buildLead({ assignedTo: 2 }) };
    }),
  );
  await pickRep(user, "Ana Rivera");
  await user.click(dialog.getByRole("button", { name: "Assign" }));
  expect(await screen.findByText("Lead Assigned")).toBeTruthy();
  expect(sent).toEqual({ salesRepId: 2, notes: null, takeAlong: true });
});

describe("transferring a lead", () => {
  it("offers every consultant but the current one, requires one, and sends the choice once", async () => {
    const { user, dialog } = await open();
    expect(dialog.getByText("Inés Duarte, assigned to Ana Rivera")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Transfer" }));
    expect(await screen.findByText("Missing Information")).toBeTruthy();
    expect(dialog.getByText("Please select a sales representative.")).toBeTruthy();

    await waitFor(() => expect(dialog.getByRole<HTMLButtonElement>("combobox").disabled).toBe(false));
    await user.click(dialog.getByRole("combobox", { name: "Sales Representative" }));
    const options = await screen.findAllByRole("option");
    expect(options.map(({ textContent }) => textContent)).toEqual(["Luis Mora", "Sofía Peña"]);
    await user.click(options[1] as HTMLElement);

    await user.click(dialog.getByRole("textbox", { name: "Notes" }));
    await user.paste(" Speaks Portuguese ");
    await user.click(dialog.getByRole("checkbox", { name: "Follow-up and meetings travel with the lead" }));
    expect(dialog.getByText(/The follow-up date is cleared/)).toBeTruthy();
    const sent: unknown[] = [];
    server.use(
      replyTo(transferLead, ({ body }) => {
        sent.push(body);
        serveLeadsPage({ leads: [] });
        return { message: "Done", lead: buildLead({ assignedTo: 4, salesRepName: "Sofía Peña" }) };
      }),
    );
    const button = dialog.getByRole("button", { name: "Transfer" });
    act(() => {
      button.click();
      button.click();
    });
    expect(await screen.findByText("Lead Transferred")).toBeTruthy();
    expect(screen.getByText("Inés Duarte is now with Sofía Peña.")).toBeTruthy();
    expect(sent).toEqual([{ newSalesRepId: 4, notes: "Speaks Portuguese", takeAlong: false }]);
    await waitFor(() => expect(screen.queryByRole("article", { hidden: true })).toBeNull());
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  it("keeps the input when it fails, with the recorded text and the reason", async () => {
    const { user, dialog } = await open();
    server.use(refuse(transferLead, "not_your_lead", "This lead is assigned to another consultant."));
    await pickRep(user, "Luis Mora");
    await user.click(dialog.getByRole("textbox", { name: "Notes" }));
    await user.paste("On leave");
    await user.click(dialog.getByRole("button", { name: "Transfer" }));
    const summary =
      "Failed to assign/transfer lead. Please try again. This lead is assigned to another consultant.";
    expect(await screen.findByText(summary)).toBeTruthy();
    expect(dialog.getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" }).value).toBe("On leave");
    expect(dialog.getByRole("combobox").textContent).toBe("Luis Mora");
  });
});

// Regression: the dialogs were part of the card, so a sync, a colleague or another tab removed unsaved text.
it("keeps the open transfer dialog and its input when the card leaves the list", async () => {
  serveLeadsPage({ leads: [buildLead()] });
  server.use(replyTo(listSalesReps, reps));
  const { user, client } = renderPortal("/");
  await user.click(await screen.findByRole("button", { name: "More for Inés Duarte" }));
  await user.click(await screen.findByRole("menuitem", { name: "Transfer Lead" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Transfer Lead" }));
  await user.type(dialog.getByRole("textbox", { name: "Notes" }), "Speaks Portuguese");
  serveLeadsPage({ leads: [] });
  await act(() => invalidatePaths(client, [listLeads.path]));
  await screen.findByText("No leads found");
  expect(dialog.getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" }).value).toBe("Speaks Portuguese");
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(document.activeElement).toBe(screen.getByRole("main"));
});
