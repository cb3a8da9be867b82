import { cva, type VariantProps } from "class-variance-authority";
import { LoaderCircle } from "lucide-react";
import * as SlotPrimitive from "radix-ui/slot";
import type { ComponentProps, SyntheticEvent } from "react";
import { cn } from "../lib/cn.ts";
import { useMessages } from "../lib/i18n.ts";
import { uiMessages } from "./messages.ts";

function ignore(event: SyntheticEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Props, after all others, for a button that cannot be pressed now: it is marked as disabled, ignores presses and keeps the focus, unlike
 * one with `disabled`.
 */
export const offButton = {
  "aria-disabled": true,
  onClick: ignore,
  onPointerDown: undefined,
  onKeyDown: undefined,
} as const;

/**
 * One style for each rank: `primary` is solid and occurs once on a screen, for its main action; `soft` is the main action of each of many
 * rows or cards; `secondary` is any other action, `ghost` one inside a bar or a row, `link` one inside a sentence, `destructive` one that
 * ends or removes something.
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
        // On touch screens it is as high as its row, with a smaller coloured area.
        row: "size-8 pointer-coarse:size-11 pointer-coarse:rounded-xl pointer-coarse:border-4 pointer-coarse:border-transparent pointer-coarse:bg-clip-padding",
        inline:
          "shrink justify-start whitespace-normal rounded-sm text-left [font-size:inherit] pointer-coarse:-my-2.5 pointer-coarse:min-h-11",
      },
    },
    defaultVariants: { variant: "primary", size: "md" },
  },
);

export interface ButtonProps extends ComponentProps<"button">, VariantProps<typeof buttonVariants> {
  /** Renders the only child (a link, for example) with the style of a button. */
  asChild?: boolean;
  /** Shows a spinner before the label and disables the button, which keeps the focus (`offButton`). */
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

interface SpinnerProps {
  className?: string;
  /** True beside a text that already describes the progress. */
  decorative?: boolean;
}

export function Spinner({ className, decorative = false }: SpinnerProps) {
  const t = useMessages(uiMessages);
  const icon = <LoaderCircle aria-hidden className={cn("size-4 animate-spin", className)} />;
  if (decorative) return icon;
  return (
    <span role="status" className="inline-flex">
      {icon}
      <span className="sr-only">{t("loading")}</span>
    </span>
  );
}
