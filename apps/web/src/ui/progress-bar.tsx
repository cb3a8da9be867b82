interface ProgressBarProps {
  label: string;
  /** Both 0 while the progress is unknown. */
  done: number;
  total: number;
}

export function ProgressBar({ label, done, total }: ProgressBarProps) {
  const percent = total > 0 ? Math.min(100, Math.round((done / total) * 100)) : null;
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent ?? undefined}
      className="h-1.5 overflow-hidden rounded-full bg-muted"
    >
      <div
        className={
          percent === null
            ? "h-full w-1/3 animate-pulse rounded-full bg-primary motion-reduce:animate-none"
            : "h-full rounded-full bg-primary transition-[width] duration-300"
        }
        style={percent === null ? undefined : { width: `${percent}%` }}
      />
    </div>
  );
}
