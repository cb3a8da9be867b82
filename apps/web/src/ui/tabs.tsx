import * as TabsPrimitive from "radix-ui/tabs";
import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";

export const Tabs = TabsPrimitive.Root;

export function TabsList({ className, ...props }: ComponentProps<typeof TabsPrimitive.List>) {
  return (
    <TabsPrimitive.List
      className={cn("flex max-w-full gap-1 overflow-x-auto border-b max-sm:gap-0", className)}
      {...props}
    />
  );
}

export function TabsTrigger({ className, ...props }: ComponentProps<typeof TabsPrimitive.Trigger>) {
  return (
    <TabsPrimitive.Trigger
      className={cn(
        // The focus ring is drawn inside, because the scrolling list would clip it.
        "-mb-px inline-flex min-h-10 items-center gap-2 whitespace-nowrap border-transparent border-b-2 px-3 max-sm:px-2 font-medium text-muted-foreground text-sm -outline-offset-2 hover:text-foreground data-[state=active]:border-primary data-[state=active]:text-foreground pointer-coarse:min-h-11 max-sm:[&_svg]:hidden [&_svg]:size-4",
        className,
      )}
      {...props}
    />
  );
}

export function TabsContent({ className, ...props }: ComponentProps<typeof TabsPrimitive.Content>) {
  return (
    <TabsPrimitive.Content
      className={cn("grid grid-cols-[minmax(0,1fr)] gap-5 rounded-md pt-5", className)}
      {...props}
    />
  );
}
