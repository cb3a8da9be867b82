import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";
import type { DrillDownTarget } from "../lib/drill-down.ts";

interface DrillDownLinkProps {
  /** Absent where no list shows just these rows: then the figure stands as plain text. */
  rows?: DrillDownTarget | undefined;
  children: ReactNode;
  className?: string;
  "aria-label"?: string;
  title?: string;
}

/** A finger needs more than the digits of a figure: the room of its cell counts too. */
const touchTarget =
  "pointer-coarse:relative pointer-coarse:after:absolute pointer-coarse:after:-inset-x-4.5 pointer-coarse:after:-inset-y-3.5";

/** A figure, or its name, that opens the rows behind it. */
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
