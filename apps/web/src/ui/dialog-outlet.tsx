import { type ReactNode, Suspense, useEffect } from "react";
import { createStore, useStore } from "../lib/store.ts";

type Render = (close: () => void) => ReactNode;
interface Opened {
  readonly id: number;
  readonly render: Render;
}

const opened = createStore<readonly Opened[]>([]);
let lastId = 0;

/**
 * Opens a dialog apart from what asks for it: a card or row may leave the screen while one types, and takes nothing along. The dialog
 * keeps what it was given when it was opened.
 */
export function openDialog(render: Render): void {
  lastId += 1;
  opened.set([...opened.get(), { id: lastId, render }]);
}

/** Where such dialogs stand; when it goes, they go. */
export function DialogOutlet() {
  const dialogs = useStore(opened);
  useEffect(() => () => opened.set([]), []);
  return dialogs.map(({ id, render }) => (
    <Suspense key={id} fallback={null}>
      {render(() => opened.set(opened.get().filter((dialog) => dialog.id !== id)))}
    </Suspense>
  ));
}
