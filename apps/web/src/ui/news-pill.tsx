import { ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";

/** Over a list that is being read: what is new, shown when it is pressed. */
export function NewsPill({ onShow, children }: { onShow: () => void; children: ReactNode }) {
  return (
    <div className="pointer-events-none sticky top-[calc(var(--chrome)+4rem)] z-30 -mb-9 flex justify-center">
      <Button size="sm" className="pointer-events-auto rounded-full shadow-float" onClick={onShow}>
        <ArrowUp aria-hidden />
        <span role="status">{children}</span>
      </Button>
    </div>
  );
}
