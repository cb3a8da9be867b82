import { type ReactNode, useId } from "react";
import { Card, CardContent, CardTitle } from "./card.tsx";

interface TitledCardProps {
  title: string;
  subtitle?: ReactNode;
  /** On the right of the title. */
  action?: ReactNode;
  children: ReactNode;
}

/** One part of a page of figures, a region under its heading. */
export function TitledCard({ title, subtitle, action, children }: TitledCardProps) {
  const id = useId();
  return (
    <Card aria-labelledby={id} className="min-w-0">
      <header className="flex min-h-14 flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 pt-3 sm:px-5">
        <div className="grid gap-0.5">
          <CardTitle id={id}>{title}</CardTitle>
          {subtitle ? <p className="text-muted-foreground text-sm">{subtitle}</p> : null}
        </div>
        {action}
      </header>
      <CardContent className="p-4 pt-2 sm:px-5 sm:pt-2">{children}</CardContent>
    </Card>
  );
}
