import { type ComponentType, startTransition, useEffect, useState } from "react";
import { useMessages } from "../lib/i18n.ts";
import { ConnectionStatus } from "../ui/connection-status.tsx";
import { LogoMark } from "../ui/logo.tsx";
import { uiMessages } from "../ui/messages.ts";

/** Shown during the start: only the mark, faded in late enough not to flash on a fast load. */
export function Splash() {
  const t = useMessages(uiMessages);
  return (
    <div className="grid min-h-dvh place-content-center place-items-center gap-4 p-6">
      <div role="status">
        <LogoMark className="fade-in fill-mode-both size-11 animate-in delay-300 duration-500" />
        <span className="sr-only">{t("loading")}</span>
      </div>
      <ConnectionStatus />
    </div>
  );
}

/** Screens whose code has loaded, by their loaders. */
const screens = new WeakMap<() => Promise<unknown>, unknown>();

/** Loads a screen's code, so that `Fetched` renders it without a splash. */
export async function loadScreen<S>(load: () => Promise<S>): Promise<S> {
  const screen = await load();
  screens.set(load, screen);
  return screen;
}

type Answer<P> = { Screen: ComponentType<P> } | { error: unknown };

/**
 * A screen whose code is loaded: the splash until then, and the screen at once afterwards. Does not use Suspense, because React delays
 * content by 300 ms right after a fallback. An error of loading is thrown, for the error boundary.
 */
export function Fetched<P extends object>({
  load,
  props,
}: {
  load: () => Promise<ComponentType<P>>;
  props: P;
}) {
  const [answer, setAnswer] = useState<Answer<P> | null>(() => {
    const Screen = screens.get(load) as ComponentType<P> | undefined;
    return Screen ? { Screen } : null;
  });
  useEffect(() => {
    if (answer !== null) return;
    let isGone = false;
    const take = (taken: Answer<P>) => {
      // As a transition, so that React renders the screen in slices.
      if (!isGone) startTransition(() => setAnswer(taken));
    };
    loadScreen(load).then(
      (Screen) => take({ Screen }),
      (error: unknown) => take({ error }),
    );
    return () => {
      isGone = true;
    };
  }, [load, answer]);
  if (answer === null) return <Splash />;
  if ("error" in answer) throw answer.error;
  return <answer.Screen {...props} />;
}
