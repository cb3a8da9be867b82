import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import type { DrillDownTarget } from "../lib/drill-down.ts";

interface DrillDownLinkProps {
  /** Undefined if no list shows exactly these rows: the figure is then plain text. */
  rows?: DrillDownTarget | undefined;
  children: ReactNode;
  className?: string;
  "aria-label"?: string;
  title?: string;
}

/** The digits are too small a touch target, so the padding of the cell is included. */
const touchTarget =
  "pointer-coarse:relative pointer-coarse:after:absolute pointer-coarse:after:-inset-x-4.5 pointer-coarse:after:-inset-y-3.5";

/** A metric, or its name, that links to its rows. */
export function DrillDownLink({ rows, children, className, ...props }: DrillDownLinkProps) {
  if (!rows) return <span className={className}>{children}</span>;
  return (
    <Link
      {...rows}
      {...props}
      className={cn(
        "rounded-sm underline-offset-4 hover:underline focus-visible:underline",
        className ?? touchTarget,
      )}
    >
      {children}
    </Link>
  );
}
