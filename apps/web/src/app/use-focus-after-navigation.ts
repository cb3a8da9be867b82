import { useRouter } from "@tanstack/react-router";
import { type RefObject, useEffect } from "react";

/** After a navigation to another page the focus goes to its heading, so that a screen reader hears where one is. */
export function useFocusAfterNavigation(main: RefObject<HTMLElement | null>): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe("onRendered", ({ pathChanged, fromLocation }) => {
        if (!pathChanged || fromLocation === undefined) return;
        const heading = main.current?.querySelector<HTMLElement>("h1");
        (heading ?? main.current)?.focus({ preventScroll: true });
      }),
    [router, main],
  );
}
