import type { Lead } from "@portal/contract/entities/lead";
import { getDashboardStats, getLead, listLeads } from "@portal/contract/routes/leads";
import { getTimeline } from "@portal/contract/routes/timeline";
import { QueryObserver } from "@tanstack/react-query";
import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { buildUser } from "../testing/builders.ts";
import { FakeEventSource, openedStream } from "../testing/fake-event-source.ts";
import { buildLead, buildStats } from "../testing/lead-builders.ts";
import { serveLeadsPage } from "../testing/leads-server.ts";
import { renderPortal } from "../testing/render-portal.tsx";
import { errorReply, replyTo, server } from "../testing/server.ts";
import { startLiveEvents } from "./events.ts";
import { routeQuery } from "./query-client.ts";

const viewer = buildUser();
let stop = () => {};

beforeEach(() => {
  FakeEventSource.opened = [];
  vi.stubGlobal("EventSource", FakeEventSource);
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

/** Renders the leads page with its event stream; `asked` counts the requests since the stream opened. */
async function openPage(leads: Lead[], { address = "/", total = leads.length, headers = {} } = {}) {
  const state = { leads, total, deleted: new Set<number>() };
  const asked = { pages: 0, stats: 0, leads: [] as string[] };
  serveLeadsPage({ leads });
  server.use(
    replyTo(getDashboardStats, () => {
      asked.stats += 1;
      return buildStats({ totalLeads: state.total, newLeads: state.total });
    }),
    replyTo(getLead, ({ params }) => {
      asked.leads.push(String(params.id));
      const lead = state.leads.find(({ id }) => String(id) === params.id);
      return lead ?? errorReply("not_found", "Lead not found");
    }),
    replyTo(
      listLeads,
      () => {
        asked.pages += 1;
        return state.leads.filter(({ id, assignedTo }) => !state.deleted.has(id) && assignedTo === viewer.id);
      },
      { "x-total-count": String(total), ...headers },
    ),
  );
  const { client } = renderPortal(address, viewer);
  await screen.findByRole("article", { name: leads[0]?.name ?? "" });
  stop = startLiveEvents(client);
  await waitFor(() => expect(FakeEventSource.opened).toHaveLength(1));
  act(() => openedStream().open());
  await waitFor(() => expect(asked.stats).toBe(2));
  await waitFor(() => expect(client.isFetching()).toBe(0));
  asked.pages = 0;
  asked.stats = 0;
  asked.leads = [];
  const publish = (topic: string, id: number) =>
    act(() => openedStream().send(JSON.stringify({ topic, id })));
  return { state, asked, publish, client };
}

const own = (lead: Partial<Lead>) => buildLead({ assignedTo: viewer.id, ...lead });
const inés = own({
  id: 7,
  name: "Inés Duarte",
  phone: "+17875550107",
  createdAt: "2026-05-02T09:00:00.000Z",
});
const luis = own({ id: 8, name: "Luis Peña", phone: "+17875550108", createdAt: "2026-05-01T09:00:00.000Z" });
const card = (name: string) => screen.queryByRole("article", { name });

describe("an event about a lead of the list", () => {
  it("refetches that lead once, and no page", async () => {
    const { state, asked, publish } = await openPage([inés, luis]);
    state.leads = [{ ...inés, company: "Tejados Norte" }, luis];
    publish("lead", 7);
    await screen.findByText("Tejados Norte");
    await waitFor(() => expect(asked.stats).toBe(1));
    expect(asked.leads).toEqual(["7"]);
    expect(asked.pages).toBe(0);
    expect(card("Luis Peña")).toBeTruthy();
  });

  it("refetches the lead for its messages too; a call's own event does not", async () => {
    const { state, asked, publish } = await openPage([inés, luis]);
    state.leads = [{ ...inés, unreadTexts: 3 }, luis];
    publish("sms", 7);
    await waitFor(() => expect(asked.leads).toEqual(["7"]));
    publish("call-log", 91);
    await waitFor(() => expect(asked.stats).toBe(1));
    expect(asked.leads).toEqual(["7"]);
    expect(asked.pages).toBe(0);
  });

  it("shows the lead's new data even if a dialog that reads it closes meanwhile", async () => {
    const { state, asked, publish, client } = await openPage([inés, luis]);
    const dialog = new QueryObserver(client, { ...routeQuery(getLead, { params: { id: 7 } }), staleTime: 0 });
    const close = dialog.subscribe(() => {});
    await waitFor(() => expect(dialog.getCurrentResult().isSuccess).toBe(true));
    state.leads = [{ ...inés, company: "Tejados Norte" }, luis];
    const answer = Promise.withResolvers<Lead>();
    server.use(
      replyTo(getLead, () => {
        asked.leads.push("7");
        return answer.promise;
      }),
    );
    publish("lead", 7);
    await waitFor(() => expect(asked.leads).toEqual(["7", "7"]));
    close();
    answer.resolve(state.leads[0] as Lead);
    await screen.findByText("Tejados Norte");
  });

  it("removes a lead that was reassigned to another consultant, and updates the total", async () => {
    const { state, asked, publish } = await openPage([inés, luis]);
    state.leads = [{ ...inés, assignedTo: viewer.id + 1 }, luis];
    state.total = 1;
    publish("lead", 7);
    await waitFor(() => expect(card("Inés Duarte")).toBeNull());
    expect(screen.getByText("1 lead")).toBeTruthy();
    await waitFor(() => expect(asked.stats).toBe(1));
    expect(asked.pages).toBe(0);
  });

  it("reads nothing more below a lead that became a colleague's while its panel is open", async () => {
    let read = 0;
    server.use(
      replyTo(getTimeline, () => {
        read += 1;
        return [];
      }),
    );
    const { state, asked, publish, client } = await openPage([inés, luis], { address: "/leads/7" });
    await screen.findByRole("dialog", { name: "Inés Duarte" });
    await waitFor(() => expect(read).toBeGreaterThan(0));
    await waitFor(() => expect(client.isFetching()).toBe(0));
    read = 0;
    publish("lead", 7);
    await waitFor(() => expect(read).toBe(1));
    await waitFor(() => expect(client.isFetching()).toBe(0));
    state.leads = [{ ...inés, assignedTo: viewer.id + 1, salesRepName: "Nora Vidal" }, luis];
    asked.stats = 0;
    publish("lead", 7);
    await screen.findByText(/^Nora Vidal has this lead/);
    await waitFor(() => expect(asked.stats).toBe(1));
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(read).toBe(1);
  });

  it("removes a lead that was deleted", async () => {
    const { state, asked, publish } = await openPage([inés, luis]);
    state.leads = [luis];
    state.total = 1;
    publish("lead", 7);
    await waitFor(() => expect(card("Inés Duarte")).toBeNull());
    expect(asked.pages).toBe(0);
  });

  it("removes a lead that no longer matches the list's filter", async () => {
    const { state, asked, publish } = await openPage([inés, luis], { address: "/?status=new" });
    state.leads = [{ ...inés, status: "contacted", leadStatus: "contacted" }, luis];
    state.total = 1;
    publish("lead", 7);
    await waitFor(() => expect(card("Inés Duarte")).toBeNull());
    expect(card("Luis Peña")).toBeTruthy();
    await waitFor(() => expect(asked.stats).toBe(1));
    expect(asked.pages).toBe(0);
  });

  it("refetches the pages if the lead is new in the list", async () => {
    const { state, asked, publish } = await openPage([inés, luis]);
    const nora = own({
      id: 9,
      name: "Nora Vidal",
      phone: "+17875550109",
      createdAt: "2026-05-03T09:00:00.000Z",
    });
    state.leads = [nora, inés, luis];
    publish("lead", 9);
    await screen.findByRole("article", { name: "Nora Vidal" });
    expect(asked.pages).toBeGreaterThan(0);
  });

  it("leaves the list unchanged if the lead is beyond the loaded rows, unless the total changed", async () => {
    const { state, asked, publish, client } = await openPage([inés, luis], {
      total: 40,
      headers: { "x-next-cursor": "c1" },
    });
    const old = own({
      id: 3,
      name: "Old Lead",
      phone: "+17875550103",
      createdAt: "2026-01-01T09:00:00.000Z",
    });
    state.leads = [inés, luis, old];
    publish("lead", 3);
    await waitFor(() => expect(asked.leads).toEqual(["3"]));
    await waitFor(() => expect(asked.stats).toBe(1));
    await waitFor(() => expect(client.isFetching()).toBe(0));
    expect(asked.pages).toBe(0);
    state.total = 41;
    await new Promise((resolve) => setTimeout(resolve, 300));
    publish("lead", 3);
    await waitFor(() => expect(asked.pages).toBe(1));
  });

  it("refetches the pages if another lead of the list has the same number", async () => {
    const twin = own({ ...luis, phone: inés.phone });
    const { asked, publish } = await openPage([inés, twin]);
    publish("lead", 7);
    await waitFor(() => expect(asked.pages).toBe(1));
  });

  it("refetches the pages if it has no id, if more than ten leads changed, or if the lead cannot be read", async () => {
    const { asked, publish, client } = await openPage([inés, luis]);
    const settled = () => waitFor(() => expect(client.isFetching()).toBe(0));
    publish("lead", 0);
    await waitFor(() => expect(asked.pages).toBe(1));
    await settled();
    act(() => {
      // Begins a batch, so that the leads are all in the next one.
      openedStream().send('{"topic":"call","id":1}');
      for (let id = 100; id <= 110; id += 1) openedStream().send(`{"topic":"lead","id":${id}}`);
    });
    await waitFor(() => expect(asked.pages).toBe(2));
    expect(asked.leads).toEqual([]);
    await settled();
    server.use(replyTo(getLead, () => errorReply("unavailable", "The database does not answer")));
    publish("lead", 7);
    await waitFor(() => expect(asked.pages).toBe(3));
  });
});

describe("after a gap in the event stream", () => {
  it("everything on screen is refetched", async () => {
    const { state, asked } = await openPage([inés, luis]);
    state.leads = [{ ...inés, company: "Tejados Norte" }, luis];
    act(() => openedStream().open());
    await screen.findByText("Tejados Norte");
    expect(asked.pages).toBe(1);
    expect(asked.stats).toBe(1);
    expect(asked.leads).toEqual([]);
  });
});
