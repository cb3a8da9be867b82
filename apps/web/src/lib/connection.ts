import { answersOk } from "./api.ts";
import { page } from "./navigation.ts";
import { createStore, useStore } from "./store.ts";

/**
 * State of the connection: connected; offline, as the browser reports; a server that does not respond when code is needed; or outdated,
 * where the server responds and a new release has replaced that code.
 */
export type Connection = "up" | "offline" | "unreachable" | "outdated";

/** Key in the tab's storage of the release and the address that were reloaded because code was missing. */
const RELOADED_KEY = "lead-desk.reloaded-release";
const HEALTH_PATH = "/api/health";
const againMs = 3_000;
const probeMs = 10_000;

const connection = createStore<Connection>("up");

export const currentConnection = connection.get;
export const watchConnection = connection.subscribe;

/** When the last data came from the server, by the browser's clock in ms; null while connected. */
export const lostAt = createStore<number | null>(null);
/** When the event stream broke off, which happens before a request fails. */
let streamLostAt: number | null = null;

connection.subscribe(() => {
  const isLost = connection.get() === "offline" || connection.get() === "unreachable";
  lostAt.set(isLost ? (lostAt.get() ?? streamLostAt ?? Date.now()) : null);
});

/** Reports that the event stream is open or broken; a broken one triggers a check of the server. */
export async function noteStream(stands: boolean): Promise<void> {
  streamLostAt = stands ? null : (streamLostAt ?? Date.now());
  if (stands) noteAnswer(true);
  else if (connection.get() === "up" && !(await answers()) && streamLostAt !== null) noteAnswer(false);
}

/** Reports whether a request got a response. */
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

// A portal on this device or in the local network can be reachable although the browser reports being offline.
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

/** Messages of browsers, and of Vite for style sheets, for a module that could not be loaded. */
const isMissingCode = (error: unknown): boolean =>
  error instanceof Error &&
  /dynamically imported module|module script failed|preload CSS/i.test(error.message);

/** Loaders whose code has been loaded, and is available offline. */
const fetched = new WeakSet<() => Promise<unknown>>();

async function take<T>(load: () => Promise<T>): Promise<T> {
  const code = await load();
  fetched.add(load);
  return code;
}

/** Preloads code if there is a network. A failure shows only where the code is used. */
export function preloadCode(load: () => Promise<unknown>): void {
  if (navigator.onLine) take(load).catch(() => undefined);
}

/** Browsers cache the failure of a module and do not fetch it again, so no module is requested without a network. */
const isOutOfReach = async () => !navigator.onLine && (connection.get() === "offline" || !(await answers()));

/**
 * Loads code that the page needs, and retries until the network is back or the server responds. If the server responds and the code still
 * cannot be loaded, a new release has replaced it or the browser has cached the failure: `useConnection` returns "outdated" and the promise
 * stays pending, because only a reload helps. `load` must be the same function each time, as it identifies the code.
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
 * Reloads the page at the address of a navigation whose code a new release has replaced. It does so once, even if the code is still missing
 * afterwards.
 */
export function reloadForRelease(): void {
  const release = document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? "";
  const wanted = `${release} ${window.location.pathname}`;
  try {
    if (sessionStorage.getItem(RELOADED_KEY) === wanted) return;
    sessionStorage.setItem(RELOADED_KEY, wanted);
  } catch {
    // Without storage the reload could repeat for ever, so the user has to reload.
    return;
  }
  page.reload();
}
