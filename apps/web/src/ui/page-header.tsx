import type { ReactNode } from "react";
import { useDocumentTitle } from "../lib/navigation.ts";

interface PageHeaderProps {
  title: string;
  subtitle?: ReactNode;
  /** Buttons of the whole page, on the right. */
  actions?: ReactNode;
}

/** The heading of a page; it also names the browser tab and takes the focus after a navigation. */
export function PageHeader({ title, subtitle, actions }: PageHeaderProps) {
  useDocumentTitle(title);
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="grid gap-1">
        <h1 tabIndex={-1} className="font-semibold text-2xl leading-8 sm:text-[1.75rem] sm:leading-9">
          {title}
        </h1>
        {subtitle ? <p className="max-w-2xl text-muted-foreground">{subtitle}</p> : null}
      </div>
      {actions ? <div className="flex flex-wrap gap-2">{actions}</div> : null}
    </header>
  );
}
