import { useState } from "react";
import { cn } from "../lib/cn.ts";
import { initialsOf } from "../lib/format.ts";

interface AvatarProps {
  name: string | null | undefined;
  image?: string | null | undefined;
  className?: string;
}

/**
 * A person's picture once it has loaded, until then the initials, or U without a name. Decorative: the name is beside it or in the
 * control's label.
 */
export function Avatar({ name, image, className }: AvatarProps) {
  const [loaded, setLoaded] = useState<string | null>(null);
  const isShown = Boolean(image) && loaded === image;
  return (
    <span
      aria-hidden
      className={cn(
        "inline-grid size-8 shrink-0 place-items-center overflow-hidden rounded-full bg-primary-soft font-semibold text-primary-text text-xs",
        className,
      )}
    >
      {image ? (
        <img
          src={image}
          alt=""
          hidden={!isShown}
          onLoad={() => setLoaded(image)}
          className="size-full object-cover"
        />
      ) : null}
      {isShown ? null : initialsOf(name)}
    </span>
  );
}
