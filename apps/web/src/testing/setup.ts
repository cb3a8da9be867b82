import { cleanup, configure, prettyDOM } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { noteAnswer } from "../lib/connection.ts";
import { setLanguage } from "../lib/i18n.ts";
import { clearItems } from "../lib/offline/queue-database.ts";
import { forgetPersonal } from "../lib/store.ts";
import { setTheme } from "../lib/theme.ts";
import { dismissToast } from "../ui/toast.ts";
import { buildUser } from "./builders.ts";
import { server } from "./server.ts";

/**
 * The error of a query without a result. A wait queries many times, and printing the page costs as much as a query: print it only where the
 * message is read.
 */
function getElementError(message: string | null, container: Element): Error {
  const error = new Error();
  error.name = "TestingLibraryElementError";
  return Object.defineProperty(error, "message", {
    configurable: true,
    get: () => [message, prettyDOM(container)].filter(Boolean).join("\n\n"),
  });
}

// No test is timed: parts that load on demand take their time on a busy machine.
configure({ asyncUtilTimeout: 30_000, getElementError });

let complaints: string[] = [];

function collect(level: "error" | "warn") {
  vi.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
    complaints.push(`console.${level}: ${parts.map(String).join(" ")}`);
  });
}

beforeAll(() => {
  server.listen({ onUnhandledFrame: "error" });
  const intercepted = globalThis.fetch;
  // Node's fetch accepts only absolute addresses; a browser resolves them against the page.
  globalThis.fetch = (input, init) =>
    intercepted(typeof input === "string" ? new URL(input, window.location.origin) : input, init);
});

beforeEach(() => {
  complaints = [];
  collect("error");
  collect("warn");
});

// Runs after the hook below, whose check of the console must not wait for a database.
afterEach(() => clearItems(buildUser().id));

afterEach(() => {
  cleanup();
  dismissToast();
  noteAnswer(true);
  forgetPersonal();
  server.resetHandlers();
  localStorage.clear();
  sessionStorage.clear();
  setLanguage("en");
  setTheme("auto");
  localStorage.clear();
  window.history.replaceState(null, "", "/");
  expect(complaints, "a test may not leave anything on the console").toEqual([]);
});

afterAll(() => {
  server.close();
});

/** For a test that expects errors on the console: returns and clears what was printed so far. */
export function drainComplaints(): string[] {
  const taken = complaints;
  complaints = [];
  return taken;
}
