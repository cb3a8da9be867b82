import { answersOk } from "./api.ts";
import { page } from "./navigation.ts";
import { createStore, useStore } from "./store.ts";

/**
 * What stands between the page and what it asks for: nothing; no network, as the browser says; a server that does not answer for code
 * that is needed; or a server that answers, but does not have that code any more, because a new release has replaced it.
 */
export type Connection = "up" | "offline" | "unreachable" | "outdated";

/** In the tab's storage: the release and the address that were loaded anew because code did not come. */
const RELOADED_KEY = "lead-desk.reloaded-release";
const HEALTH_PATH = "/api/health";
const againMs = 3_000;
const probeMs = 10_000;

const connection = createStore<Connection>("up");

export const currentConnection = connection.get;
export const watchConnection = connection.subscribe;

/** Since when nothing has come from the server, by the browser's clock in ms; null while the page is connected. */
export const lostAt = createStore<number | null>(null);
/** The stream of events broke off then, which is noticed before a request fails. */
let streamLostAt: number | null = null;

connection.subscribe(() => {
  const isLost = connection.get() === "offline" || connection.get() === "unreachable";
  lostAt.set(isLost ? (lostAt.get() ?? streamLostAt ?? Date.now()) : null);
});

/** The stream of events stands, or has broken off: then it is found out whether the server is away. */
export async function noteStream(stands: boolean): Promise<void> {
  streamLostAt = stands ? null : (streamLostAt ?? Date.now());
  if (stands) noteAnswer(true);
  else if (connection.get() === "up" && !(await answers()) && streamLostAt !== null) noteAnswer(false);
}

/** What a request has shown of the connection: whether an answer came. */
export function noteAnswer(came: boolean): void {
  const known = connection.get();
  if (known === "outdated") return;
  if (came) connection.set("up");
  else connection.set(navigator.onLine ? "unreachable" : "offline");
}

export function useConnection(): Connection {
  return useStore(connection);
}

async function answers(): Promise<boolean> {
  try {
    return await answersOk(HEALTH_PATH, AbortSignal.timeout(probeMs));
  } catch {
    return false;
  }
}

// A portal on this device or in its own network may be in reach where the browser believes itself offline.
window.addEventListener("offline", async () => {
  if (!(await answers()) && !navigator.onLine) connection.set("offline");
});
window.addEventListener("online", () => connection.set("up"));

/** Resolves after some seconds, and at once when the network is back; without a network only then. */
function untilWorthAnotherTry(): Promise<void> {
  return new Promise((resolve) => {
    const timer = navigator.onLine ? setTimeout(done, againMs) : undefined;
    function done() {
      clearTimeout(timer);
      window.removeEventListener("online", done);
      resolve();
    }
    window.addEventListener("online", done);
  });
}

/** How browsers, and Vite for style sheets, say that a module or what it imports did not come. */
const isMissingCode = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|module script failed|preload CSS/i.test(error.message);

/** What has come once is there, also without a network. */
const fetched = new WeakSet<() => Promise<unknown>>();

async function take<T>(load: () => Promise<T>): Promise<T> {
  const code = await load();
  fetched.add(load);
  return code;
}

/** Fetches code that may be needed soon, if there is a network; should it not come, whoever needs it is notified. */
export function preloadCode(load: () => Promise<unknown>): void {
  if (navigator.onLine) take(load).catch(() => undefined);
}

/** Browsers remember that a module did not come, and do not ask for it again: without a network it had better not be asked for. */
const isOutOfReach = async () => !navigator.onLine && (connection.get() === "offline" || !(await answers()));

/**
 * Fetches code that the page needs from now on, for as long as that takes: without a network until it is back, from a server that is away
 * until it answers. Where the server answers and the code still does not come, a new release has replaced it, or the browser remembers the
 * failure: `useConnection` says "outdated" then, and the promise stays open, for only a reload mends that. `load` is the same function each
 * time, so that what has come is known.
 */
export async function fetchCode<T>(load: () => Promise<T>): Promise<T> {
  for (let isServerThere = false; ; ) {
    if (!fetched.has(load) && (await isOutOfReach())) {
      connection.set("offline");
      await untilWorthAnotherTry();
      continue;
    }
    try {
      const code = await take(load);
      if (connection.get() === "unreachable") connection.set("up");
      return code;
    } catch (error) {
      if (!isMissingCode(error)) throw error;
    }
    if (isServerThere) {
      connection.set("outdated");
      return new Promise(() => undefined);
    }
    isServerThere = await answers();
    if (isServerThere) continue;
    connection.set(navigator.onLine ? "unreachable" : "offline");
    await untilWorthAnotherTry();
  }
}

/**
 * Loads the product anew under the address that somebody is on the way to, whose code a new release has replaced: once, should the code
 * still not come afterwards.
 */
export function reloadForRelease(): void {
  const release = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? "";
  const wanted = `${release} ${window.location.pathname}`;
  try {
    if (sessionStorage.getItem(RELOADED_KEY) === wanted) return;
    sessionStorage.setItem(RELOADED_KEY, wanted);
  } catch {
    // Where storage is blocked nothing would end the reloading: it is left to the reader.
    return;
  }
  page.reload();
}
