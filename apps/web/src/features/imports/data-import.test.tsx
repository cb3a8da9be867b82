import type { Import, ImportResult } from "@portal/contract/entities/import";
import { getImport, importLeads, listImports } from "@portal/contract/routes/imports";
import { act, screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { renderApp } from "../../testing/render.tsx";
import { refuse, replyTo, server } from "../../testing/server.ts";
import { DataImport } from "./components/data-import.tsx";

const result = (overrides: Partial<ImportResult> = {}): ImportResult => ({
  imported: 1,
  updated: 0,
  skipped: 2,
  errors: 0,
  unreadablePhones: 0,
  details: { failed: [] },
  failures: [],
  total: 3,
  importId: 7,
  running: false,
  gaveUp: false,
  message: "",
  ...overrides,
});
const logged = (overrides: Partial<Import> = {}): Import => ({
  ...result(),
  state: "done",
  sourceSystem: "CSV Import",
  fileName: "june.csv",
  processed: 3,
  userName: "Ana Demo",
  startedAt: "2026-11-20T09:00:00.000Z",
  finishedAt: "2026-11-20T09:00:01.000Z",
  ...overrides,
});

async function paste(text: string, { format = "CSV" } = {}) {
  server.use(replyTo(listImports, []));
  const page = renderApp(<DataImport />);
  if (format === "JSON") await page.user.click(screen.getByRole("tab", { name: "JSON" }));
  await page.user.click(screen.getByLabelText(`Or paste ${format}`));
  await page.user.paste(text);
  return page;
}
async function choose(user: UserEvent, container: HTMLElement, bytes: Uint8Array) {
  const input = container.querySelector<HTMLInputElement>('input[type="file"]');
  if (!input) throw new Error("no place for a file");
  await user.upload(input, new File([new Uint8Array(bytes)], "leads.csv", { type: "text/csv" }));
}
const button = (name: string) => screen.getByRole("button", { name });
const isOff = (name: string) => button(name).getAttribute("aria-disabled") === "true";

describe("importing", () => {
  it("is disabled when there is nothing to import", async () => {
    const { user } = await paste(" ");
    expect(isOff("Import CSV")).toBe(true);
    await user.click(screen.getByRole("tab", { name: "JSON" }));
    expect(isOff("Import JSON")).toBe(true);
  });

  it("shows the detected columns, applies corrections and sends the cells as text", async () => {
    let sent: unknown;
    server.use(
      replyTo(importLeads, ({ body, request }) => {
        sent = { csv: body, ...Object.fromEntries(new URL(request.url).searchParams) };
        return result({
          errors: 1,
          unreadablePhones: 2,
          failures: [{ row: 3, faults: [{ code: "invalid_email", value: "nobody" }] }],
        });
      }),
    );
    const { user } = await paste("Nombre;Correo;Móvil;Ref\nAna;ana@example.com;0034;7,5\nBeto;nobody;;8");
    const list = await screen.findByRole("region", { name: "What was found" });
    expect(within(list).getByText("2 rows")).toBeDefined();
    expect(within(list).getByRole("combobox", { name: "Field for Móvil" }).textContent).toBe("Phone");
    await user.click(within(list).getByRole("combobox", { name: "Field for Ref" }));
    await user.click(await screen.findByRole("option", { name: "Notes" }));
    await user.click(button("Import CSV"));
    const outcome = await screen.findByRole("region", { name: "Result" });
    expect(sent).toEqual({
      csv: 'Nombre,Correo,Móvil,Ref\nAna,ana@example.com,0034,"7,5"\nBeto,nobody,,8',
      mapping: '{"Nombre":"name","Correo":"email","Móvil":"phone","Ref":"notes"}',
      sourceSystem: "CSV Import",
      duplicates: "skip",
    });
    expect(outcome.textContent).toContain("Imported1Updated0Skipped2Errors1");
    const phones = "2 phone numbers cannot be called and were kept as they came.";
    expect(within(outcome).getByText(phones)).toBeDefined();
    expect(screen.getByText(`1 imported, 0 updated, 2 skipped, 1 errors. ${phones}`)).toBeDefined();
    expect(within(outcome).getByText("Row 3: Invalid email address: nobody")).toBeDefined();
    const link = within(outcome).getByRole("link", { name: "Download the rows that failed" });
    expect(link.getAttribute("href")).toBe("/api/imports/7/failed.csv");
  });

  it("asks for the encoding of an older file by sample names, and decodes it accordingly", async () => {
    let sent: unknown;
    server.use(
      replyTo(listImports, []),
      replyTo(importLeads, ({ body }) => {
        sent = body;
        return result();
      }),
    );
    const { user, container } = renderApp(<DataImport />);
    await choose(user, container, iconv.encode("name,email\nÍñigo Peña,i@example.com\n", "macintosh"));
    const question = await screen.findByRole("group", { name: "How do these names read right?" });
    expect(isOff("Import CSV")).toBe(true);
    const [likeliest, ...others] = within(question).getAllByRole<HTMLInputElement>("radio");
    expect(likeliest?.labels?.[0]?.textContent).toBe("Íñigo PeñaMac Roman");
    expect(likeliest?.checked).toBe(true);
    expect(others.map(({ labels }) => labels?.[0]?.textContent)).toContain("ê–igo Pe–aWindows-1252");
    await user.click(button("These names are right"));
    const found = await screen.findByRole("region", { name: "What was found" });
    expect(within(found).getByText("Mac Roman")).toBeDefined();
    await user.click(button("Names look wrong: choose again"));
    await user.click(await screen.findByRole("radio", { name: /Mac Roman/ }));
    await user.click(button("These names are right"));
    await screen.findByRole("region", { name: "What was found" });
    await user.click(button("Import CSV"));
    await screen.findByRole("region", { name: "Result" });
    expect(sent).toBe("name,email\nÍñigo Peña,i@example.com");
  });

  it("lists the rows with broken bytes, before the import and in its result", async () => {
    server.use(replyTo(listImports, []), replyTo(importLeads, result()));
    const { user, container } = renderApp(<DataImport />);
    const bytes = Buffer.from("name,email\nMaría,m@example.com\nJos#,j@example.com\n");
    bytes[bytes.indexOf("#")] = 0xe9;
    await choose(user, container, bytes);
    const words = /^Row 3 holds letters that cannot be read/;
    const found = await screen.findByRole("region", { name: "What was found" });
    expect(within(found).getByText(words)).toBeDefined();
    expect(within(found).getByText("UTF-8")).toBeDefined();
    await user.click(button("Import CSV"));
    const outcome = await screen.findByRole("region", { name: "Result" });
    expect(within(outcome).getByText(words)).toBeDefined();
  });

  it.each([
    ["CSV", "name,email", "CSV parsing error", "CSV must have at least a header row and one data row"],
    ["JSON", "[{", "JSON parsing error", "Invalid JSON format"],
  ])("reports what is wrong with %s, with the recorded text", async (format, text, title, message) => {
    const { user } = await paste(text, { format });
    expect((await screen.findByRole("alert")).textContent).toBe(message);
    await user.click(button(`Import ${format}`));
    expect(await screen.findByText(title)).toBeDefined();
  });

  it("reports a failure, and keeps the input for another try", async () => {
    server.use(refuse(importLeads, "unavailable", "Please try again in a moment."));
    const { user } = await paste('{"email":"ana@example.com"}', { format: "JSON" });
    await screen.findByRole("region", { name: "What was found" });
    await user.click(button("Import JSON"));
    expect(await screen.findByText("Import failed")).toBeDefined();
    expect(screen.getByText("Please try again in a moment.")).toBeDefined();
    expect(isOff("Import JSON")).toBe(false);
  });

  it("follows an import that outlasts its request to its end", async () => {
    let isDone = false;
    server.use(
      replyTo(importLeads, result({ running: true, imported: 0 })),
      replyTo(getImport, () =>
        isDone ? logged() : logged({ running: true, state: "running", processed: 1, finishedAt: null }),
      ),
    );
    const { user, client } = await paste("name,email\nAna,ana@example.com");
    await screen.findByRole("region", { name: "What was found" });
    await user.click(button("Import CSV"));
    await waitFor(() => expect(screen.getByText(/^1 of 3 rows/)).toBeDefined());
    isDone = true;
    await client.invalidateQueries();
    expect(await screen.findByText("Import complete")).toBeDefined();
    expect(screen.queryByRole("progressbar")).toBeNull();
  });

  it("does not report an aborted import as complete", async () => {
    server.use(replyTo(importLeads, result({ gaveUp: true, total: 3, imported: 1, skipped: 0 })));
    const { user } = await paste("name,email\nAna,ana@example.com");
    await screen.findByRole("region", { name: "What was found" });
    await user.click(button("Import CSV"));
    expect((await screen.findAllByText(/stopped after several tries/)).length).toBeGreaterThan(0);
    expect(screen.queryByText("Import complete")).toBeNull();
  });
});

describe("the last imports", () => {
  it("are listed with their figures and what failed", async () => {
    server.use(
      replyTo(listImports, [
        logged({ errors: 4, unreadablePhones: 1 }),
        logged({ importId: 6, fileName: null, state: "failed", gaveUp: true }),
      ]),
    );
    renderApp(<DataImport />);
    const [first, second] = await screen.findAllByRole("listitem");
    expect(first?.textContent).toContain("1 imported, 0 updated, 2 skipped, 4 errors");
    expect(first?.textContent).toContain("1 phone number cannot be called and was kept as it came.");
    expect(
      within(first as HTMLElement).getByRole("link", {
        name: "Errors: Download the rows that failed: june.csv",
      }),
    ).toBeDefined();
    expect(second?.textContent).toContain("CSV Import");
    expect(second?.textContent).toContain("Stopped");
    act(() => setLanguage("es"));
    expect(second?.textContent).toContain("Se abandonó tras varios intentos.");
    expect(within(second as HTMLElement).queryByRole("link")).toBeNull();
  });
});
