const idleMs = 60_000;
let touchedAt = performance.now();

for (const sign of ["pointerdown", "pointermove", "keydown", "wheel", "scroll"])
  window.addEventListener(
    sign,
    () => {
      touchedAt = performance.now();
    },
    { capture: true, passive: true },
  );

/** Nobody has touched this page for a minute: what it asks for now it asks by itself. */
export function isIdle(): boolean {
  return performance.now() - touchedAt > idleMs;
}
