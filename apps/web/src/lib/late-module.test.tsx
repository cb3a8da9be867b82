import { render, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { afterEach, expect, it, vi } from "vitest";
import { server } from "../testing/server.ts";
import { currentConnection } from "./connection.ts";
import { useLateModule } from "./late-module.ts";
import { page } from "./navigation.ts";

type Load = () => Promise<{ word: string }>;

const missing = () => new TypeError("Failed to fetch dynamically imported module: /assets/part.js");

function Probe({ load, isWanted = true }: { load: Load; isWanted?: boolean }) {
  return <p>{useLateModule(load, isWanted)?.word ?? "waiting"}</p>;
}

function setOnline(isOnline: boolean): void {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(isOnline);
  window.dispatchEvent(new Event(isOnline ? "online" : "offline"));
}

afterEach(() => {
  setOnline(true);
  vi.restoreAllMocks();
});

it("fetches nothing unwanted", () => {
  const load = vi.fn<Load>();
  render(<Probe load={load} isWanted={false} />);
  expect(load).not.toHaveBeenCalled();
});

it("asks for nothing without a network, and comes when it is back", async () => {
  server.use(http.get("/api/health", () => HttpResponse.error()));
  setOnline(false);
  const load = vi.fn<Load>().mockResolvedValue({ word: "there" });
  render(<Probe load={load} />);
  await vi.waitFor(() => expect(currentConnection()).toBe("offline"), 50_000);
  expect(load).not.toHaveBeenCalled();
  server.resetHandlers();
  setOnline(true);
  expect(await screen.findByText("there")).toBeDefined();
  expect(currentConnection()).toBe("up");
});

it("comes at once without a network where it has come before, and where the server is in reach all the same", async () => {
  server.use(http.get("/api/health", () => HttpResponse.json({ status: "ok" })));
  setOnline(false);
  const load = vi.fn<Load>().mockResolvedValue({ word: "there" });
  const first = render(<Probe load={load} />);
  expect(await screen.findByText("there")).toBeDefined();
  first.unmount();
  server.use(http.get("/api/health", () => HttpResponse.error()));
  render(<Probe load={load} />);
  expect(await screen.findByText("there")).toBeDefined();
});

it("is asked for again when a server that was away answers", async () => {
  let isThere = false;
  server.use(http.get("/api/health", () => (isThere ? HttpResponse.json({}) : HttpResponse.error())));
  const load = vi.fn<Load>().mockRejectedValueOnce(missing()).mockResolvedValue({ word: "there" });
  render(<Probe load={load} />);
  await vi.waitFor(() => expect(currentConnection()).toBe("unreachable"), 50_000);
  isThere = true;
  window.dispatchEvent(new Event("online"));
  expect(await screen.findByText("there")).toBeDefined();
  expect(load).toHaveBeenCalledTimes(2);
});

it("of which the server does not know any more is said to be outdated, and reloads nothing by itself", async () => {
  const reload = vi.spyOn(page, "reload").mockImplementation(() => undefined);
  server.use(http.get("/api/health", () => HttpResponse.json({})));
  const load = vi.fn<Load>().mockRejectedValue(missing());
  render(<Probe load={load} />);
  await vi.waitFor(() => expect(currentConnection()).toBe("outdated"), 50_000);
  expect(load).toHaveBeenCalledTimes(2);
  expect(reload).not.toHaveBeenCalled();
});
