import { useId } from "react";
import { cn } from "../lib/cn.ts";
import { PRODUCT_NAME } from "../lib/navigation.ts";

/** The bolt alone. Decorative: the name is beside it or in the link's label. */
export function LogoMark({ className }: { className?: string }) {
  const gradient = useId();
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={cn("size-7 shrink-0", className)}>
      <defs>
        <linearGradient id={gradient} x1="0" y1="0" x2="1" y2="1">
          <stop offset="0" stopColor="oklch(0.58 0.12 167)" />
          <stop offset="1" stopColor="oklch(0.4 0.085 170)" />
        </linearGradient>
      </defs>
      <rect width="32" height="32" rx="9" fill={`url(#${gradient})`} />
      <path
        d="M18.4 5.5 8.6 17.6a.9.9 0 0 0 .7 1.4h5.4l-1.3 7.1c-.2.9 1 1.5 1.6.8l9.4-12a.9.9 0 0 0-.7-1.5h-5.3l1.6-7.1c.2-.9-1-1.5-1.6-.8Z"
        fill="var(--spark)"
      />
    </svg>
  );
}

/** Mark and name. */
export function Logo({ className }: { className?: string }) {
  return (
    <span
      className={cn("inline-flex items-center gap-2.5 font-semibold text-base tracking-tight", className)}
    >
      <LogoMark />
      {PRODUCT_NAME}
    </span>
  );
}
