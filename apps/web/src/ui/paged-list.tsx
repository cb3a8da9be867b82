import { limits } from "@portal/contract/limits";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import { rowCardClasses } from "./card.tsx";
import { ListFailed, MoreRows, Skeleton } from "./list-states.tsx";
import { VirtualRows } from "./virtual-rows.tsx";

/** The state of an infinite query. */
interface Paged {
  error: Error | null;
  isFetching: boolean;
  isPlaceholderData: boolean;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  refetch: () => unknown;
  fetchNextPage: (options: { cancelRefetch: boolean }) => unknown;
}

interface PagedListProps<T> {
  found: Paged;
  /** Undefined until something has been loaded. */
  items: readonly T[] | undefined;
  keyOf: (item: T) => number;
  /** Items that stay rendered at any scroll position: the one that is playing. */
  isKept?: (item: T) => boolean;
  label: string;
  loading: string;
  failedTitle: string;
  estimatePx: number;
  empty: ReactNode;
  renderRow: (item: T) => ReactNode;
}

/** A long list page by page: loading, failed, empty, or its rows. */
export function PagedList<T>(props: PagedListProps<T>) {
  const { found, items, keyOf, isKept, empty } = props;
  const onMore = () => {
    if (found.hasNextPage && !found.isFetchingNextPage) void found.fetchNextPage({ cancelRefetch: false });
  };
  if (!items && found.error) return <ListFailed found={found} title={props.failedTitle} />;
  if (!items) return <ListSkeleton loading={props.loading} />;
  if (items.length === 0) return empty;
  return (
    <div className={found.isPlaceholderData ? "grid gap-3 opacity-60" : "grid gap-3"}>
      <VirtualRows
        items={items}
        keyOf={keyOf}
        label={props.label}
        busy={found.isPlaceholderData}
        estimatePx={props.estimatePx}
        renderRow={props.renderRow}
        onNearEnd={() => {
          if (!found.isFetchNextPageError) onMore();
        }}
        keptIndex={isKept ? items.findIndex(isKept) : -1}
      />
      <MoreRows found={found} />
    </div>
  );
}

function ListSkeleton({ loading }: { loading: string }) {
  return (
    <div aria-busy="true" className="grid gap-2">
      <p role="status" className="sr-only">
        {loading}
      </p>
      {Array.from({ length: limits.skeletonCards }, (_, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other identity.
          key={index}
          className={cn(rowCardClasses, "grid gap-2")}
        >
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-4 w-3/5" />
        </div>
      ))}
    </div>
  );
}
