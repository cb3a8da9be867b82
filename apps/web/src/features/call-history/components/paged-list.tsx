import { limits } from "@portal/contract/limits";
import { CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import { errorText } from "../../../lib/errors.ts";
import { useTexts } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { VirtualRows } from "../../../ui/virtual-rows.tsx";
import { useLoudspeaker } from "../../player/one-player.ts";
import { historyTexts } from "../texts.ts";

/** What an infinite query tells of itself. */
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
  /** Undefined while nothing has been read. */
  items: readonly T[] | undefined;
  keyOf: (item: T) => number;
  /** Address of an item's recording: the row that plays stays, wherever one scrolls. */
  soundOf: (item: T) => string | null;
  label: string;
  loading: string;
  failedTitle: string;
  estimatePx: number;
  empty: ReactNode;
  renderRow: (item: T) => ReactNode;
}

/** A long list page by page: loading, failed, empty, or its rows. */
export function PagedList<T>(props: PagedListProps<T>) {
  const { found, items, keyOf, soundOf, empty } = props;
  const t = useTexts(historyTexts);
  const playing = useLoudspeaker();
  const onMore = () => {
    if (found.hasNextPage && !found.isFetchingNextPage) void found.fetchNextPage({ cancelRefetch: false });
  };
  if (!items && found.error) {
    return (
      <EmptyState
        icon={CloudOff}
        title={props.failedTitle}
        description={errorText(found.error, t("loadFailedText"))}
        actions={
          <Button pending={found.isFetching} onClick={() => void found.refetch()}>
            {t("retry")}
          </Button>
        }
      />
    );
  }
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
        keptIndex={playing === null ? -1 : items.findIndex((item) => soundOf(item) === playing)}
      />
      {found.hasNextPage ? (
        <div className="grid justify-items-center gap-2 py-2">
          {found.isFetchNextPageError ? (
            <p role="alert" className="text-danger-text text-sm">
              {t("moreFailed")}
            </p>
          ) : null}
          <Button variant="secondary" pending={found.isFetchingNextPage} onClick={onMore}>
            {found.isFetchingNextPage
              ? t("loadingMore")
              : found.isFetchNextPageError
                ? t("retry")
                : t("more")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function ListSkeleton({ loading }: { loading: string }) {
  return (
    <div aria-busy="true" className="grid gap-2.5">
      <p role="status" className="sr-only">
        {loading}
      </p>
      {Array.from({ length: limits.skeletonCards }, (_, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: grey shapes have nothing else to be told apart by.
          key={index}
          className="grid gap-2.5 rounded-xl border bg-surface p-4 shadow-card"
        >
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="h-4 w-3/5" />
        </div>
      ))}
    </div>
  );
}
