import { QueryObserver } from "@tanstack/react-query";
import { act, render, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FakeEventSource, openedStream as stream } from "../testing/fake-event-source.ts";
import { server } from "../testing/server.ts";
import { startLiveEvents, useLiveEvents } from "./events.ts";
import { page } from "./navigation.ts";
import { createQueryClient } from "./query-client.ts";

/** One lock for all "tabs" of a test: the next one gets it when the holder is done. */
function fakeLocks() {
  let last: Promise<unknown> = Promise.resolve();
  return {
    request(_name: string, { signal }: { signal: AbortSignal }, task: () => Promise<void>) {
      last = last.then(() => (signal.aborted ? undefined : task()));
      return last;
    },
  };
}

const stops: (() => void)[] = [];

function startTab() {
  const client = createQueryClient();
  client.setQueryData(["/api/leads"], []);
  client.setQueryData(["/api/calls/live"], { call: null });
  client.setQueryData(["/api/current-user"], { id: 1 });
  const stop = startLiveEvents(client);
  stops.push(stop);
  const isStale = (path: string) => client.getQueryState([path])?.isInvalidated;
  return { client, stop, isStale };
}

const settled = () => waitFor(() => expect(FakeEventSource.opened.length).toBeGreaterThan(0));

beforeEach(() => {
  FakeEventSource.opened = [];
  vi.stubGlobal("EventSource", FakeEventSource);
  Object.defineProperty(navigator, "locks", { configurable: true, value: fakeLocks() });
});

afterEach(() => {
  vi.useRealTimers();
  for (const stop of stops.splice(0)) stop();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "locks");
});

describe("live events", () => {
  it("are ignored while the page is being left, until it is shown again", async () => {
    const tab = startTab();
    await settled();
    page.isLeaving = true;
    stream().send('{"topic":"session","id":1}');
    stream().send('{"topic":"call","id":7}');
    window.dispatchEvent(new Event("pageshow"));
    stream().send('{"topic":"lead","id":7}');
    await waitFor(() => expect(tab.isStale("/api/leads")).toBe(true));
    expect(tab.isStale("/api/current-user")).toBe(false);
    expect(tab.isStale("/api/calls/live")).toBe(false);
  });

  it("invalidate the queries of their topic, and no others", async () => {
    const tab = startTab();
    await settled();
    expect(stream().url).toBe("/api/events");
    stream().send('{"topic":"call","id":7}');
    expect(tab.isStale("/api/calls/live")).toBe(true);
    expect(tab.isStale("/api/leads")).toBe(false);
  });

  it.each([
    ["an import or a sync of anybody's leads", '{"topic":"all-leads","id":0}', true],
    ["a message of an unknown number", '{"topic":"sms","id":0}', false],
  ])("leave the list of one's own leads alone after %s", async (_of, event, isTeamRead) => {
    const tab = startTab();
    tab.client.setQueryData(["/api/leads/all"], []);
    await settled();
    stream().send(event);
    expect(tab.isStale("/api/leads/all")).toBe(isTeamRead);
    expect(tab.isStale("/api/leads")).toBe(false);
  });

  it("refetch the lists at once for the first page of a sync, and every two seconds while it runs", async () => {
    const tab = startTab();
    await settled();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const isReadAgain = () => {
      const isStale = tab.isStale("/api/leads");
      tab.client.setQueryData(["/api/leads"], []);
      return isStale;
    };
    stream().send('{"topic":"lead","id":0}');
    expect(isReadAgain()).toBe(true);
    for (let page = 0; page < 6; page += 1) {
      stream().send('{"topic":"lead","id":0}');
      await vi.advanceTimersByTimeAsync(300);
    }
    expect(isReadAgain()).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(isReadAgain()).toBe(true);
  });

  it("reach the handlers of their topic with their id", async () => {
    const seen: number[] = [];
    function Probe() {
      useLiveEvents("lead", ({ id }) => seen.push(id));
      return null;
    }
    const { unmount } = render(<Probe />);
    startTab();
    await settled();
    act(() => {
      stream().send('{"topic":"lead","id":3}');
      stream().send('{"topic":"call","id":4}');
    });
    unmount();
    stream().send('{"topic":"lead","id":5}');
    expect(seen).toEqual([3]);
  });

  it.each(["not json", "null", '{"topic":"unknown","id":1}'])("ignore %s", async (data) => {
    const tab = startTab();
    await settled();
    stream().send(data);
    expect(tab.isStale("/api/leads")).toBe(false);
  });

  it("invalidate what was read before the stream opened, after every reconnect", async () => {
    const tab = startTab();
    await settled();
    stream().open();
    expect(tab.isStale("/api/leads")).toBe(true);
    tab.client.setQueryData(["/api/leads"], []);
    stream().dispatchEvent(new Event("refetch"));
    expect(tab.isStale("/api/leads")).toBe(true);
    expect(tab.isStale("/api/current-user")).toBe(false);
  });

  it.each(["/api/leads", "/api/sms/unread", "/api/dashboard-stats"])(
    "refetch %s once its first response arrives, if the stream opened during that request",
    async (path) => {
      const answer = Promise.withResolvers<Response>();
      let asked = 0;
      server.use(
        http.get(path, () => {
          asked += 1;
          return asked === 1 ? answer.promise : HttpResponse.json(["later"]);
        }),
      );
      const tab = startTab();
      tab.client.removeQueries({ queryKey: [path] });
      const observer = new QueryObserver(tab.client, { queryKey: [path] });
      stops.push(observer.subscribe(() => undefined));
      await settled();
      stream().open();
      answer.resolve(HttpResponse.json(["before the event"]));
      await waitFor(() => expect(tab.client.getQueryData([path])).toEqual(["later"]));
      expect(asked).toBe(2);
    },
  );

  it.each([
    ["/api/sms/unread", '{"topic":"sms","id":0}'],
    ["/api/inbox", '{"topic":"sms","id":0}'],
    ["/api/leads", '{"topic":"lead","id":0}'],
  ])(
    "refetch %s once its first response arrives, if an event came during that request",
    async (path, event) => {
      const answer = Promise.withResolvers<Response>();
      let asked = 0;
      server.use(
        http.get(path, () => {
          asked += 1;
          return asked === 1 ? answer.promise : HttpResponse.json(["after the event"]);
        }),
      );
      const tab = startTab();
      tab.client.removeQueries({ queryKey: [path] });
      await settled();
      stream().open();
      const observer = new QueryObserver(tab.client, { queryKey: [path] });
      stops.push(observer.subscribe(() => undefined));
      await waitFor(() => expect(asked).toBe(1));
      stream().send(event);
      answer.resolve(HttpResponse.json(["before the event"]));
      await waitFor(() => expect(tab.client.getQueryData([path])).toEqual(["after the event"]));
    },
  );

  it("notify the pages that show calls of a gap in the stream", async () => {
    const seen: number[] = [];
    function Probe() {
      useLiveEvents("call-log", ({ id }) => seen.push(id));
      return null;
    }
    render(<Probe />);
    startTab();
    await settled();
    act(() => stream().open());
    expect(seen).toEqual([0]);
  });

  it("do not retry a first read that failed, but refetch it when the stream reopens", async () => {
    const answer = Promise.withResolvers<Response>();
    let asked = 0;
    server.use(
      http.get("/api/leads", () => {
        asked += 1;
        return asked === 1 ? answer.promise : HttpResponse.json(["later"]);
      }),
    );
    const tab = startTab();
    tab.client.removeQueries({ queryKey: ["/api/leads"] });
    const observer = new QueryObserver(tab.client, { queryKey: ["/api/leads"] });
    stops.push(observer.subscribe(() => undefined));
    await settled();
    stream().open();
    answer.resolve(HttpResponse.error());
    await waitFor(() => expect(observer.getCurrentResult().isError).toBe(true));
    await new Promise((resolve) => setTimeout(resolve));
    expect(asked).toBe(1);
    stream().open();
    await waitFor(() => expect(tab.client.getQueryData(["/api/leads"])).toEqual(["later"]));
    expect(asked).toBe(2);
  });

  it("reconnect at once when the network returns", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    startTab();
    await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(1), 50_000);
    stream().refuse();
    await vi.advanceTimersByTimeAsync(0);
    expect(FakeEventSource.opened).toHaveLength(1);
    window.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(0);
    expect(FakeEventSource.opened).toHaveLength(2);
  });

  it("reconnect when the stream is silent because its connection was lost", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const tab = startTab();
    await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(1), 50_000);
    stream().open();
    for (let beat = 0; beat < 4; beat += 1) {
      await vi.advanceTimersByTimeAsync(15_000);
      stream().dispatchEvent(new Event("alive"));
    }
    expect(FakeEventSource.opened).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(40_000);
    expect(stream().readyState).toBe(FakeEventSource.CLOSED);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(FakeEventSource.opened).toHaveLength(2);
    tab.client.setQueryData(["/api/leads"], []);
    stream().open();
    expect(tab.isStale("/api/leads")).toBe(true);
  });

  it("refetch preloaded data when another tab holds the stream", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const tab = startTab();
    await vi.advanceTimersByTimeAsync(1_999);
    expect(tab.isStale("/api/leads")).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(tab.isStale("/api/leads")).toBe(true);
  });

  it("refetch the current user when the stream is refused, as after a sign-out", async () => {
    const tab = startTab();
    await settled();
    stream().refuse();
    await waitFor(() => expect(tab.isStale("/api/current-user")).toBe(true));
  });

  it("are replaced by polling while the stream is refused, and received again once it opens", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const tab = startTab();
    await vi.waitFor(() => expect(FakeEventSource.opened).toHaveLength(1), 50_000);
    const refuse = async () => {
      tab.client.setQueryData(["/api/leads"], []);
      stream().refuse();
      await vi.advanceTimersByTimeAsync(0);
    };
    await refuse();
    expect(tab.isStale("/api/leads")).toBe(false);
    for (const [index, ms] of [1_000, 2_000, 5_000, 10_000, 30_000].entries()) {
      await vi.advanceTimersByTimeAsync(ms);
      expect(FakeEventSource.opened).toHaveLength(index + 2);
      await refuse();
      expect(tab.isStale("/api/leads")).toBe(true);
    }
    await vi.advanceTimersByTimeAsync(30_000);
    stream().open();
    tab.client.setQueryData(["/api/calls/live"], { call: null });
    stream().send('{"topic":"call","id":7}');
    expect(tab.isStale("/api/calls/live")).toBe(true);
  });

  it("share one stream between tabs, and the next tab takes over", async () => {
    const first = startTab();
    const second = startTab();
    await settled();
    expect(FakeEventSource.opened).toHaveLength(1);
    stream().send('{"topic":"call","id":7}');
    await waitFor(() => expect(second.isStale("/api/calls/live")).toBe(true));
    first.stop();
    await waitFor(() => expect(FakeEventSource.opened).toHaveLength(2));
  });

  it("use a stream per tab in a browser without locks", async () => {
    Reflect.deleteProperty(navigator, "locks");
    startTab();
    startTab();
    await waitFor(() => expect(FakeEventSource.opened).toHaveLength(2));
  });

  it("close the stream when they are stopped", async () => {
    const tab = startTab();
    await settled();
    tab.stop();
    expect(stream().readyState).toBe(FakeEventSource.CLOSED);
  });
});
