import { cva, type VariantProps } from "class-variance-authority";
import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";

const badgeVariants = cva(
  "inline-flex max-w-full items-center gap-1 truncate rounded-full px-2 py-0.5 font-medium text-xs leading-4.5 [&_svg]:size-3 [&_svg]:shrink-0",
  {
    variants: {
      tone: {
        /** What is as it should be: words among the badges of what deviates. */
        plain: "px-0 text-muted-foreground",
        neutral: "bg-muted text-muted-foreground",
        primary: "bg-primary-soft text-primary-text",
        info: "bg-info-soft text-info-text",
        success: "bg-success-soft text-success-text",
        warning: "bg-warning-soft text-warning-text",
        danger: "bg-danger-soft text-danger-text",
        violet: "bg-violet-soft text-violet-text",
      },
    },
    defaultVariants: { tone: "neutral" },
  },
);

export type BadgeTone = NonNullable<VariantProps<typeof badgeVariants>["tone"]>;

export function Badge({
  className,
  tone,
  ...props
}: ComponentProps<"span"> & VariantProps<typeof badgeVariants>) {
  return <span className={cn(badgeVariants({ tone }), className)} {...props} />;
}
