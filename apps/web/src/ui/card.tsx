import { type ComponentProps, type ReactNode, useId } from "react";
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

/** A card for a row of several lines: a call in the history, a meeting, a member of the team. */
export const rowCardClasses = "rounded-xl border bg-surface p-4 shadow-card";

interface TitledCardProps {
  title: string;
  subtitle?: ReactNode;
  /** On the right of the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** A section of a page of metrics, as a region with a heading. */
export function TitledCard({ title, subtitle, action, children }: TitledCardProps) {
  const id = useId();
  return (
    <Card aria-labelledby={id} className="min-w-0">
      {/* Aligned to the top, so that the titles of adjacent cards are level, with or without a subtitle. */}
      <header className="flex min-h-14 flex-wrap items-start justify-between gap-x-3 gap-y-1 px-4 pt-3 sm:px-5">
        <div className="grid gap-0.5">
          <CardTitle id={id}>{title}</CardTitle>
          {subtitle ? <p className="text-muted-foreground text-sm">{subtitle}</p> : null}
        </div>
        {action ? <div className="-my-1">{action}</div> : null}
      </header>
      <CardContent className="p-4 pt-2 sm:px-5 sm:pt-2">{children}</CardContent>
    </Card>
  );
}
