import type { ScheduledSms } from "@portal/contract/entities/scheduled-sms";
import { getLead } from "@portal/contract/routes/leads";
import {
  cancelScheduledSms,
  listLeadScheduledSms,
  releaseScheduledSms,
  scheduleSms,
} from "@portal/contract/routes/scheduled-sms";
import { listMessages, sendMessage } from "@portal/contract/routes/sms";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { buildMessage, buildUser } from "../../../testing/builders.ts";
import { buildLead } from "../../../testing/lead-builders.ts";
import { serveLeadsPage } from "../../../testing/leads-server.ts";
import { renderPortal } from "../../../testing/render-portal.tsx";
import { errorReply, replyTo, server } from "../../../testing/server.ts";

// Loaded on first use, which is slow on a busy machine.
beforeAll(() => import("../components/sms-dialog.tsx"));

const scheduled = (overrides: Partial<ScheduledSms> = {}): ScheduledSms => ({
  id: 5,
  leadId: 7,
  leadName: "Inés Duarte",
  message: "Nos vemos mañana",
  state: "waiting",
  reason: null,
  sendAt: "2099-01-05T15:00:00.000Z",
  timeZone: "America/New_York",
  writerName: "Ana Rivera",
  ...overrides,
});

/** A thread whose lead has these scheduled SMS; requests are recorded. */
async function openThread(texts: ScheduledSms[], lead = buildLead()) {
  serveLeadsPage({ leads: [lead] });
  const asked: object[] = [];
  let listed = texts;
  server.use(
    replyTo(getLead, lead),
    replyTo(listMessages, []),
    replyTo(listLeadScheduledSms, () => ({ timeZone: "America/New_York", texts: listed })),
    replyTo(scheduleSms, ({ body }) => {
      asked.push(body as object);
      listed = [scheduled()];
      return scheduled();
    }),
    replyTo(cancelScheduledSms, () => {
      asked.push({ act: "cancel" });
      listed = [];
      return scheduled({ state: "canceled" });
    }),
    replyTo(releaseScheduledSms, () => {
      asked.push({ act: "send" });
      listed = [];
      return scheduled();
    }),
    replyTo(sendMessage, () => errorReply("internal", "nothing is sent at once here")),
  );
  const { user } = renderPortal("/", buildUser());
  await user.click(await screen.findByRole("button", { name: /SMS Inés Duarte/ }));
  return { user, dialog: within(await screen.findByRole("dialog")), asked };
}

it("a text is scheduled for a day and time on the lead's clock, and Enter in the form sends nothing at once", async () => {
  const { user, dialog, asked } = await openThread([]);
  const field = (await dialog.findByRole("textbox", { name: "Message" })) as HTMLTextAreaElement;
  await user.type(field, "Nos vemos mañana");
  await user.click(dialog.getByRole("button", { name: "Send later" }));
  const form = within(await dialog.findByRole("form", { name: "Send later" }));
  expect(form.getByText(/^On their clock, New York\./)).toBeTruthy();
  fireEvent.change(form.getByLabelText("Day"), { target: { value: "2099-01-05" } });
  fireEvent.change(form.getByLabelText("Time"), { target: { value: "10:00" } });
  await user.type(form.getByLabelText("Time"), "{Enter}");
  await waitFor(() =>
    expect(asked).toMatchObject([{ message: "Nos vemos mañana", day: "2099-01-05", time: "10:00" }]),
  );
  expect(await dialog.findByText("Goes out Mon, Jan 5, 10:00 AM (New York)")).toBeTruthy();
  await waitFor(() => expect(field.value).toBe(""));
  await user.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(dialog.queryByText(/Goes out/)).toBeNull());
  expect(asked.at(-1)).toEqual({ act: "cancel" });
});

it("a held text shows the reason, and is sent on a press", async () => {
  const { user, dialog, asked } = await openThread([scheduled({ state: "held", reason: "lead_wrote" })]);
  expect(await dialog.findByText("Held: they wrote meanwhile.")).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Send now" }));
  await waitFor(() => expect(asked).toEqual([{ act: "send" }]));
});

it("while a day and time are asked for, Enter in the message schedules it; Send sends it at once and closes the form", async () => {
  const { user, dialog, asked } = await openThread([]);
  server.use(
    replyTo(sendMessage, () => {
      asked.push({ act: "send at once" });
      return buildMessage();
    }),
  );
  const field = (await dialog.findByRole("textbox", { name: "Message" })) as HTMLTextAreaElement;
  await user.click(dialog.getByRole("button", { name: "Send later" }));
  await dialog.findByRole("form", { name: "Send later" });
  await user.type(field, "Nos vemos mañana{Enter}");
  await waitFor(() => expect(asked).toMatchObject([{ message: "Nos vemos mañana", time: "10:00" }]));
  await waitFor(() => expect(dialog.queryByRole("form", { name: "Send later" })).toBeNull());
  await user.click(dialog.getByRole("button", { name: "Send later" }));
  await dialog.findByRole("form", { name: "Send later" });
  await user.type(field, "Ya no hace falta");
  await user.click(dialog.getByRole("button", { name: "Send" }));
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]).toEqual({ act: "send at once" });
  await waitFor(() => expect(dialog.queryByRole("form", { name: "Send later" })).toBeNull());
});

it("outside the lead's hours a text can be scheduled from the first allowed time, but not sent now", async () => {
  const { user, dialog, asked } = await openThread(
    [],
    buildLead({ textRefusal: "outside_hours", textAllowedAt: "2099-01-06T13:00:00.000Z" }),
  );
  await user.click(await dialog.findByRole("button", { name: "Send later" }));
  expect(((await dialog.findByLabelText("Day")) as HTMLInputElement).value).toBe("2099-01-06");
  expect((dialog.getByLabelText("Time") as HTMLInputElement).value).toBe("08:00");
  expect(dialog.getByRole("button", { name: "Send" }).getAttribute("aria-disabled")).toBe("true");
  await user.type(dialog.getByRole("textbox", { name: "Message" }), "Hola{Enter}");
  await waitFor(() => expect(asked).toMatchObject([{ message: "Hola", day: "2099-01-06", time: "08:00" }]));
});
