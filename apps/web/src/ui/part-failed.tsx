import { useTexts } from "../lib/i18n.ts";
import { Button } from "./button.tsx";
import { uiTexts } from "./texts.ts";

interface PartFailedProps {
  message: string;
  pending: boolean;
  onRetry: () => void;
}

/** In place of a part of a page that could not be read, with the way to try again. */
export function PartFailed({ message, pending, onRetry }: PartFailedProps) {
  const t = useTexts(uiTexts);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm">
      <p role="alert" className="text-danger-text">
        {message}
      </p>
      <Button variant="secondary" size="sm" pending={pending} onClick={onRetry}>
        {t("retry")}
      </Button>
    </div>
  );
}
