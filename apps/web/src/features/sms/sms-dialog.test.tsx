import type { Message } from "@portal/contract/entities/message";
import { getLead } from "@portal/contract/routes/leads";
import { getUnreadMessages, listMessages, markMessagesRead, sendMessage } from "@portal/contract/routes/sms";
import type { QueryClient } from "@tanstack/react-query";
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse } from "msw";
import { describe, expect, it } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { invalidatePaths } from "../../lib/query-client.ts";
import { buildMessage, buildUser } from "../../testing/builders.ts";
import { buildLead } from "../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../testing/leads-server.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { errorReply, refuse, replyTo, server } from "../../testing/server.ts";

/** The leads page with one lead and their thread; sent SMS are added to it. */
async function openThread(
  { lead = buildLead(), thread = [] as Message[] } = {},
  button = /Send SMS Inés Duarte/,
  me = buildUser(),
) {
  serveLeadsPage({ leads: [lead] });
  const sent: { message: string; clientRef: string }[] = [];
  server.use(
    replyTo(listMessages, () => thread),
    replyTo(getLead, () => lead),
    replyTo(sendMessage, ({ body }) => {
      sent.push(body as (typeof sent)[number]);
      const message = buildMessage({
        id: 90 + sent.length,
        status: "queued",
        message: sent.at(-1)?.message ?? "",
      });
      thread.push(message);
      return message;
    }),
  );
  const { user, client } = renderPortal("/", me);
  await user.click(await screen.findByRole("button", { name: button }));
  const dialog = within(await screen.findByRole("dialog"));
  return { user, client, dialog, sent, thread };
}

const field = (dialog: ReturnType<typeof within>) => dialog.findByRole("textbox", { name: "Message" });

describe("the SMS thread", () => {
  it("shows both sides with status icons, and failures with text and code", async () => {
    const { dialog } = await openThread({
      thread: [
        buildMessage({
          id: 1,
          direction: "inbound",
          status: "received",
          message: "¿Quién es?",
          senderName: null,
        }),
        buildMessage({ id: 2, status: "sent", message: "Ana" }),
        buildMessage({ id: 3, status: "delivered", message: "de Solar" }),
        buildMessage({ id: 4, status: "queued", message: "espere" }),
        buildMessage({
          id: 5,
          status: "undelivered",
          message: "fallido",
          failure: "This number is not in service.",
          errorCode: 30005,
        }),
      ],
    });
    expect(await dialog.findByText("¿Quién es?")).toBeTruthy();
    const icons = dialog.getAllByRole("img").map((icon) => icon.getAttribute("aria-label"));
    expect(icons).toEqual(["Sent", "Delivered", "Pending", "Failed"]);
    expect(
      dialog.getByRole("button", { name: "This number is not in service. Error code 30005" }),
    ).toBeTruthy();
    expect(dialog.getByText("Today")).toBeTruthy();
  });

  it("shows failures and attachments in Spanish", async () => {
    setLanguage("es");
    const failed = buildMessage({ status: "failed", failure: "Server's words", errorCode: 30003 });
    const picture = { direction: "inbound", status: "received", message: "", attachments: 2 } as const;
    const { dialog } = await openThread(
      { thread: [failed, buildMessage({ id: 2, ...picture })] },
      /Enviar SMS/,
    );
    expect(await dialog.findByText("2 archivos adjuntos, no se muestran aquí")).toBeTruthy();
    expect(await dialog.findByText(/está apagado o sin señal/)).toBeTruthy();
  });

  it("marks unread texts as read", async () => {
    let marked = 0;
    server.use(replyTo(markMessagesRead, () => ({ marked: ++marked })));
    await openThread(
      {
        lead: buildLead({ unreadTexts: 2 }),
        thread: [buildMessage({ direction: "inbound", status: "received" })],
      },
      /Send SMS Inés Duarte\s*2 unread texts/,
    );
    await waitFor(() => expect(marked).toBe(1));
  });
});

describe("composing a text", () => {
  it("sends on Enter, trimmed, and inserts a line break on Shift+Enter", async () => {
    const { user, dialog, sent } = await openThread();
    await user.type(await field(dialog), " Hola{Shift>}{Enter}{/Shift}Inés {Enter}");
    await waitFor(() => expect(sent).toMatchObject([{ message: "Hola\nInés" }]));
    expect(sent[0]?.clientRef).toMatch(/^[0-9a-f-]{36}$/);
    expect(await dialog.findByText(/Hola/)).toBeTruthy();
    await waitFor(() => expect((dialog.getByRole("textbox") as HTMLTextAreaElement).value).toBe(""));
  });

  it("counts characters and segments, and sends no empty text", async () => {
    const { user, dialog, sent } = await openThread();
    const box = await field(dialog);
    expect(dialog.getByText("0/1600")).toBeTruthy();
    await user.type(box, "   {Enter}");
    await user.clear(box);
    await user.type(box, "Hola");
    expect(dialog.getByText("4/1600 · 1 segment")).toBeTruthy();
    await user.clear(box);
    await user.click(box);
    await user.paste("á".repeat(71));
    expect(dialog.getByText("71/1600 · 2 segments")).toBeTruthy();
    expect(box.getAttribute("maxlength")).toBe("1600");
    expect(sent).toEqual([]);
  });

  it("keeps the text when sending fails, and shows the reason", async () => {
    const { user, dialog } = await openThread();
    server.use(replyTo(sendMessage, () => errorReply("provider_refused", "This is not a mobile number.")));
    await user.type(await field(dialog), "Hola{Enter}");
    expect(await screen.findByText("This is not a mobile number.")).toBeTruthy();
    expect(screen.getByText("Error")).toBeTruthy();
    await waitFor(() => expect((dialog.getByRole("textbox") as HTMLTextAreaElement).value).toBe("Hola"));
  });

  it.each([
    ["en", "You have reached the limit of texts.", "Allowed again"],
    ["es", "Llegaste a tu límite. Espera un momento.", "Se permite de nuevo"],
  ] as const)("explains in %s why a text is refused, and until when", async (language, words, again) => {
    setLanguage(language);
    const { user } = await openThread({}, /SMS Inés Duarte/);
    const nextAllowedAt = new Date(Date.now() + 60_000).toISOString();
    const message = "You have reached the limit of texts.";
    server.use(
      replyTo(sendMessage, () =>
        HttpResponse.json(
          { code: "contact_refused", message, reason: "rep_cap", nextAllowedAt },
          { status: 409 },
        ),
      ),
    );
    await user.type(await screen.findByRole("textbox", { name: /Message|Mensaje/ }), "Hola{Enter}");
    const toast = await screen.findByText((text) => text.startsWith(words));
    expect(toast.textContent).toContain(again);
  });

  it("retries with the same reference after a lost response, and with a new one after a refusal", async () => {
    const { user, dialog } = await openThread();
    const refs: string[] = [];
    const answers = [
      () => HttpResponse.error(),
      () => errorReply("provider_refused", "No."),
      () => buildMessage({ message: "Hola" }),
    ];
    server.use(
      replyTo(sendMessage, ({ body }) => {
        refs.push((body as { clientRef: string }).clientRef);
        return answers[refs.length - 1]?.() ?? errorReply("internal", "Too many");
      }),
    );
    await user.type(await field(dialog), "Hola{Enter}");
    for (const tries of [1, 2]) {
      await waitFor(() => expect(refs).toHaveLength(tries));
      const shown = within(screen.getByRole("dialog"));
      await waitFor(() => expect(shown.getByRole<HTMLTextAreaElement>("textbox").value).toBe("Hola"));
      // The result of the first attempt survives closing the dialog, like the text.
      await user.click(shown.getByRole("button", { name: "Close" }));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
      await user.click(screen.getByRole("button", { name: /Send SMS/ }));
      await user.type(await field(within(await screen.findByRole("dialog"))), "{Enter}");
    }
    await waitFor(() => expect(refs).toHaveLength(3));
    expect(refs[1]).toBe(refs[0]);
    expect(refs[2]).not.toBe(refs[1]);
  });

  it("sends once for a double press", async () => {
    const { user, dialog, sent } = await openThread();
    await user.type(await field(dialog), "Una vez");
    await user.dblClick(dialog.getByRole("button", { name: "Send" }));
    await waitFor(() => expect(sent).toHaveLength(1));
  });

  it("is locked with the reason when the lead has opted out, and the thread stays readable", async () => {
    const { dialog } = await openThread({
      lead: buildLead({ textRefusal: "opted_out" }),
      thread: [buildMessage({ direction: "inbound", status: "received", message: "STOP" })],
    });
    expect(await dialog.findByText("STOP")).toBeTruthy();
    expect(dialog.getByText(/gets no texts: they asked for it/)).toBeTruthy();
    expect(dialog.queryByRole("textbox")).toBeNull();
  });
});

describe("a lead that is given to a colleague while its thread is open", () => {
  const given = buildLead({ assignedTo: 3, salesRepName: "Luis Mora" });
  const giveAway = async (client: QueryClient) => {
    server.use(replyTo(getLead, given), refuse(listMessages, "not_your_lead", "It is a colleague's."));
    await invalidatePaths(client, ["/api/leads"]);
  };

  it("says so, and keeps the draft to copy and what was read", async () => {
    const { user, dialog, sent, client } = await openThread({
      thread: [buildMessage({ direction: "inbound", status: "received", message: "¿Quién es?" })],
    });
    await user.type(await field(dialog), "Soy Ana");
    await giveAway(client);
    expect(await dialog.findByText(/^This lead is with Luis Mora\./)).toBeTruthy();
    expect(dialog.queryByRole("textbox")).toBeNull();
    expect(dialog.getByText("Soy Ana")).toBeTruthy();
    expect(dialog.getByText("¿Quién es?")).toBeTruthy();
    expect(sent).toEqual([]);
  });

  it("says only after the answer whether an SMS on its way was sent", async () => {
    const { user, dialog, client } = await openThread();
    let answer = () => {};
    const held = new Promise<Response>((resolve) => {
      answer = () => resolve(errorReply("not_your_lead", "This lead is assigned to another consultant."));
    });
    server.use(replyTo(sendMessage, () => held));
    await user.type(await field(dialog), "Soy Ana{Enter}");
    await giveAway(client);
    expect(dialog.queryByText(/^This lead is with/)).toBeNull();
    answer();
    expect(await screen.findByText("This lead is assigned to another consultant.")).toBeTruthy();
    expect(await dialog.findByText(/^This lead is with Luis Mora\./)).toBeTruthy();
    expect(dialog.getByText("Soy Ana")).toBeTruthy();
  });
});

describe("a lead who may not be sent a text now", () => {
  it.each([
    [{ textRefusal: "opted_out" }, "This lead asked not to get texts.", true],
    [{ textRefusal: "attempt_cap", callRefusal: "opted_out" }, "Texted often enough for now.", true],
    [
      { textRefusal: "number_fault", callRefusal: "number_fault" },
      /number is wrong or out of service/,
      false,
    ],
    [
      { textRefusal: "no_consent", callRefusal: "no_consent", status: "not_interested" },
      /agreed to be/,
      true,
    ],
  ] as const)("shows the reason on the card once: %j", async (facts, words, isShown) => {
    serveLeadsPage({ leads: [buildLead(facts)] });
    renderPortal("/");
    const button = await screen.findByRole("button", { name: /Send SMS/, description: words });
    const said = document.getElementById(button.getAttribute("aria-describedby") ?? "");
    expect(said?.className.includes("sr-only")).toBe(!isShown);
  });

  it("can be sent a text by an administrator with a reason, which is part of the request", async () => {
    const lead = buildLead({ textRefusal: "outside_hours", textOverride: true });
    const { user, dialog, sent } = await openThread({ lead }, undefined, buildUser({ role: "admin" }));
    expect(dialog.queryByRole("textbox")).toBeNull();
    await user.click(await dialog.findByRole("button", { name: "Text anyway… Inés Duarte" }));
    const asks = within(await screen.findByRole("dialog", { name: "Text Inés Duarte anyway?" }));
    await user.type(asks.getByRole("textbox", { name: "Reason" }), " Asked for it ");
    await user.click(asks.getByRole("button", { name: "Text" }));
    await user.type(await field(dialog), "Hola{Enter}");
    await waitFor(() => expect(sent).toMatchObject([{ message: "Hola", overrideReason: "Asked for it" }]));
    expect(await dialog.findByRole("button", { name: /Text anyway/ })).toBeTruthy();
  });
});

describe("badges of unread texts", () => {
  it("show the count on the card and in the sidebar", async () => {
    serveLeadsPage({ leads: [buildLead({ unreadTexts: 3 })] });
    server.use(replyTo(getUnreadMessages, { leads: 3, inbox: 0 }));
    renderPortal("/");
    expect(await screen.findByRole("link", { name: /Dashboard\s*3 unread texts/ })).toBeTruthy();
    expect(await screen.findByRole("button", { name: /Send SMS Inés Duarte\s*3 unread texts/ })).toBeTruthy();
    expect(screen.queryByRole("button", { name: /Unknown numbers/ })).toBeNull();
  });
});
