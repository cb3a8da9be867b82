import { lazy, Suspense, useEffect, useState } from "react";
import { useCurrentToast } from "../ui/toast.ts";

const Toaster = lazy(async () => ({ default: (await import("../ui/toaster.tsx")).Toaster }));

/** The toasts' code comes after the first paint: when the browser is idle, so that it is there should the server go away. */
export function LateToaster() {
  const current = useCurrentToast();
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIdle(true), 1_000);
    return () => clearTimeout(timer);
  }, []);
  return isIdle || current ? (
    <Suspense>
      <Toaster />
    </Suspense>
  ) : null;
}
