import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";

/** A grey shape in place of what is loading. Say "loading" once for the whole area (`aria-busy`), not per shape. */
export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return <div aria-hidden className={cn("animate-pulse rounded-md bg-muted", className)} {...props} />;
}
