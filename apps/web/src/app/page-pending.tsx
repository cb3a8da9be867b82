import { Spinner } from "../ui/spinner.tsx";

/** Shown where a page's code takes a second to arrive. */
export function PagePending() {
  return (
    <div className="grid min-h-[50vh] place-items-center text-muted-foreground">
      <Spinner className="size-6" />
    </div>
  );
}
