import { type ComponentProps, useState } from "react";
import { preloadCode } from "../lib/connection.ts";
import { useLateModule } from "../lib/late-module.ts";

type Opened = "pointer" | "keyboard";

interface LateMenu<Menu> {
  /** The menu's module once it was asked for and is there; to be rendered open, in place of the button. */
  menu: Menu | null;
  opened: Opened;
  /** For the button that stands in the menu's place until then. */
  trigger: ComponentProps<"button">;
}

/** A menu whose code comes with the first pointer or focus on its button, and which opens as soon as it is there. */
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
      // Of a click that a key made, detail is 0.
      onClick: ({ detail }) => setOpened(detail === 0 ? "keyboard" : "pointer"),
      onKeyDown: ({ key }) => key === "ArrowDown" && setOpened("keyboard"),
    },
  };
}
