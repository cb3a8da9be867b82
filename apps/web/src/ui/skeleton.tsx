import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";

/** A grey placeholder of loading content. Announce loading once for the whole area (`aria-busy`), not for each shape. */
export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return <div aria-hidden className={cn("animate-pulse rounded-md bg-muted", className)} {...props} />;
}
