import { type ComponentProps, useState } from "react";
import { preloadCode } from "../lib/connection.ts";
import { useLateModule } from "../lib/late-module.ts";

type Opened = "pointer" | "keyboard";

interface LateMenu<Menu> {
  /** The menu's module after it was requested and loaded; render it open, in place of the button. */
  menu: Menu | null;
  opened: Opened;
  /** Props for the button that is rendered until then. */
  trigger: ComponentProps<"button">;
}

/** A menu whose code loads with the first pointer or focus on its button, and which opens once it has loaded. */
export function useLateMenu<Menu extends object>(load: () => Promise<Menu>): LateMenu<Menu> {
  const [opened, setOpened] = useState<Opened | null>(null);
  const menu = useLateModule(load, opened !== null);
  const fetch = () => preloadCode(load);
  return {
    menu,
    opened: opened ?? "pointer",
    trigger: {
      "aria-haspopup": "menu",
      "aria-expanded": false,
      onPointerEnter: fetch,
      onFocus: fetch,
      // `detail` is 0 for a click caused by a key.
      onClick: ({ detail }) => setOpened(detail === 0 ? "keyboard" : "pointer"),
      onKeyDown: ({ key }) => key === "ArrowDown" && setOpened("keyboard"),
    },
  };
}
