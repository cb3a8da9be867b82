import { Skeleton } from "./skeleton.tsx";

/** A list of rows on its way. */
export function RowsSkeleton({ label }: { label: string }) {
  return (
    <div aria-busy="true" className="rounded-xl border bg-surface shadow-card">
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
