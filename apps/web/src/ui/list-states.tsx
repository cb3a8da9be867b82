import { ArrowUp, CloudOff, type LucideIcon } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { cn } from "../lib/cn.ts";
import { errorText } from "../lib/errors.ts";
import { useMessages } from "../lib/i18n.ts";
import { readStored, type StorageKey, writeStored } from "../lib/storage-keys.ts";
import { Button } from "./button.tsx";
import { uiMessages } from "./messages.ts";
import { RequestId } from "./request-id.tsx";

/** A grey placeholder of loading content. Announce loading once for the whole area (`aria-busy`), not for each shape. */
export function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return <div aria-hidden className={cn("animate-pulse rounded-md bg-muted", className)} {...props} />;
}

interface EmptyStateProps {
  icon: LucideIcon;
  title: ReactNode;
  description?: ReactNode;
  /** Possible actions. */
  actions?: ReactNode;
  /** Inside a card or pane: without a frame. */
  isInside?: boolean;
}

/** Shown instead of an empty list or page. */
export function EmptyState({ icon: Icon, title, description, actions, isInside = false }: EmptyStateProps) {
  return (
    <div
      className={cn(
        "grid place-items-center gap-4 px-6 text-center",
        isInside ? "py-8" : "rounded-xl border border-dashed bg-surface/60 py-16",
      )}
    >
      <span className="grid size-12 place-items-center rounded-full bg-primary-soft text-primary-text">
        <Icon aria-hidden className="size-5.5" />
      </span>
      <div className="grid max-w-md gap-1">
        <p className="font-semibold text-base">{title}</p>
        {description ? <p className="text-balance text-muted-foreground text-sm">{description}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}

/** A list's query. */
interface AskedList {
  error: Error | null;
  isFetching: boolean;
  refetch: () => unknown;
}

interface ListFailedProps {
  found: AskedList;
  title: string;
  /** Retries more than the list, if given. */
  onRetry?: () => void;
  /** Inside a card or pane: without a frame. */
  isInside?: boolean;
}

/** Shown instead of a list that could not be loaded, with a retry button. */
export function ListFailed({ found, title, onRetry, isInside = false }: ListFailedProps) {
  const t = useMessages(uiMessages);
  return (
    <EmptyState
      isInside={isInside}
      icon={CloudOff}
      title={title}
      description={errorText(found.error)}
      actions={
        <div className="grid justify-items-center gap-5">
          <Button
            variant="secondary"
            pending={found.isFetching}
            onClick={() => (onRetry ? onRetry() : void found.refetch())}
          >
            {t("retry")}
          </Button>
          <RequestId error={found.error} />
        </div>
      }
    />
  );
}

interface RowsFailedProps {
  message: string;
  error: unknown;
  onRetry: () => void;
}

/** Shown below a list that could not be loaded completely; visible at any scroll position. */
export function RowsFailed({ message, error, onRetry }: RowsFailedProps) {
  const t = useMessages(uiMessages);
  return (
    <div className="sticky bottom-[calc(1rem+var(--phone-bar))] z-20 flex justify-center py-3">
      <div
        role="alert"
        className="flex items-center gap-3 rounded-xl border bg-surface py-2 pr-2 pl-4 text-danger-text text-sm shadow-float"
      >
        <div>
          <p>{message}</p>
          <RequestId error={error} />
        </div>
        <Button size="sm" variant="secondary" onClick={onRetry}>
          {t("retry")}
        </Button>
      </div>
    </div>
  );
}

interface NewItemsPillProps {
  onShow: () => void;
  /** For a list that scrolls by itself, outside of the scrolling element; the page announces new items to screen readers. */
  isInPane?: boolean;
  children: ReactNode;
}

/** Shown above a list: new items, which appear on a press. It moves nothing. */
export function NewItemsPill({ onShow, isInPane = false, children }: NewItemsPillProps) {
  return (
    <div
      className={cn(
        "pointer-events-none flex justify-center",
        isInPane
          ? "absolute inset-x-0 top-3 z-10 max-md:fixed max-md:top-[calc(var(--chrome)+0.75rem)]"
          : "sticky top-[calc(var(--chrome)+4rem)] z-30 -mb-9",
      )}
    >
      {isInPane ? null : (
        <p role="status" className="sr-only">
          {children}
        </p>
      )}
      <Button
        variant="secondary"
        size="sm"
        className="pointer-events-auto rounded-full shadow-float"
        onClick={onShow}
      >
        <ArrowUp aria-hidden />
        {children}
      </Button>
    </div>
  );
}

export interface MoreRowsProps {
  /** The list's query, with or without further pages. */
  found: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    isFetchNextPageError: boolean;
    error: Error | null;
    fetchNextPage: (options: { cancelRefetch: boolean }) => unknown;
  };
  /** Name of the items, and the text if they could not be loaded, if they have their own texts. */
  label?: string;
  failure?: string;
  /** Distance from the viewport, in CSS pixels, at which the next page loads by itself. */
  ahead?: number;
  className?: string;
}

/** Shown below a list with more rows to load. */
export function MoreRows({ found, label, failure, ahead, className }: MoreRowsProps) {
  const t = useMessages(uiMessages);
  const edge = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetchingNextPage: isReading, isFetchNextPageError: isFailed } = found;
  const readMore = () => void found.fetchNextPage({ cancelRefetch: false });
  const onNear = useEffectEvent(readMore);
  const isAhead = ahead !== undefined && hasNextPage && !isReading && !isFailed;
  useEffect(() => {
    if (!edge.current || !isAhead || typeof IntersectionObserver === "undefined") return;
    const near = { rootMargin: `${ahead}px` };
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onNear(), near);
    observer.observe(edge.current);
    return () => observer.disconnect();
  }, [isAhead, ahead]);
  if (!hasNextPage) return null;
  return (
    <div ref={edge} className={cn("grid justify-items-center gap-2 py-2", className)}>
      {isFailed ? (
        <div role="alert" className="grid justify-items-center text-danger-text text-sm">
          <p>{failure ?? t("moreFailed")}</p>
          <RequestId error={found.error} />
        </div>
      ) : null}
      <Button variant="secondary" pending={isReading} onClick={readMore}>
        {isReading ? t("loadingMore") : isFailed ? t("retry") : (label ?? t("more"))}
      </Button>
    </div>
  );
}

interface LatePartProps {
  /** Where its height is stored, in CSS pixels. */
  store: StorageKey;
  /** Number of its rows; undefined while unknown. */
  count: number | undefined;
  /** On a first visit what follows waits for it, at most a second. */
  isAwaited?: boolean;
  /** Classes of its approximate height, if its rows are known on a first visit and only its code is not loaded yet. */
  firstHeight?: string | undefined;
  children: ReactNode;
}

/**
 * A part above a list that is known late and often has no rows, in which case it is not shown. What follows does not move when it arrives: it
 * takes the height meanwhile that it last had in this browser; on a first visit what follows may appear together with it (styles.css).
 */
export function LatePart({ store, count, isAwaited = false, firstHeight, children }: LatePartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (count !== undefined) writeStored(store, String(box.current?.offsetHeight ?? 0));
  }, [store, count]);
  if (count !== undefined) {
    return count > 0 ? (
      <div ref={box} className="grid grid-cols-[minmax(0,1fr)] empty:hidden">
        {children}
      </div>
    ) : null;
  }
  const height = readStored(store);
  if (height === null && firstHeight) return <Skeleton className={cn("rounded-xl", firstHeight)} />;
  if (height === null) return isAwaited ? <div hidden className="late-part" /> : null;
  return height === "0" ? null : <Skeleton className="rounded-xl" style={{ height: Number(height) }} />;
}

/** Placeholder of a list of rows; inside a card or pane it has no frame. */
export function RowsSkeleton({ label, isInside = false }: { label: string; isInside?: boolean }) {
  return (
    <div aria-busy="true" className={cn(!isInside && "rounded-xl border bg-surface shadow-card")}>
      <p role="status" className="sr-only">
        {label}
      </p>
      {["a", "b", "c", "d", "e", "f", "g", "h"].map((key) => (
        <div key={key} className="grid h-16 content-center gap-2 border-b px-4 last:border-b-0">
          <Skeleton className="h-4 w-2/5" />
          <Skeleton className="h-3 w-3/5" />
        </div>
      ))}
    </div>
  );
}

export interface PartFailedProps {
  found: AskedList;
  /** Text if the error has none. */
  text?: string;
}

/** Shown instead of a part of a page that could not be loaded, with a retry button. */
export function PartFailed({ found, text }: PartFailedProps) {
  const t = useMessages(uiMessages);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      <p role="alert" className="text-danger-text">
        {errorText(found.error, text)}
      </p>
      <Button variant="secondary" size="sm" pending={found.isFetching} onClick={() => void found.refetch()}>
        {t("retry")}
      </Button>
      <RequestId error={found.error} />
    </div>
  );
}
