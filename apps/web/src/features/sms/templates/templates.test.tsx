import { getLead } from "@portal/contract/routes/leads";
import { listMessages, sendMessage } from "@portal/contract/routes/sms";
import {
  createSmsTemplate,
  type FilledTemplate,
  listFilledTemplates,
  listSmsTemplates,
} from "@portal/contract/routes/sms-templates";
import { screen, waitFor, within } from "@testing-library/react";
import { beforeAll, describe, expect, it } from "vitest";
import { buildUser } from "../../../testing/builders.ts";
import { buildLead } from "../../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../../testing/leads-server.ts";
import { renderPortal } from "../../../testing/render-portal.tsx";
import { replyTo, server } from "../../../testing/server.ts";

// Loaded on first use, which is slow on a busy machine.
beforeAll(() => import("./templates-dialog.tsx"));

const lead = buildLead();
const filled = (overrides: Partial<FilledTemplate>): FilledTemplate => ({
  id: 1,
  name: "Te llamé",
  en: "Hi Inés, this is Ana.",
  es: "Hola, Inés. Le habla Ana.",
  isShared: true,
  versionId: 11,
  ...overrides,
});
const price = filled({ id: 2, name: "Price list", en: "About {{company}}: ten.", es: null, versionId: 12 });

/** The thread of a lead whose language is Spanish, with two templates. */
async function openComposer() {
  serveLeadsPage({ leads: [lead] });
  const sent: object[] = [];
  server.use(
    replyTo(getLead, lead),
    replyTo(listMessages, []),
    replyTo(listFilledTemplates, { language: "es", templates: [price, filled({})], missedCallId: 1 }),
    replyTo(sendMessage, ({ body }) => {
      sent.push(body as object);
      return {
        id: 90,
        direction: "outbound" as const,
        status: "queued" as const,
        number: "+13055550104",
        message: "",
        attachments: 0,
        createdAt: new Date().toISOString(),
        failure: null,
        errorCode: null,
        senderName: "Ana Rivera",
      };
    }),
  );
  const { user } = renderPortal("/", buildUser());
  await user.click(await screen.findByRole("button", { name: /Send SMS Inés Duarte/ }));
  const dialog = within(await screen.findByRole("dialog"));
  const field = (await dialog.findByRole("textbox", { name: "Message" })) as HTMLTextAreaElement;
  return { user, dialog, field, sent };
}

describe("the slash menu of the composer", () => {
  it("finds templates in the lead's language by any part of their name, and Enter inserts one", async () => {
    const { user, dialog, field, sent } = await openComposer();
    await user.type(field, "Hola. /llame");
    const option = await dialog.findByRole("option", { name: /Te llamé/ });
    expect(dialog.getAllByRole("option")).toHaveLength(1);
    expect(field.getAttribute("aria-activedescendant")).toBe(option.id);
    await user.keyboard("{Enter}");
    expect(field.value).toBe("Hola. Hola, Inés. Le habla Ana.");
    expect(dialog.queryByRole("listbox")).toBeNull();
    expect(sent).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(sent).toMatchObject([{ message: "Hola. Hola, Inés. Le habla Ana.", templateVersionId: 11 }]),
    );
  });

  it("marks a template in one language, switches the language, follows the arrow keys, and Escape keeps the slash as text", async () => {
    const { user, dialog, field } = await openComposer();
    await user.type(field, "/");
    expect(await dialog.findByRole("option", { name: /Price list\s+English only/ })).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "English" }));
    expect(await dialog.findByRole("option", { name: /Te llamé\s+Hi Inés/ })).toBeTruthy();
    expect(document.activeElement).toBe(field);
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowUp}");
    expect(dialog.getByRole("option", { selected: true }).textContent).toContain("Te llamé");
    await user.keyboard("{Escape}");
    expect(dialog.queryByRole("listbox")).toBeNull();
    expect(field.value).toBe("/");
    expect(screen.getByRole("dialog")).toBeTruthy();
  });

  it("marks a field without a value, and sends nothing until it is filled", async () => {
    const { user, dialog, field, sent } = await openComposer();
    await user.click(dialog.getByRole("button", { name: "Templates" }));
    await user.click(await dialog.findByRole("option", { name: /Price list/ }));
    expect(field.value).toBe("About {{company}}: ten.");
    const marked = () => field.value.slice(field.selectionStart, field.selectionEnd);
    expect(marked()).toBe("{{company}}");
    expect(dialog.getByRole("alert").textContent).toContain("Nothing is known for “Company”.");
    field.setSelectionRange(0, 0);
    await user.click(dialog.getByRole("button", { name: "Send" }));
    expect(marked()).toBe("{{company}}");
    expect(sent).toEqual([]);
    await user.keyboard("your shop");
    expect(dialog.queryByRole("alert")).toBeNull();
    await user.click(dialog.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(sent).toMatchObject([{ message: "About your shop: ten." }]));
  });
});

it("the segment counter offers a text without the accents that add segments", async () => {
  const { user, dialog, field } = await openComposer();
  await user.click(field);
  await user.paste(`Mañana te llamo. ${"Está bien. ".repeat(6)}`);
  await user.click(dialog.getByRole("button", { name: "Write it without á, í, ó, ú: 1 segment" }));
  expect(field.value).toMatch(/^Mañana te llamo\. Esta bien\./);
  expect(dialog.getByText(/1 segment$/)).toBeTruthy();
});

describe("the templates dialog", () => {
  const template = {
    ...{ id: 1, name: "Hours", en: "We open at 9", es: null, isShared: true, isForMissedCall: false },
    ...{ version: 2, savedAt: "2026-11-01T12:00:00.000Z", savedBy: "Ana Rivera", sent: 3 },
  };

  it("creates a personal template with fields, and offers no change of shared ones", async () => {
    const made: object[] = [];
    serveLeadsPage({ leads: [lead] });
    server.use(
      replyTo(listSmsTemplates, [template]),
      replyTo(createSmsTemplate, ({ body }) => {
        made.push(body as object);
        return { ...template, id: 2, isShared: false };
      }),
    );
    const { user } = renderPortal("/settings", buildUser());
    await user.click(await screen.findByRole("button", { name: "Manage templates" }));
    const dialog = within(await screen.findByRole("dialog", { name: "Templates of texts" }));
    expect(await dialog.findByText(/Version 2, .* · 3 texts sent/)).toBeTruthy();
    expect(dialog.queryByRole("button", { name: "Edit Hours" })).toBeNull();
    await user.click(dialog.getByRole("button", { name: "New template" }));
    const form = within(await screen.findByRole("dialog", { name: "New template" }));
    expect(form.queryByRole("checkbox", { name: "Share with everybody" })).toBeNull();
    await user.type(form.getByRole("textbox", { name: "Name" }), "Greeting");
    await user.type(form.getByRole("textbox", { name: "Text in Spanish" }), "Hola, ");
    const fields = within(form.getByRole("group", { name: "Insert a field: Text in Spanish" }));
    await user.click(fields.getByRole("button", { name: "First name" }));
    await user.click(form.getByRole("button", { name: "Save" }));
    await waitFor(() =>
      expect(made).toEqual([
        { name: "Greeting", en: "", es: "Hola, {{first_name}}", isForMissedCall: false, isShared: false },
      ]),
    );
  });
});
