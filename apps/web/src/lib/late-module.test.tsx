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

it("fetches no module that is not needed", () => {
  const load = vi.fn<Load>();
  render(<Probe load={load} isWanted={false} />);
  expect(load).not.toHaveBeenCalled();
});

it("fetches no module without a network, and fetches it when the network returns", async () => {
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

it("shows a module at once without a network if it was loaded before, or if the server is reachable anyway", async () => {
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

it("retries a module when an unreachable server responds again", async () => {
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

it("reports a module that the server no longer has as outdated, without reloading the page", async () => {
  const reload = vi.spyOn(page, "reload").mockImplementation(() => undefined);
  server.use(http.get("/api/health", () => HttpResponse.json({})));
  const load = vi.fn<Load>().mockRejectedValue(missing());
  render(<Probe load={load} />);
  await vi.waitFor(() => expect(currentConnection()).toBe("outdated"), 50_000);
  expect(load).toHaveBeenCalledTimes(2);
  expect(reload).not.toHaveBeenCalled();
});
