import { keepPreviousData, type UseQueryOptions, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { cn } from "../../../lib/cn.ts";
import { useMessages } from "../../../lib/i18n.ts";
import { ListFailed } from "../../../ui/list-states.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { reportMessages } from "./messages.ts";

interface ReportViewProps<T, K extends readonly unknown[]> {
  query: UseQueryOptions<T, Error, T, K>;
  children: (report: T) => ReactNode;
}

/** A report, or that it is loading or failed; while another range loads the previous report stays, dimmed. */
export function ReportView<T, K extends readonly unknown[]>({ query, children }: ReportViewProps<T, K>) {
  const t = useMessages(reportMessages);
  const found = useQuery({ ...query, placeholderData: keepPreviousData });
  const data = found.data as T | undefined;
  if (data !== undefined) {
    const { isPlaceholderData } = found;
    return (
      <div
        aria-busy={isPlaceholderData || undefined}
        className={cn("grid grid-cols-[minmax(0,1fr)] gap-4 sm:gap-5", isPlaceholderData && "opacity-60")}
      >
        {children(data)}
      </div>
    );
  }
  if (!found.error) return <ReportSkeleton />;
  return <ListFailed found={found} title={t("failedTitle")} />;
}

function ReportSkeleton() {
  const t = useMessages(reportMessages);
  return (
    <div aria-busy="true" className="grid gap-4 sm:gap-5">
      <p role="status" className="sr-only">
        {t("loading")}
      </p>
      <div className="grid grid-cols-2 gap-2 sm:gap-4 lg:grid-cols-4">
        {["a", "b", "c", "d"].map((key) => (
          <Skeleton key={key} className="h-26 rounded-xl" />
        ))}
      </div>
      <div className="grid gap-4 sm:gap-5 lg:grid-cols-2">
        <Skeleton className="h-64 rounded-xl" />
        <Skeleton className="h-64 rounded-xl" />
      </div>
      <Skeleton className="h-80 rounded-xl" />
    </div>
  );
}
