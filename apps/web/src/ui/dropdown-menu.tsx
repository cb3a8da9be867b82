import * as MenuPrimitive from "radix-ui/dropdown-menu";
import { type ComponentProps, useEffect, useRef } from "react";
import { cn } from "../lib/cn.ts";

/** Not modal: the page behind stays accessible and keeps its scroll position. */
export function DropdownMenu(props: ComponentProps<typeof MenuPrimitive.Root>) {
  return <MenuPrimitive.Root modal={false} {...props} />;
}

export const DropdownMenuTrigger = MenuPrimitive.Trigger;

export function DropdownMenuContent({
  className,
  sideOffset = 6,
  align = "end",
  focusFirst = false,
  children,
  ...props
}: ComponentProps<typeof MenuPrimitive.Content> & {
  /** Focuses the first item: for a menu that a key requested before its code had loaded, so that the menu does not know about the key. */
  focusFirst?: boolean;
}) {
  return (
    <MenuPrimitive.Portal>
      <MenuPrimitive.Content
        sideOffset={sideOffset}
        align={align}
        className={cn(
          "data-[state=open]:fade-in-0 data-[state=open]:zoom-in-98 z-50 min-w-52 max-w-[calc(100vw-1rem)] origin-(--radix-dropdown-menu-content-transform-origin) rounded-lg border bg-surface p-1 text-foreground shadow-float data-[state=open]:animate-in data-[state=open]:duration-100",
          className,
        )}
        {...props}
      >
        {focusFirst ? <FirstItemFocus /> : null}
        {children}
      </MenuPrimitive.Content>
    </MenuPrimitive.Portal>
  );
}

function FirstItemFocus() {
  const marker = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    marker.current?.parentElement
      ?.querySelector<HTMLElement>("[role^=menuitem]")
      ?.focus({ preventScroll: true });
  }, []);
  return <span ref={marker} hidden />;
}

export function DropdownMenuItem({ className, ...props }: ComponentProps<typeof MenuPrimitive.Item>) {
  return (
    <MenuPrimitive.Item
      className={cn(
        "flex min-h-9 cursor-default select-none items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none data-[disabled]:opacity-50 data-[highlighted]:bg-muted pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:text-muted-foreground",
        className,
      )}
      {...props}
    />
  );
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof MenuPrimitive.Label>) {
  return <MenuPrimitive.Label className={cn("px-2.5 py-2 text-sm", className)} {...props} />;
}

export function DropdownMenuSeparator({
  className,
  ...props
}: ComponentProps<typeof MenuPrimitive.Separator>) {
  return <MenuPrimitive.Separator className={cn("-mx-1 my-1 h-px bg-border", className)} {...props} />;
}
