import { convertLead, listLeads, renameLead, updateLead } from "@portal/contract/routes/leads";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { page } from "../../lib/navigation.ts";
import { buildLead } from "../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { errorReply, refuse, replyTo, server } from "../../testing/server.ts";

const lead = buildLead({ notes: "Has a heat pump" });

async function openDialog(button: string) {
  const { user } = renderPortal("/");
  await screen.findByRole("article");
  await user.click(screen.getByRole("button", { name: button }));
  return { user, dialog: within(await screen.findByRole("dialog")) };
}

const card = () => within(screen.getByRole("article", { hidden: true }));

describe("editing a lead's name", () => {
  const open = () => openDialog("Edit name of Inés Duarte");

  it("saves the trimmed name and reports that GHL has it", async () => {
    serveLeadsPage({ leads: [lead] });
    let sent: unknown;
    server.use(
      replyTo(renameLead, ({ body }) => {
        sent = body;
        const renamed = buildLead({ name: "Inés Duarte Vega" });
        serveLeadsPage({ leads: [renamed] });
        return { lead: renamed, ghlSynced: true };
      }),
    );
    const { user, dialog } = await open();
    await user.type(dialog.getByRole("textbox", { name: "Name" }), " Vega ");
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Nombre Actualizado")).toBeTruthy();
    expect(screen.getByText("El nombre del lead se actualizó y se sincronizó con GHL.")).toBeTruthy();
    expect(sent).toEqual({ name: "Inés Duarte Vega" });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(screen.getByRole("article", { name: "Inés Duarte Vega" })).toBeTruthy();
  });

  it("reports when GHL does not have it yet", async () => {
    serveLeadsPage({ leads: [lead] });
    server.use(replyTo(renameLead, { lead, ghlSynced: false }));
    const { user, dialog } = await open();
    await user.type(dialog.getByRole("textbox", { name: "Name" }), " Vega{Enter}");
    expect(
      await screen.findByText("El nombre del lead se actualizó. La sincronización con GHL está pendiente."),
    ).toBeTruthy();
  });

  it("cannot be submitted while empty or unchanged, and Enter on an empty name explains why", async () => {
    serveLeadsPage({ leads: [lead] });
    const { user, dialog } = await open();
    const save = dialog.getByRole("button", { name: "Save" });
    expect(save.getAttribute("aria-disabled")).toBe("true");
    await user.clear(dialog.getByRole("textbox", { name: "Name" }));
    expect(save.getAttribute("aria-disabled")).toBe("true");
    dialog
      .getByRole("textbox", { name: "Name" })
      .closest("form")
      ?.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true }));
    expect(await screen.findByText("Nombre Inválido")).toBeTruthy();
    expect(screen.getByText("Por favor ingrese un nombre válido")).toBeTruthy();
  });

  it("keeps the input and rolls the card back when the server refuses", async () => {
    serveLeadsPage({ leads: [lead] });
    server.use(refuse(renameLead, "not_your_lead", "This lead belongs to Luis"));
    const { user, dialog } = await open();
    await user.type(dialog.getByRole("textbox", { name: "Name" }), " Vega");
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("Error al Actualizar")).toBeTruthy();
    expect(screen.getByText("This lead belongs to Luis")).toBeTruthy();
    expect(dialog.getByRole<HTMLInputElement>("textbox", { name: "Name" }).value).toBe("Inés Duarte Vega");
    expect(card().getByRole("heading", { hidden: true }).textContent).toBe("Inés Duarte");
  });

  it("shows the recorded text when the server is unreachable", async () => {
    serveLeadsPage({ leads: [lead] });
    server.use(http.patch(renameLead.path, () => HttpResponse.error()));
    const { user, dialog } = await open();
    await user.type(dialog.getByRole("textbox", { name: "Name" }), " Vega{Enter}");
    expect(await screen.findByText("No se pudo actualizar el nombre del lead")).toBeTruthy();
  });
});

describe("an expired session", () => {
  beforeEach(() => {
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("reloads the page 3 s after a name change was refused", async () => {
    const reload = vi.spyOn(page, "reload").mockImplementation(() => undefined);
    serveLeadsPage({ leads: [lead] });
    server.use(refuse(renameLead, "unauthenticated", "Please sign in"));
    const { user, dialog } = await openDialog("Edit name of Inés Duarte");
    await user.type(dialog.getByRole("textbox", { name: "Name" }), " Vega{Enter}");
    expect(await screen.findByText("Sesión Expirada")).toBeTruthy();
    expect(
      screen.getByText("Tu sesión ha expirado. Por favor recarga la página e inicia sesión nuevamente."),
    ).toBeTruthy();
    expect(reload).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(3_000);
    expect(reload).toHaveBeenCalledOnce();
  });

  it("goes to the login 2 s after an update was refused", async () => {
    const go = vi.spyOn(page, "go").mockImplementation(() => undefined);
    serveLeadsPage({ leads: [lead] });
    server.use(refuse(updateLead, "unauthenticated", "Please sign in"));
    const { user, dialog } = await openDialog("Update Status Inés Duarte");
    await user.type(dialog.getByRole("textbox", { name: "Notes" }), "!");
    await user.click(dialog.getByRole("button", { name: "Update Lead" }));
    expect(
      await screen.findByText("Tu sesión ha expirado. Por favor, inicia sesión nuevamente."),
    ).toBeTruthy();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(go).toHaveBeenCalledWith("/");
  });
});

describe("updating a lead's status", () => {
  const open = () => openDialog("Update Status Inés Duarte");

  async function pick(user: Awaited<ReturnType<typeof open>>["user"], name: string, option: string) {
    await user.click(screen.getByRole("combobox", { name }));
    await user.click(await screen.findByRole("option", { name: option }));
  }

  it("sends what changed, and empty notes as null", async () => {
    serveLeadsPage({ leads: [lead] });
    let sent: unknown;
    server.use(
      replyTo(updateLead, ({ body }) => {
        sent = body;
        return buildLead({ status: "interested" });
      }),
    );
    const { user, dialog } = await open();
    await pick(user, "Status", "Interested");
    await user.clear(dialog.getByRole("textbox", { name: "Notes" }));
    await user.click(dialog.getByRole("button", { name: "Update Lead" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent).toEqual({ status: "interested", notes: null, clientRef: expect.any(String) });
  });

  it("keeps input about a lead that was reassigned to a colleague, and explains why", async () => {
    serveLeadsPage({ leads: [lead] });
    const { user, dialog } = await open();
    const notes = dialog.getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" });
    await user.type(notes, ", wants an offer");
    serveLeadsPage({ leads: [] });
    server.use(refuse(updateLead, "not_your_lead", "This lead is assigned to another consultant."));
    await user.click(dialog.getByRole("button", { name: "Update Lead" }));
    expect(
      await screen.findByText(
        "Hubo un problema al actualizar el lead. Por favor, intenta de nuevo. This lead is assigned to another consultant.",
      ),
    ).toBeTruthy();
    expect(await screen.findByText("No leads found")).toBeTruthy();
    expect(notes.value).toBe("Has a heat pump, wants an offer");
    expect(notes.isConnected).toBe(true);
  });

  it("offers every status but converted", async () => {
    serveLeadsPage({ leads: [lead] });
    const { user } = await open();
    await user.click(screen.getByRole("combobox", { name: "Status" }));
    const options = await screen.findAllByRole("option");
    expect(options.map((option) => option.textContent)).toEqual([
      "New",
      "Contacted",
      "Qualified",
      "Interested",
      "Not Interested",
    ]);
  });

  it("shows the change at once and rolls it back with the recorded error", async () => {
    serveLeadsPage({ leads: [lead] });
    const answer = Promise.withResolvers<Response>();
    server.use(http.patch("/api/leads/:id", () => answer.promise));
    const { user, dialog } = await open();
    await pick(user, "Status", "Interested");
    await user.type(dialog.getByRole("textbox", { name: "Notes" }), ", wants a quote");
    await user.click(dialog.getByRole("button", { name: "Update Lead" }));
    await waitFor(() => expect(card().getByText("Interested")).toBeTruthy());
    answer.resolve(errorReply("internal", "Something went wrong"));
    expect(await screen.findByText("Error al actualizar")).toBeTruthy();
    expect(
      screen.getByText("Hubo un problema al actualizar el lead. Por favor, intenta de nuevo."),
    ).toBeTruthy();
    expect(card().getByText("New")).toBeTruthy();
    expect(dialog.getByRole<HTMLTextAreaElement>("textbox", { name: "Notes" }).value).toBe(
      "Has a heat pump, wants a quote",
    );
    expect(screen.getByRole("combobox", { name: "Status" }).textContent).toBe("Interested");
  });

  it("rolls back this change only, and keeps the server's data of other leads", async () => {
    serveLeadsPage({ leads: [lead, buildLead({ id: 8, name: "Óscar Peña" })] });
    server.use(
      replyTo(updateLead, () => {
        server.use(replyTo(listLeads, [lead, buildLead({ id: 8, name: "Óscar Peña Ríos" })]));
        return errorReply("internal", "Something went wrong");
      }),
    );
    const { user } = renderPortal("/");
    await screen.findByRole("article", { name: "Óscar Peña" });
    await user.click(screen.getByRole("button", { name: "Update Status Inés Duarte" }));
    await screen.findByRole("dialog");
    await pick(user, "Priority", "Low");
    await user.click(screen.getByRole("button", { name: "Update Lead" }));
    await screen.findByText("Error al actualizar");
    expect(await screen.findByRole("article", { name: "Óscar Peña Ríos", hidden: true })).toBeTruthy();
  });

  it("closes without a request when nothing changed", async () => {
    serveLeadsPage({ leads: [lead] });
    const { user, dialog } = await open();
    await user.click(dialog.getByRole("button", { name: "Update Lead" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  it("sets today as follow-up, offers no past day, and clears to null", async () => {
    vi.useFakeTimers({ now: new Date(2026, 10, 18, 10), toFake: ["Date"] });
    const sent: unknown[] = [];
    serveLeadsPage({ leads: [lead] });
    server.use(
      replyTo(updateLead, ({ body }) => {
        sent.push(body);
        const saved = buildLead({ nextFollowUpDate: new Date(2026, 10, 18, 12).toISOString() });
        serveLeadsPage({ leads: [saved] });
        return saved;
      }),
    );
    const { user, dialog } = await open();
    await user.click(dialog.getByRole("button", { name: "Next Follow-up Date Pick a date" }));
    expect(
      (await screen.findByRole<HTMLButtonElement>("button", { name: /November 17, 2026/ })).disabled,
    ).toBe(true);
    await user.click(screen.getByRole("button", { name: /November 18, 2026/ }));
    await user.click(dialog.getByRole("button", { name: "Update Lead" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(sent).toEqual([
      { nextFollowUpDate: new Date(2026, 10, 18, 12).toISOString(), clientRef: expect.any(String) },
    ]);
    expect(await screen.findByText("Follow-up today")).toBeTruthy();

    await user.click(screen.getByRole("button", { name: "Update Status Inés Duarte" }));
    expect(await screen.findByRole("button", { name: "Next Follow-up Date Nov 18, 2026" })).toBeTruthy();
    await user.click(await screen.findByRole("button", { name: "Clear date" }));
    await user.click(screen.getByRole("button", { name: "Update Lead" }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({ nextFollowUpDate: null, clientRef: expect.any(String) });
    vi.useRealTimers();
  });

  it("sets the follow-up's time on the user's or the lead's clock, and removes it again", async () => {
    const date = new Date(2031, 2, 4, 12).toISOString();
    const timed = buildLead({
      nextFollowUpDate: date,
      nextFollowUpTime: "09:00",
      nextFollowUpZone: "Pacific/Honolulu",
      nextFollowUpAt: "2031-03-04T19:00:00.000Z",
      timeZone: "Pacific/Honolulu",
    });
    serveLeadsPage({ leads: [timed] });
    const sent: unknown[] = [];
    server.use(
      replyTo(updateLead, ({ body }) => {
        sent.push(body);
        return timed;
      }),
    );
    const { user, dialog } = await open();
    expect(screen.getByText(/Follow-up Mar 4, 2031 · .*\(9:00 AM HST\)/)).toBeTruthy();
    const time = dialog.getByLabelText<HTMLInputElement>("Time (optional)");
    expect(time.value).toBe("09:00");
    expect(dialog.getByText(/^9:00 AM HST there, /)).toBeTruthy();
    // A half-typed time field is empty; the zone stays.
    fireEvent.change(time, { target: { value: "" } });
    fireEvent.change(time, { target: { value: "14:30" } });
    await user.click(dialog.getByRole("button", { name: "Update Lead" }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toEqual({
      nextFollowUpTime: "14:30",
      nextFollowUpZone: "Pacific/Honolulu",
      clientRef: expect.any(String),
    });
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    await user.click(screen.getByRole("button", { name: "Update Status Inés Duarte" }));
    fireEvent.change(await screen.findByLabelText("Time (optional)"), { target: { value: "" } });
    await user.click(screen.getByRole("button", { name: "Update Lead" }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toEqual({
      nextFollowUpTime: null,
      nextFollowUpZone: null,
      clientRef: expect.any(String),
    });
  });

  it("starts weeks on Monday in Spanish", async () => {
    setLanguage("es");
    serveLeadsPage({ leads: [lead] });
    const { user } = await openDialog("Actualizar estado Inés Duarte");
    await user.click(screen.getByRole("button", { name: /próximo seguimiento|Elige una fecha/ }));
    const grid = await screen.findByRole("grid");
    expect(grid.querySelector("th")?.textContent?.toLowerCase()).toMatch(/^lu/);
  });

  it("keeps the status of a converted lead", async () => {
    serveLeadsPage({ leads: [buildLead({ status: "converted" })] });
    const { dialog } = await open();
    expect(dialog.queryByRole("combobox", { name: "Status" })).toBeNull();
    expect(dialog.getByText("Converted leads keep their status.")).toBeTruthy();
    expect(dialog.queryByRole("button", { name: "Convert to Client" })).toBeNull();
  });
});

describe("converting a lead", () => {
  async function open() {
    const { user } = await openDialog("Update Status Inés Duarte");
    await user.click(screen.getByRole("button", { name: "Convert to Client" }));
    return { user, dialog: within(await screen.findByRole("dialog", { name: "Convert to Client" })) };
  }

  it("sends the value, 0 by default, and the notes", async () => {
    serveLeadsPage({ leads: [lead] });
    let sent: unknown;
    server.use(
      replyTo(convertLead, ({ body }) => {
        sent = body;
        return { message: "Converted", clientId: 3, lead: buildLead({ status: "converted" }) };
      }),
    );
    const { user, dialog } = await open();
    expect(dialog.getByRole<HTMLInputElement>("spinbutton").value).toBe("0");
    await user.type(dialog.getByRole("textbox", { name: "Conversion Notes" }), "Signed today");
    await user.click(dialog.getByRole("button", { name: "Convert to Client" }));
    expect(await screen.findByText("Lead Converted")).toBeTruthy();
    expect(sent).toEqual({ conversionValue: 0, notes: "Signed today" });
  });

  it("sends one request for a double click", async () => {
    serveLeadsPage({ leads: [lead] });
    const sent: unknown[] = [];
    server.use(
      replyTo(convertLead, ({ body }) => {
        sent.push(body);
        return { message: "Converted", clientId: 3, lead: buildLead({ status: "converted" }) };
      }),
    );
    const { dialog } = await open();
    const button = dialog.getByRole("button", { name: "Convert to Client" });
    // Both before React has rendered the first.
    act(() => {
      button.click();
      button.click();
    });
    expect(await screen.findByText("Lead Converted")).toBeTruthy();
    expect(sent).toHaveLength(1);
  });

  it("keeps the input when it fails, with the recorded text", async () => {
    serveLeadsPage({ leads: [lead] });
    server.use(refuse(convertLead, "already_converted", "Already a client"));
    const { user, dialog } = await open();
    await user.clear(dialog.getByRole("spinbutton"));
    await user.type(dialog.getByRole("spinbutton"), "1250.50");
    await user.click(dialog.getByRole("button", { name: "Convert to Client" }));
    expect(await screen.findByText("Conversion Failed")).toBeTruthy();
    expect(
      screen.getByText("There was a problem converting the lead. Please try again. Already a client"),
    ).toBeTruthy();
    expect(dialog.getByRole<HTMLInputElement>("spinbutton").value).toBe("1250.50");
    expect(card().getByText("New")).toBeTruthy();
  });
});
