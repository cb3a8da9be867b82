import type { ComponentProps } from "react";
import { cn } from "../lib/cn.ts";

export function Card({ className, ...props }: ComponentProps<"section">) {
  return <section className={cn("rounded-xl border bg-surface shadow-card", className)} {...props} />;
}

export function CardHeader({ className, ...props }: ComponentProps<"header">) {
  return <header className={cn("grid gap-1 px-5 pt-5 sm:px-6", className)} {...props} />;
}

export function CardTitle({ className, children, ...props }: ComponentProps<"h2">) {
  return (
    <h2 className={cn("font-semibold text-base leading-6", className)} {...props}>
      {children}
    </h2>
  );
}

export function CardDescription({ className, ...props }: ComponentProps<"p">) {
  return <p className={cn("text-muted-foreground text-sm", className)} {...props} />;
}

export function CardContent({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("p-5 sm:px-6", className)} {...props} />;
}

export function CardFooter({ className, ...props }: ComponentProps<"footer">) {
  return (
    <footer
      className={cn("flex flex-wrap items-center justify-end gap-2 border-t px-5 py-4 sm:px-6", className)}
      {...props}
    />
  );
}
