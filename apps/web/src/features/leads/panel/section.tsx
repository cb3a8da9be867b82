import { type ReactNode, useId } from "react";

/** A part of the panel below its heading. */
export function Section({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-3 border-t pt-4">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h3 id={id} className="font-semibold">
          {title}
        </h3>
        {action}
      </div>
      {children}
    </section>
  );
}
