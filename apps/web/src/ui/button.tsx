import { cva, type VariantProps } from "class-variance-authority";
import * as SlotPrimitive from "radix-ui/slot";
import type { ComponentProps, SyntheticEvent } from "react";
import { cn } from "../lib/cn.ts";
import { Spinner } from "./spinner.tsx";

function ignore(event: SyntheticEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Props, after all others, of a button that may not be pressed now: it says so, lets nothing through, and keeps the focus, which one that
 * is `disabled` loses.
 */
export const offButton = {
  "aria-disabled": true,
  onClick: ignore,
  onPointerDown: undefined,
  onKeyDown: undefined,
} as const;

/**
 * One look for each rank: `primary` is solid and stands once on a screen, for what one is there to do; `soft` is the same on each of many
 * rows or cards; `secondary` is every other act, `ghost` one inside a bar or a row, `link` one inside a sentence, `destructive` one that
 * ends or takes away.
 */
export const buttonVariants = cva(
  "relative inline-flex shrink-0 select-none items-center justify-center gap-2 whitespace-nowrap rounded-md font-medium text-sm transition-[color,background-color,border-color,box-shadow,transform] duration-150 active:scale-[0.985] aria-disabled:pointer-events-none aria-disabled:opacity-50 [&_svg:not([class*='size-'])]:size-4 [&_svg]:shrink-0",
  {
    variants: {
      variant: {
        primary: "bg-primary text-primary-foreground shadow-card hover:bg-primary-hover",
        secondary: "border bg-surface text-foreground shadow-card hover:bg-muted",
        ghost: "text-foreground hover:bg-muted",
        destructive: "bg-destructive text-destructive-foreground shadow-card hover:bg-destructive-hover",
        soft: "bg-primary-soft text-primary-text hover:bg-primary-soft/70",
        link: "text-primary-text underline-offset-4 hover:underline",
      },
      size: {
        sm: "h-8 px-3 text-[0.8125rem] pointer-coarse:min-h-11",
        md: "h-9 px-4 pointer-coarse:min-h-11",
        lg: "h-11 px-5 text-[0.9375rem]",
        icon: "size-9 pointer-coarse:size-11",
        "icon-sm": "size-8 pointer-coarse:size-11",
        // Where fingers press, it is as high as its row, and its colour less so.
        row: "size-8 pointer-coarse:size-11 pointer-coarse:rounded-xl pointer-coarse:border-4 pointer-coarse:border-transparent pointer-coarse:bg-clip-padding",
        inline:
          "shrink justify-start whitespace-normal rounded-sm text-left [font-size:inherit] pointer-coarse:-my-2.5 pointer-coarse:min-h-11",
      },
    },
    defaultVariants: { variant: "primary", size: "md" },
  },
);

export interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonVariants> {
  /** Renders the only child (a link, say) with the looks of a button. */
  asChild?: boolean;
  /** Shows a spinner before the label and turns the button off; the focus stays on it (`offButton`). */
  pending?: boolean;
}

export function Button({
  className,
  variant,
  size,
  asChild = false,
  pending = false,
  type,
  disabled,
  children,
  ...props
}: ButtonProps) {
  const classes = cn(buttonVariants({ variant, size }), className);
  if (asChild) {
    return (
      <SlotPrimitive.Root className={classes} {...props}>
        {children}
      </SlotPrimitive.Root>
    );
  }
  return (
    <button
      type={type ?? "button"}
      className={classes}
      aria-busy={pending || undefined}
      {...props}
      {...(disabled || pending ? offButton : {})}
    >
      {pending ? <Spinner decorative /> : null}
      {children}
    </button>
  );
}
