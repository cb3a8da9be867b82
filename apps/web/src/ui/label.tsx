import * as LabelPrimitive from "radix-ui/label";
import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";

export function Label({ className, ...props }: ComponentProps<typeof LabelPrimitive.Root>) {
  return (
    <LabelPrimitive.Root
      className={cn("select-none font-medium text-[0.8125rem] text-foreground leading-5", className)}
      {...props}
    />
  );
}
