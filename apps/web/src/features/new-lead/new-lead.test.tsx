import { listSalesReps } from "@portal/contract/routes/assignment";
import { createLead, findKnownLeads, type KnownLead } from "@portal/contract/routes/leads";
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { buildUser } from "../../testing/builders.ts";
import { buildLead } from "../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";
import { openNewLead } from "./open-new-lead.tsx";

// Loaded on first use, which is slow on a busy machine.
beforeAll(() => import("./new-lead-dialog.tsx"));

const luisLead: KnownLead = {
  id: 40,
  name: "Marta Peña",
  company: "Solar del Este",
  phone: "(212) 555-0140",
  email: "marta@example.com",
  status: "new",
  assignedTo: 3,
  salesRepName: "Luis Mora",
  by: ["phone"],
};

/** Opens New Lead with its button on the leads page; `known` returns the existing leads. */
async function open(
  known: (asked: URLSearchParams) => KnownLead[] = () => [],
  role: "consultant" | "admin" = "consultant",
) {
  serveLeadsPage();
  server.use(
    replyTo(findKnownLeads, ({ request }) => known(new URL(request.url).searchParams)),
    replyTo(listSalesReps, [{ id: 3, name: "Luis Mora", email: "luis@example.com" }]),
  );
  const { user } = renderPortal("/", buildUser({ role }));
  const button = await screen.findByRole("button", { name: "New Lead" });
  await user.click(button);
  const dialog = within(await screen.findByRole("dialog", { name: "New Lead" }));
  const type = async (label: string, words: string) => {
    await user.click(dialog.getByLabelText(label));
    await user.paste(words);
  };
  return { user, dialog, type, button };
}

describe("New Lead", () => {
  it("requires a number or an email, sends one request, and opens the new lead", async () => {
    const { user, dialog, type } = await open();
    expect(dialog.queryByLabelText("Sales Representative")).toBeNull();
    await type("First name", "Inés");
    await user.click(dialog.getByRole("button", { name: "Add Lead" }));
    expect(dialog.getByRole("alert").textContent).toBe("Enter a phone number or an email.");

    await type("Phone", "787 555 0107");
    const sent: unknown[] = [];
    server.use(
      replyTo(createLead, ({ body }) => {
        sent.push(body);
        serveLeadsPage({ leads: [buildLead({ id: 77, name: "Inés Nueva" })] });
        return buildLead({ id: 77, name: "Inés Nueva" });
      }),
    );
    const add = dialog.getByRole("button", { name: "Add Lead" });
    act(() => {
      add.click();
      add.click();
    });
    expect(await screen.findByText("Inés Nueva is in your list.")).toBeTruthy();
    expect(sent).toEqual([
      expect.objectContaining({
        firstName: "Inés",
        phone: "787 555 0107",
        priority: "medium",
        isKnownPhoneFine: false,
        clientRef: expect.stringMatching(/^[0-9a-f-]{36}$/),
      }),
    ]);
    await waitFor(() => expect(window.location.pathname).toBe("/leads/77"));
    expect(screen.queryByRole("dialog", { name: "New Lead" })).toBeNull();
  });

  it("warns while typing about leads with the same number, links to them, and allows a shared number", async () => {
    const { user, dialog, type } = await open((asked) =>
      asked.get("phone")?.endsWith("0140") ? [luisLead] : [],
    );
    await type("Phone", "212 555 0140");
    const link = await dialog.findByRole("link", { name: "Marta Peña" });
    expect(link.getAttribute("href")).toBe("/leads/40");
    expect(
      dialog.getByText("Solar del Este · (212) 555-0140 · with Luis Mora · same phone number"),
    ).toBeTruthy();

    server.use(refuse(createLead, "lead_exists", "A lead with this phone number exists already."));
    await user.click(dialog.getByRole("button", { name: "Add Lead" }));
    expect(await dialog.findByText("A lead with this phone number exists already.")).toBeTruthy();
    expect(dialog.getByLabelText<HTMLInputElement>("Phone").value).toBe("212 555 0140");

    let sent: unknown;
    server.use(
      replyTo(createLead, ({ body }) => {
        sent = body;
        return buildLead({ id: 78 });
      }),
    );
    await user.click(dialog.getByRole("checkbox", { name: "Another person with this number" }));
    await user.click(dialog.getByRole("button", { name: "Add Lead" }));
    await waitFor(() => expect(sent).toMatchObject({ isKnownPhoneFine: true }));
  });

  it("opens the existing lead instead, and allows no shared email", async () => {
    const { user, dialog, type } = await open(() => [{ ...luisLead, by: ["phone", "email"] }]);
    await type("Email", "marta@example.com");
    const link = await dialog.findByRole("link", { name: "Marta Peña" });
    expect(dialog.queryByRole("checkbox")).toBeNull();
    await user.click(link);
    await waitFor(() => expect(window.location.pathname).toBe("/leads/40"));
    expect(screen.queryByRole("dialog", { name: "New Lead" })).toBeNull();
  });

  it("lets an administrator choose the consultant, prefills a caller's number, and returns the focus", async () => {
    const { user, dialog, type, button } = await open(undefined, "admin");
    await user.click(dialog.getByLabelText("Sales Representative"));
    await user.click(await screen.findByRole("option", { name: "Luis Mora" }));
    await type("Email", "new@example.com");
    let sent: unknown;
    server.use(
      replyTo(createLead, ({ body }) => {
        sent = body;
        return buildLead({ id: 79 });
      }),
    );
    await user.click(dialog.getByRole("button", { name: "Add Lead" }));
    await waitFor(() => expect(sent).toMatchObject({ salesRepId: 3, email: "new@example.com" }));
    await waitFor(() => expect(screen.queryByRole("dialog", { name: "New Lead" })).toBeNull());

    act(() => button.focus());
    act(() => openNewLead({ phone: "+13475550191" }));
    const second = within(await screen.findByRole("dialog", { name: "New Lead" }));
    expect(second.getByLabelText<HTMLInputElement>("Phone").value).toBe("+13475550191");
    await user.click(second.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(document.activeElement).toBe(button));
  });
});
