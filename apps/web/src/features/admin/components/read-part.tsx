import type { UseQueryResult } from "@tanstack/react-query";
import { CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import { useMessages } from "../../../lib/i18n.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/list-states.tsx";
import type { AdminSearch } from "../admin-search.ts";
import { adminMessages } from "../messages.ts";

interface ReadPartProps<T> {
  found: Pick<UseQueryResult<T>, "data" | "error" | "isFetching" | "refetch">;
  /** Shown while loading, with the height of the content. */
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/** A part of the panel that loads, fails or is shown. If a later fetch fails the old content stays, with a note. */
export function ReadPart<T>({ found, skeleton, children }: ReadPartProps<T>) {
  const t = useMessages(adminMessages);
  const { data, error, isFetching, refetch } = found;
  if (data !== undefined) {
    return (
      <>
        {error ? (
          <p role="status" className="rounded-lg bg-warning-soft px-3 py-2 text-sm text-warning-text">
            {t("stale")}
          </p>
        ) : null}
        {children(data)}
      </>
    );
  }
  if (!error) {
    return (
      <div aria-busy="true">
        <p role="status" className="sr-only">
          {t("loading")}
        </p>
        {skeleton}
      </div>
    );
  }
  return (
    <EmptyState
      icon={CloudOff}
      title={t("failedTitle")}
      description={t("failedText")}
      actions={
        <Button variant="secondary" pending={isFetching} onClick={() => void refetch()}>
          {t("retry")}
        </Button>
      }
    />
  );
}

/** Props of the panel's tabs. */
export interface PartProps {
  search: AdminSearch;
  onChange: (next: AdminSearch) => void;
}
