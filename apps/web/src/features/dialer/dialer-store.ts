import { useEffect } from "react";
import { createStore, useStore } from "../../lib/store.ts";

/** Which part of the dialer is shown, and the leads selected for it. */
interface DialerScreen {
  readonly overlay: boolean;
  /** The page `/auto-dialer` is mounted. */
  readonly page: boolean;
  /** Ids of the cards selected on the leads page. */
  readonly selection: readonly number[];
  /** The element that opened the overlay. */
  readonly opener: HTMLElement | null;
}

const screen = createStore<DialerScreen>({ overlay: false, page: false, selection: [], opener: null });

function change(part: Partial<DialerScreen>): void {
  screen.set({ ...screen.get(), ...part });
}

/** Opens the dialer over the page; `selection` offers these leads. */
export function openDialer(selection?: readonly number[]): void {
  change({
    overlay: true,
    opener: document.activeElement as HTMLElement | null,
    ...(selection && { selection }),
  });
}

export function closeDialer(): void {
  change({ overlay: false });
}

export function useDialerScreen(): DialerScreen {
  return useStore(screen);
}

/** Registers the dialer's page, so that neither bar nor overlay repeat it. */
export function useDialerPage(): void {
  useEffect(() => {
    change({ page: true, overlay: false });
    return () => change({ page: false });
  }, []);
}
