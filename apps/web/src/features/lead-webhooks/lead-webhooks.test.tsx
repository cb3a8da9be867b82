import {
  type LeadDelivery,
  type WebhookSourceState,
  webhookSourceNames,
} from "@portal/contract/entities/lead-webhook";
import {
  createSourceKey,
  listWebhookDeliveries,
  listWebhookSources,
  receiveHubspot,
  removeSourceKey,
  replayWebhookDelivery,
  updateWebhookSource,
} from "@portal/contract/routes/lead-webhooks";
import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { setLanguage } from "../../lib/i18n.ts";
import { buildUser } from "../../testing/builders.ts";
import { renderPortal } from "../../testing/render-portal.tsx";
import { errorReply, replyTo, server } from "../../testing/server.ts";

const admin = buildUser({ role: "admin" });
const key = `whk_${"k".repeat(43)}`;

function serve(deliveries: LeadDelivery[] = []) {
  const states = new Map<string, WebhookSourceState>(
    webhookSourceNames.map((source) => [
      source,
      {
        source,
        address: `https://portal.test/api/webhook/${source}`,
        access: "open",
        key: null,
        hasClientSecret: false,
        organizationId: null,
        lastDelivery: null,
      },
    ]),
  );
  const asked: unknown[] = [];
  const change = (source: unknown, more: Partial<WebhookSourceState>): WebhookSourceState => {
    const state = { ...(states.get(String(source)) as WebhookSourceState), ...more };
    states.set(String(source), state);
    return state;
  };
  const made = { hint: key.slice(-4), createdAt: new Date().toISOString(), createdBy: "Ana Rivera" };
  server.use(
    replyTo(listWebhookSources, () => [...states.values()]),
    replyTo(createSourceKey, ({ params }) => ({
      key,
      source: change(params.source, { access: "keyed", key: { ...made, previousUntil: null } }),
    })),
    replyTo(removeSourceKey, ({ params }) => change(params.source, { access: "open", key: null })),
    replyTo(updateWebhookSource, ({ params, body }) => {
      asked.push(body);
      return change(params.source, { hasClientSecret: true });
    }),
    replyTo(listWebhookDeliveries, deliveries),
    replyTo(replayWebhookDelivery, ({ params }) => {
      asked.push({ replay: params.id });
      return { message: "The delivery is worked again." };
    }),
  );
  return { asked };
}

async function openSource(name: string, action: "Configure" | "Test", user = admin) {
  const page = renderPortal("/integrations?tab=webhooks", user);
  await page.user.click(await screen.findByRole("button", { name: `${action} ${name}` }));
  const dialog = within(await screen.findByRole("dialog"));
  return { ...page, dialog };
}

describe("the Webhooks tab", () => {
  it("lists every source with its address and shows which are open", async () => {
    serve();
    renderPortal("/integrations?tab=webhooks", admin);
    const list = within(await screen.findByRole("list", { name: "Sources of leads" }));
    expect(list.getAllByRole("listitem")).toHaveLength(5);
    expect(list.getByText("https://portal.test/api/webhook/pipedrive")).toBeTruthy();
    expect(list.getAllByText("Open")).toHaveLength(5);
    expect(screen.getByText(/take leads from anybody, without a key/)).toBeTruthy();
  });

  it("creates a key, shows it once, and removes it after a confirmation", async () => {
    serve();
    const { user, dialog } = await openSource("Salesforce", "Configure");
    await user.click(dialog.getByRole("button", { name: "Create key" }));
    expect(await dialog.findByLabelText("New key")).toHaveProperty("value", key);
    await dialog.findByRole("button", { name: "Rotate key" });
    await user.click(dialog.getByRole("button", { name: "Remove key" }));
    const question = within(await screen.findByRole("alertdialog"));
    await user.click(question.getByRole("button", { name: "Remove key" }));
    expect(await dialog.findByText(/No key is set/)).toBeTruthy();
    expect(dialog.queryByLabelText("New key")).toBeNull();
  });

  it("saves HubSpot's client secret and clears the field", async () => {
    const { asked } = serve();
    const { user, dialog } = await openSource("HubSpot", "Configure");
    const field = dialog.getByLabelText("Client secret of the HubSpot app");
    await user.type(field, "secret-of-the-app");
    await user.click(dialog.getByRole("button", { name: "Save" }));
    expect(await dialog.findByText(/A client secret is set/)).toBeTruthy();
    expect(asked).toEqual([{ clientSecret: "secret-of-the-app" }]);
    expect(field).toHaveProperty("value", "");
  });

  it("sends a sample to the real address and shows status and body", async () => {
    serve();
    const seen: { test: string | null; body: { vid?: number } }[] = [];
    server.use(
      http.post(receiveHubspot.path, async ({ request }) => {
        seen.push({
          test: request.headers.get("x-webhook-test"),
          body: (await request.json()) as { vid?: number },
        });
        return HttpResponse.json({ success: true, deliveryId: 12 });
      }),
    );
    const { user, dialog } = await openSource("HubSpot", "Test", buildUser());
    await user.click(dialog.getByRole("button", { name: "Send Test" }));
    const result = within(await dialog.findByRole("region", { name: "Result of the test" }));
    expect(result.getByText("200 OK")).toBeTruthy();
    expect(result.getByText(/"deliveryId": 12/)).toBeTruthy();
    await user.click(dialog.getByRole("checkbox", { name: "Also make the lead" }));
    await user.click(dialog.getByRole("button", { name: "Send Test" }));
    await waitFor(() => expect(seen.map(({ test }) => test)).toEqual(["1", null]));
    expect(seen[0]?.body.vid).toBe(123);
    expect(dialog.queryByRole("tab", { name: "Deliveries" })).toBeNull();
  });

  it("distinguishes a rejected test from one without a response, with the recorded text", async () => {
    serve();
    server.use(http.post(receiveHubspot.path, () => errorReply("unauthenticated", "The key is wrong.")));
    const { user, dialog } = await openSource("HubSpot", "Test");
    await user.click(dialog.getByRole("button", { name: "Send Test" }));
    expect(await screen.findByText("Webhook test failed")).toBeTruthy();
    expect(dialog.getByText(/The key is wrong/)).toBeTruthy();
    server.use(http.post(receiveHubspot.path, () => HttpResponse.error()));
    await user.click(dialog.getByRole("button", { name: "Send Test" }));
    expect(await screen.findByText("Test failed")).toBeTruthy();
    expect(screen.getAllByText("Could not connect to webhook endpoint.").length).toBeGreaterThan(0);
  });

  it("shows the result and body of each delivery, and replays it", async () => {
    const { asked } = serve([
      {
        id: 41,
        source: "lead",
        receivedAt: new Date().toISOString(),
        state: "done",
        reason: null,
        contentType: "application/json",
        body: '{"name":"Inés"}',
        test: false,
        items: [{ outcome: "created", reason: null, leadId: 7, leadName: "Inés Duarte" }],
      },
      {
        id: 40,
        source: "lead",
        receivedAt: new Date().toISOString(),
        state: "rejected",
        reason: "The body is not JSON.",
        contentType: "text/plain",
        body: "{oops",
        test: false,
        items: [{ outcome: "rejected", reason: "The body is not JSON.", leadId: null, leadName: null }],
      },
    ]);
    const { user, dialog } = await openSource("Any system", "Configure");
    await user.click(dialog.getByRole("tab", { name: "Deliveries" }));
    const made = within(await dialog.findByRole("listitem", { name: "Delivery 41" }));
    expect(made.getByText("New lead")).toBeTruthy();
    expect(made.getByRole("button", { name: "Open the history of Inés Duarte" })).toBeTruthy();
    const broken = within(dialog.getByRole("listitem", { name: "Delivery 40" }));
    setLanguage("es");
    expect(await broken.findByText("El cuerpo no es JSON.")).toBeTruthy();
    setLanguage("en");
    expect(broken.getByText("{oops")).toBeTruthy();
    await user.click(await broken.findByRole("button", { name: "Replay delivery 40" }));
    await waitFor(() => expect(asked).toEqual([{ replay: "40" }]));
    expect(await screen.findByText("Delivery Replayed")).toBeTruthy();
  });
});
