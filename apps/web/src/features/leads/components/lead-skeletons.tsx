import { limits } from "@portal/contract/limits";
import { useMessages } from "../../../lib/i18n.ts";
import { Skeleton } from "../../../ui/list-states.tsx";
import { leadsMessages } from "../messages.ts";

/** Minimum width of a card and gap between two, in px; `gridClasses` has the same values in CSS. */
const cardMinPx = 328;
export const gridGapPx = 16;
/** Gap between the collapsed cards on a phone, in px. */
export const phoneGapPx = 8;

export const gridClasses =
  "grid grid-cols-[repeat(auto-fill,minmax(min(100%,20.5rem),1fr))] gap-4 max-md:gap-2";

/** Number of cards in a row of a list of this width. */
export function columnsOf(widthPx: number): number {
  return Math.max(1, Math.floor((widthPx + gridGapPx) / (cardMinPx + gridGapPx)));
}

/** Skeleton cards for the first page, with a text for screen readers. */
export function LeadListSkeleton() {
  const t = useMessages(leadsMessages);
  return (
    <div aria-busy="true">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      <LeadSkeletons />
    </div>
  );
}

/** Six skeleton cards, with space for the line above them. */
function LeadSkeletons() {
  return (
    <div className="grid gap-3">
      <div className="min-h-8 pointer-coarse:min-h-11" />
      <div className={gridClasses}>
        {Array.from({ length: limits.skeletonCards }, (_, index) => (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: skeletons have no other identity.
            key={index}
            data-testid="lead-skeleton"
            // With the height of a collapsed card on a phone.
            className="grid content-start gap-3 rounded-xl border bg-surface p-4 shadow-card max-md:h-23 max-md:overflow-hidden"
          >
            <div className="flex justify-between gap-4">
              <Skeleton className="h-5 w-2/5" />
              <Skeleton className="h-5 w-20 rounded-full" />
            </div>
            <Skeleton className="h-4 w-1/3" />
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="mt-6 h-9 w-full" />
          </div>
        ))}
      </div>
    </div>
  );
}
