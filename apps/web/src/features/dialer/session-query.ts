import type { DialerSession } from "@portal/contract/entities/dialer";
import { getDialer } from "@portal/contract/routes/dialer";
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";
import { callRoute } from "../../lib/api.ts";
import type { ApiQueryKey } from "../../lib/query-client.ts";
import { useNow } from "../../lib/use-clock.ts";

/** How often a live session is looked at where no event arrives, in ms; each look counts as a browser that listens. */
const livePollMs = 10_000;
const queryKey: ApiQueryKey = [getDialer.path];

/** The consultant's newest session as last known. */
interface KnownDialer {
  readonly session: DialerSession | null;
  /** Server clock minus browser clock, in ms. */
  readonly clockOffset: number;
}

/** Whether a session is under way: active or paused. */
export function isLive(session: Pick<DialerSession, "status"> | null | undefined): boolean {
  return session?.status === "active" || session?.status === "paused";
}

/** The newer of what is known and what was just read: answers may overtake each other. */
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

/** The consultant's session, in any tab, before and after a reload. */
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
    // The session goes on while another window is looked at.
    refetchIntervalInBackground: true,
  });
}

/** What the consultant chose at their last Start. */
export function lastStartQuery() {
  return queryOptions({
    queryKey: [getDialer.path, { lastStart: true }] satisfies ApiQueryKey,
    queryFn: async () => (await callRoute(getDialer)).lastStart,
  });
}

/** The session as last known, at any moment. */
export function knownSession(client: QueryClient): DialerSession | null {
  return client.getQueryData<KnownDialer>(queryKey)?.session ?? null;
}

/** Keeps the session that a command was answered with. */
export async function cacheSession(client: QueryClient, session: DialerSession): Promise<void> {
  // A read that is under way may have been answered before the command.
  await client.cancelQueries({ queryKey, exact: true });
  client.setQueryData<KnownDialer>(queryKey, (known) => newerDialer(known, session, Date.now()));
}

const unknown: KnownDialer = { session: null, clockOffset: 0 };

/** The consultant's session as last known. */
export function useDialer(): KnownDialer {
  return useQuery(dialerQuery()).data ?? unknown;
}

/** So that no second is shown late. */
const clockMs = 250;

/** The server's clock in ms; drawn again four times a second while `running`. */
export function useServerNow(clockOffset: number, running: boolean): number {
  return useNow(running, clockMs) + clockOffset;
}
