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
 * Opens a dialog outside of the component that requests it, because a card or row may be unmounted while the user types. The dialog keeps
 * the props with which it was opened.
 */
export function openDialog(render: Render): void {
  lastId += 1;
  opened.set([...opened.get(), { id: lastId, render }]);
}

/** Renders these dialogs; they close when it is unmounted. */
export function DialogOutlet() {
  const dialogs = useStore(opened);
  useEffect(() => () => opened.set([]), []);
  return dialogs.map(({ id, render }) => (
    <Suspense key={id} fallback={null}>
      {render(() => opened.set(opened.get().filter((dialog) => dialog.id !== id)))}
    </Suspense>
  ));
}
