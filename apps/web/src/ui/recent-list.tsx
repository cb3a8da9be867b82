import { type ReactNode, useId } from "react";
import { cn } from "../lib/cn.ts";
import { rowCardClasses } from "./card.tsx";
import { LeadLink } from "./lead-link.tsx";
import { Skeleton } from "./list-states.tsx";

interface RecentItem {
  key: number;
  name: string;
  /** One line below the name. */
  note: ReactNode;
  badge: ReactNode;
  leadId: number;
}

interface RecentListProps {
  title: string;
  /** Undefined while loading. */
  items: readonly RecentItem[] | undefined;
  /** Error text; null without an error. */
  failure: string | null;
  empty: string;
}

/** The newest few items of a list, side by side above it, because few users scroll to the end of a list. */
export function RecentList({ title, items, failure, empty }: RecentListProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cn(rowCardClasses, "grid gap-2")}>
      <h2 id={id} className="font-semibold text-base leading-6">
        {title}
      </h2>
      {failure && !items ? <p className="text-muted-foreground text-sm">{failure}</p> : null}
      {items?.length === 0 ? <p className="text-muted-foreground text-sm">{empty}</p> : null}
      {!items && !failure ? <Skeleton className="h-60 w-full lg:h-18.75" /> : null}
      {items && items.length > 0 ? (
        <ul className="grid gap-x-4 lg:grid-cols-5">
          {items.map(({ key, name, note, badge, leadId }) => (
            <li
              key={key}
              className="relative flex min-h-11 min-w-0 items-center justify-between gap-3 rounded-md px-2 py-1.5 hover:bg-muted/60 max-lg:-mx-2 lg:-mx-2 lg:flex-col lg:items-start lg:gap-1"
            >
              <div className="min-w-0 max-lg:flex-1 lg:w-full">
                <LeadLink
                  leadId={leadId}
                  title={name}
                  className="block max-w-full truncate text-left font-medium text-sm after:absolute after:inset-0"
                >
                  {name}
                </LeadLink>
                <span className="block truncate text-muted-foreground text-xs">{note}</span>
              </div>
              <span className="min-w-0 shrink-0">{badge}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}
