import type { ReactNode } from "react";
import { useRootMark } from "../lib/document.ts";
import { useDocumentTitle } from "../lib/navigation.ts";

interface PageHeaderProps {
  title: string;
  subtitle?: ReactNode;
  /** Buttons for the whole page, on the right. */
  actions?: ReactNode;
  /** One line without the subtitle, for pages whose list starts high. */
  isSlim?: boolean;
  /** Between heading and buttons. */
  children?: ReactNode;
}

/** Layout of a page whose list starts high, with little space between its parts. */
export const listPageClasses = "-mt-4 grid grid-cols-[minmax(0,1fr)] gap-1.5 lg:-mt-6";

/** The heading of a page; it also names the browser tab and takes the focus after a navigation. */
export function PageHeader({ title, subtitle, actions, isSlim = false, children }: PageHeaderProps) {
  useDocumentTitle(title);
  useRootMark("isList", isSlim);
  return (
    <header
      className={
        isSlim
          ? // On a phone the metrics are below heading and buttons.
            "flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 max-sm:[&>section]:order-last"
          : "flex flex-wrap items-end justify-between gap-x-6 gap-y-4"
      }
    >
      <div className={isSlim ? "grid gap-1 max-sm:min-w-0 max-sm:flex-1" : "grid gap-1"}>
        <h1
          tabIndex={-1}
          className={
            isSlim
              ? "font-semibold text-lg leading-8 max-sm:text-base max-sm:leading-5.5"
              : "font-semibold text-2xl leading-8 sm:text-[1.75rem] sm:leading-9"
          }
        >
          {title}
        </h1>
        {subtitle && !isSlim ? <p className="max-w-2xl text-muted-foreground">{subtitle}</p> : null}
      </div>
      {children}
      {actions ? (
        <div
          className={
            isSlim
              ? // On a phone only the icons are visible; the labels are for screen readers.
                "flex gap-1.5 sm:flex-wrap [&>:is(a,button)]:h-8 [&>:is(a,button)]:shrink-0 [&>:is(a,button)]:px-2.5 [&>:is(a,button)]:text-[0.8125rem] max-sm:[&>:is(a,button)]:min-w-11 max-sm:[&>:is(a,button)]:gap-0 max-sm:[&>:is(a,button)]:text-[0px] max-sm:[&>:is(a,button)>span]:ml-1"
              : // On a phone three buttons fit into one row.
                "flex flex-wrap gap-2 max-sm:gap-1.5 max-sm:[&>:is(a,button)]:px-2.5"
          }
        >
          {actions}
        </div>
      ) : null}
    </header>
  );
}
