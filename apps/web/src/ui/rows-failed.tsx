import { Button } from "./button.tsx";

interface RowsFailedProps {
  message: string;
  retryLabel: string;
  onRetry: () => void;
}

/** Below a list that could not be read to its end: in sight wherever one scrolls. */
export function RowsFailed({ message, retryLabel, onRetry }: RowsFailedProps) {
  return (
    <div className="sticky bottom-4 z-20 flex justify-center py-3">
      <p
        role="alert"
        className="flex items-center gap-3 rounded-xl border bg-surface py-2 pr-2 pl-4 text-danger-text text-sm shadow-float"
      >
        {message}
        <Button size="sm" variant="secondary" onClick={onRetry}>
          {retryLabel}
        </Button>
      </p>
    </div>
  );
}
