import { notifyManager, type Query, useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { lostAt } from "./connection.ts";
import { useStore } from "./store.ts";

/** Of a read that is known to be out of date, or that failed since, only its own time counts. */
const sinceOf = ({ state }: Query, lost: number) =>
  state.isInvalidated || state.status === "error" ? state.dataUpdatedAt : lost;

/**
 * How old what is on screen may be while the page is not connected, by the browser's clock in ms: until the connection was lost everything
 * was kept up to date. Null while it stands.
 */
export function useShownSince(): number | null {
  const cache = useQueryClient().getQueryCache();
  const lost = useStore(lostAt);
  const subscribe = useCallback(
    (onChange: () => void) => cache.subscribe(notifyManager.batchCalls(onChange)),
    [cache],
  );
  return useSyncExternalStore(subscribe, () => {
    if (lost === null) return null;
    const shown = cache.findAll({ type: "active" }).filter(({ state }) => state.data !== undefined);
    return Math.min(lost, ...shown.map((query) => sinceOf(query, lost)));
  });
}
