import { useQueryClient } from "@tanstack/react-query";
import type { RegisteredRouter } from "@tanstack/react-router";
import { lazy, useEffect, useState } from "react";
import { fetchCode } from "./connection.ts";

/** A lazily loaded component: React's `lazy`, but a network failure only delays it. */
export const lateComponent: typeof lazy = (load) => lazy(() => fetchCode(load));

/**
 * A module that is loaded once `isWanted`; null until then. A network or server failure delays it, as code that is not needed yet must not
 * break the page.
 */
export function useLateModule<T extends object>(load: () => Promise<T>, isWanted: boolean): T | null {
  const [module, setModule] = useState<T | null>(null);
  useEffect(() => {
    if (!isWanted || module) return;
    let isGone = false;
    void fetchCode(load).then((loaded) => {
      if (!isGone) setModule(loaded);
    });
    return () => {
      isGone = true;
    };
  }, [isWanted, module, load]);
  return module;
}

const checkMs = 2_000;
/** After this many checks the page counts as loaded, even if queries are pending. */
const mostChecks = 5;

/** Whether the page has its content, so that code for later can be loaded. */
export function useHasContent(router: RegisteredRouter): boolean {
  const [hasContent, setHasContent] = useState(false);
  const client = useQueryClient();
  useEffect(() => {
    let checks = 0;
    const checking = setInterval(() => {
      checks += 1;
      const isBusy = router.state.status === "pending" || client.isFetching() > 0;
      if (isBusy && checks < mostChecks) return;
      clearInterval(checking);
      setHasContent(true);
    }, checkMs);
    return () => clearInterval(checking);
  }, [router, client]);
  return hasContent;
}
