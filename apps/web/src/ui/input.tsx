import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";

/** Style of all fields and pickers. 16 px on touch screens, because iOS zooms into smaller ones. */
export const controlClasses =
  "w-full rounded-md border border-input bg-surface px-3 text-sm pointer-coarse:text-base text-foreground shadow-card transition-[border-color,box-shadow] placeholder-shown:text-ellipsis placeholder:text-muted-foreground focus-visible:border-ring focus-visible:outline-none focus-visible:ring-3 focus-visible:ring-ring/30 disabled:cursor-not-allowed disabled:opacity-55 aria-invalid:border-destructive aria-invalid:focus-visible:ring-destructive/25";

export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  return (
    <input type={type} className={cn(controlClasses, "h-9 pointer-coarse:h-11", className)} {...props} />
  );
}
