import { type ReactNode, Suspense, useEffect, useSyncExternalStore } from "react";

type Render = (close: () => void) => ReactNode;
interface Opened {
  readonly id: number;
  readonly render: Render;
}

const listeners = new Set<() => void>();
let opened: readonly Opened[] = [];
let lastId = 0;

function show(next: readonly Opened[]): void {
  opened = next;
  for (const listener of listeners) listener();
}

/**
 * Opens a dialog apart from what asks for it: a card or row may leave the screen while one types, and takes nothing along. The dialog
 * keeps what it was given when it was opened.
 */
export function openDialog(render: Render): void {
  lastId += 1;
  show([...opened, { id: lastId, render }]);
}

/** Where such dialogs stand; when it goes, they go. */
export function DialogOutlet() {
  const dialogs = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => opened,
  );
  useEffect(() => () => show([]), []);
  return dialogs.map(({ id, render }) => (
    <Suspense key={id} fallback={null}>
      {render(() => show(opened.filter((dialog) => dialog.id !== id)))}
    </Suspense>
  ));
}
