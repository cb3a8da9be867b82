import { getCurrentUser } from "@portal/contract/routes/auth";
import { getLead, listLeads } from "@portal/contract/routes/leads";
import { QueryObserver } from "@tanstack/react-query";
import { HttpResponse, http } from "msw";
import { describe, expect, it } from "vitest";
import { buildUser } from "../testing/builders.ts";
import { refuse, replyTo, server } from "../testing/server.ts";
import { ApiError } from "./api.ts";
import {
  createQueryClient,
  currentUserQuery,
  invalidatePaths,
  routePages,
  routeQuery,
} from "./query-client.ts";

function countRequests(path: string) {
  const urls: string[] = [];
  server.use(
    http.get(path, ({ request }) => {
      const { pathname, search } = new URL(request.url);
      urls.push(pathname + search);
      return HttpResponse.json([]);
    }),
  );
  return urls;
}

describe("the default query function", () => {
  it("requests the path of the key, with the object after it as query string", async () => {
    const urls = countRequests("/api/leads");
    await createQueryClient().fetchQuery({
      queryKey: ["/api/leads", { search: "maria", status: "", priority: null, sort: undefined, limit: 0 }],
    });
    expect(urls).toEqual(["/api/leads?search=maria&limit=0"]);
  });

  it("throws a 401 by default", async () => {
    server.use(
      refuse(listLeads, "unauthenticated", "Please sign in"),
      refuse(getCurrentUser, "unauthenticated", ""),
    );
    const read = createQueryClient().fetchQuery({ queryKey: ["/api/leads"] });
    await expect(read).rejects.toThrow("401: Please sign in");
  });

  it("does not retry", async () => {
    let requests = 0;
    server.use(
      http.get("/api/leads", () => {
        requests += 1;
        return HttpResponse.json({ message: "down" }, { status: 500 });
      }),
    );
    await expect(createQueryClient().fetchQuery({ queryKey: ["/api/leads"] })).rejects.toBeInstanceOf(
      ApiError,
    );
    expect(requests).toBe(1);
  });
});

describe("the query defaults", () => {
  it("never become stale, never refetch on their own, never retry", () => {
    const { queries, mutations } = createQueryClient().getDefaultOptions();
    expect(queries).toMatchObject({
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: false,
    });
    expect(mutations).toMatchObject({ retry: false });
  });
});

describe("the current user", () => {
  it("is null without a session", async () => {
    server.use(refuse(getCurrentUser, "unauthenticated", "Please sign in"));
    expect(await createQueryClient().fetchQuery(currentUserQuery())).toBeNull();
  });

  it("is an error when the server fails, so that nobody appears signed out", async () => {
    server.use(refuse(getCurrentUser, "internal", "Something broke"));
    await expect(createQueryClient().fetchQuery(currentUserQuery())).rejects.toThrow("500: Something broke");
  });

  it("is not requested again by the page that shows why it failed", async () => {
    let asked = 0;
    server.use(
      http.get(getCurrentUser.path, () => {
        asked += 1;
        return HttpResponse.json({ error: "Something broke" }, { status: 500 });
      }),
    );
    const client = createQueryClient();
    await expect(client.fetchQuery(currentUserQuery())).rejects.toThrow("500");
    const observer = new QueryObserver(client, currentUserQuery());
    observer.subscribe(() => undefined)();
    expect([asked, observer.getCurrentResult().status, client.isFetching()]).toEqual([1, "error", 0]);
  });

  it("stays fresh for 60 s and cached for 5 min, and is never refetched on its own", () => {
    expect(currentUserQuery()).toMatchObject({
      staleTime: 60_000,
      gcTime: 300_000,
      retry: false,
      refetchOnMount: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
    });
  });

  it("is null without a request if the page's metadata says that there is no session", async () => {
    const meta = document.createElement("meta");
    meta.name = "has-session";
    meta.content = "false";
    document.head.append(meta);
    expect(currentUserQuery()).toMatchObject({ initialData: null });
    meta.remove();
    expect(currentUserQuery()).not.toHaveProperty("initialData");
  });

  it("is refetched when a read is refused because the session has ended", async () => {
    const client = createQueryClient();
    client.setQueryData([getCurrentUser.path], buildUser());
    server.use(
      refuse(listLeads, "unauthenticated", "Please sign in"),
      refuse(getCurrentUser, "unauthenticated", "Please sign in"),
    );
    const observer = new QueryObserver(client, currentUserQuery());
    const gone = new Promise<void>((resolve) => {
      const unsubscribe = observer.subscribe(({ data }) => {
        if (data !== null) return;
        unsubscribe();
        resolve();
      });
    });
    await expect(client.fetchQuery(routeQuery(listLeads))).rejects.toThrow("401");
    await gone;
  });
});

describe("keys and invalidation", () => {
  it("builds [path, query] keys of contract routes", () => {
    expect(routeQuery(getLead, { params: { id: 5 } }).queryKey).toEqual(["/api/leads/5"]);
    expect(routeQuery(listLeads, { query: { status: "new" } }).queryKey).toEqual([
      "/api/leads",
      { status: "new" },
    ]);
  });

  it("invalidates a path and everything below it, and nothing else", async () => {
    const client = createQueryClient();
    const keys = [["/api/leads"], ["/api/leads", { status: "new" }], ["/api/leads/5"], ["/api/leads-other"]];
    for (const key of keys) client.setQueryData(key, []);
    await invalidatePaths(client, ["/api/leads"]);
    expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, true, true, false]);
  });

  it("pages through a list by the cursor in its headers", async () => {
    const asked: (string | null)[] = [];
    server.use(
      replyTo(
        listLeads,
        ({ request }) => {
          asked.push(new URL(request.url).searchParams.get("cursor"));
          return [];
        },
        { "x-total-count": "1000+", "x-next-cursor": "abc" },
      ),
    );
    const client = createQueryClient();
    const data = await client.fetchInfiniteQuery({
      ...routePages(listLeads, { query: { status: "new" } }),
      pages: 2,
    });
    expect(asked).toEqual([null, "abc"]);
    expect(data.pages[0]).toEqual({ items: [], total: "1000+", nextCursor: "abc" });
  });
});
