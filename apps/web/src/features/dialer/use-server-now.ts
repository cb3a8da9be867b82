import { useEffect, useReducer } from "react";

const tickMs = 250;

/** The server's clock in ms; renders again four times a second while `running`, so that no second is shown late. */
export function useServerNow(clockOffset: number, running: boolean): number {
  const [, tick] = useReducer((ticks: number) => ticks + 1, 0);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(tick, tickMs);
    return () => clearInterval(timer);
  }, [running]);
  return Date.now() + clockOffset;
}
