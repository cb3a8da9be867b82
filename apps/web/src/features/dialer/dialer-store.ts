import { useEffect } from "react";
import { createStore, useStore } from "../../lib/store.ts";

/** What of the dialer is on screen, and which cards were chosen for it. */
interface DialerScreen {
  readonly overlay: boolean;
  /** The page `/auto-dialer` is on screen. */
  readonly page: boolean;
  /** Ids of the cards chosen on the leads page. */
  readonly selection: readonly number[];
  /** What opened the overlay. */
  readonly opener: HTMLElement | null;
}

const screen = createStore<DialerScreen>({ overlay: false, page: false, selection: [], opener: null });

function change(part: Partial<DialerScreen>): void {
  screen.set({ ...screen.get(), ...part });
}

/** Opens the dialer over the page; with leads, these are offered to be called. */
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

/** Says that the page with the dialer stands, so that neither bar nor overlay repeat it. */
export function useDialerPage(): void {
  useEffect(() => {
    change({ page: true, overlay: false });
    return () => change({ page: false });
  }, []);
}
