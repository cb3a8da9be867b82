import type { DialerSession } from "@portal/contract/entities/dialer";
import { getDialer } from "@portal/contract/routes/dialer";
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import { useNow } from "../../lib/clock.tsx";
import type { ApiQueryKey } from "../../lib/query-client.ts";

/** Polling interval of a live session in case events are missed, in ms; each request counts as a listening browser. */
const livePollMs = 10_000;
const queryKey: ApiQueryKey = [getDialer.path];

/** The consultant's latest session. */
interface KnownDialer {
  readonly session: DialerSession | null;
  /** Server clock minus browser clock, in ms. */
  readonly clockOffset: number;
}

/** Whether a session is active or paused. */
export function isLive(session: Pick<DialerSession, "status"> | null | undefined): boolean {
  return session?.status === "active" || session?.status === "paused";
}

/** The newer of the cached and the fetched session, as responses may arrive out of order. */
function newerDialer(
  known: KnownDialer | undefined,
  session: DialerSession | null,
  receivedAt: number,
): KnownDialer {
  const before = known?.session;
  if (known && before && session) {
    const older = before.id > session.id || (before.id === session.id && before.version > session.version);
    if (older) return known;
  }
  return { session, clockOffset: session ? Date.parse(session.now) - receivedAt : 0 };
}

/** The consultant's session, shared by tabs and reloads through the server. */
export function dialerQuery() {
  return queryOptions({
    queryKey,
    queryFn: async ({ client }): Promise<KnownDialer> => {
      const { session } = await callRoute(getDialer);
      return newerDialer(client.getQueryData<KnownDialer>(queryKey), session, Date.now());
    },
    staleTime: 0,
    refetchInterval: ({ state }: { state: { data?: KnownDialer | undefined } }) =>
      isLive(state.data?.session) ? livePollMs : false,
    // The session continues while another window is in front.
    refetchIntervalInBackground: true,
  });
}

/** The consultant's choices at the last start. */
export function lastStartQuery() {
  return queryOptions({
    queryKey: [getDialer.path, { lastStart: true }] satisfies ApiQueryKey,
    queryFn: async () => (await callRoute(getDialer)).lastStart,
  });
}

/** The cached session. */
export function knownSession(client: QueryClient): DialerSession | null {
  return client.getQueryData<KnownDialer>(queryKey)?.session ?? null;
}

/** Caches the session that a command returned. */
export async function cacheSession(client: QueryClient, session: DialerSession): Promise<void> {
  // A pending fetch may have been answered before the command.
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<KnownDialer>(queryKey, (known) => newerDialer(known, session, Date.now()));
}

const unknown: KnownDialer = { session: null, clockOffset: 0 };

/** The consultant's cached session, and whether its first fetch is pending; fetched on mount. */
export function useDialer(): KnownDialer & { isLoading: boolean } {
  const { data = unknown, isLoading } = useQuery(dialerQuery());
  return { ...data, isLoading };
}

/** Short enough that no second is shown late. */
const clockMs = 250;

/** The server's time in ms; re-renders four times a second while `running`. */
export function useServerNow(clockOffset: number, running: boolean): number {
  return useNow(running, clockMs) + clockOffset;
}
