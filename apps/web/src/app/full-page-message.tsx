import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useFirstPaintEnd } from "../lib/first-paint.ts";

interface FullPageMessageProps {
  icon: LucideIcon;
  title: string;
  description: string;
  children: ReactNode;
}

/** A message in place of the whole product, with what one can do. */
export function FullPageMessage({ icon: Icon, title, description, children }: FullPageMessageProps) {
  useFirstPaintEnd();
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="grid max-w-sm place-items-center gap-4 text-center">
        <span className="grid size-12 place-items-center rounded-full bg-muted text-muted-foreground">
          <Icon aria-hidden className="size-6" />
        </span>
        <div className="grid gap-1">
          <h1 className="font-semibold text-xl">{title}</h1>
          <p className="text-muted-foreground">{description}</p>
        </div>
        {children}
      </div>
    </main>
  );
}
