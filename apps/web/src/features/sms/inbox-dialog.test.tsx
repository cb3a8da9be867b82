import type { UnknownMessage } from "@portal/contract/entities/message";
import { listLeads } from "@portal/contract/routes/leads";
import {
  attachUnknownMessage,
  dismissUnknownMessage,
  getUnreadMessages,
  listUnknownMessages,
} from "@portal/contract/routes/sms";
import { screen, waitFor, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import { buildLead } from "../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { replyTo, server } from "../../testing/server.ts";

async function openInbox() {
  let waiting: UnknownMessage[] = [
    {
      id: 5,
      from: "+13475550191",
      message: "¿Quién es?",
      attachments: 0,
      createdAt: new Date().toISOString(),
    },
    {
      id: 6,
      from: "+13475550192",
      message: "Gane dinero",
      attachments: 0,
      createdAt: new Date().toISOString(),
    },
  ];
  const lead = buildLead();
  const done: unknown[] = [];
  const leave = (id: unknown, what: object) => {
    waiting = waiting.filter((text) => text.id !== Number(id));
    done.push(what);
  };
  serveLeadsPage({ leads: [lead] });
  server.use(
    replyTo(listLeads, [lead]),
    replyTo(getUnreadMessages, () => ({ leads: 0, inbox: waiting.length })),
    replyTo(listUnknownMessages, () => waiting),
    replyTo(attachUnknownMessage, ({ params, body }) => {
      leave(params.id, { attached: params.id, ...(body as object) });
      return { attached: 1 };
    }),
    replyTo(dismissUnknownMessage, ({ params }) => {
      leave(params.id, { dismissed: params.id });
      return { dismissed: 1 };
    }),
  );
  const { user } = renderPortal("/");
  await user.click(await screen.findByRole("button", { name: /Unknown numbers\s*2 texts wait/ }));
  const dialog = within(await screen.findByRole("dialog"));
  const row = (number: string) => dialog.findByRole("listitem", { name: `Text from ${number}` });
  return { user, dialog, done, row };
}

describe("texts from unknown numbers", () => {
  it("are attached to a lead found by search", async () => {
    const { user, dialog, done, row } = await openInbox();
    const text = within(await row("(347) 555-0191"));
    await user.click(text.getByRole("button", { name: "Attach to a lead" }));
    await user.type(text.getByRole("searchbox"), "Inés");
    await user.click(await text.findByRole("button", { name: /Inés Duarte/ }));
    expect(await screen.findByText("Text Attached")).toBeTruthy();
    expect(done).toEqual([{ attached: "5", leadId: 7 }]);
    await waitFor(() => expect(dialog.getAllByRole("listitem")).toHaveLength(1));
  });

  it("can be dismissed", async () => {
    const { user, dialog, done, row } = await openInbox();
    await user.click(within(await row("(347) 555-0192")).getByRole("button", { name: "Dismiss" }));
    await waitFor(() => expect(done).toEqual([{ dismissed: "6" }]));
    await waitFor(() => expect(dialog.getAllByRole("listitem")).toHaveLength(1));
  });
});
