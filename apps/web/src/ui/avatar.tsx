import * as AvatarPrimitive from "radix-ui/avatar";
import { cn } from "../lib/cn.ts";
import { initialsOf } from "../lib/format.ts";

interface AvatarProps {
  name: string | null | undefined;
  image?: string | null | undefined;
  className?: string;
}

/** A person's picture, else the initials, else U. Decorative: the name stands beside it or in the control's label. */
export function Avatar({ name, image, className }: AvatarProps) {
  return (
    <AvatarPrimitive.Root
      aria-hidden
      className={cn(
        "inline-grid size-8 shrink-0 place-items-center overflow-hidden rounded-full bg-primary-soft font-semibold text-primary-text text-xs",
        className,
      )}
    >
      {image ? <AvatarPrimitive.Image src={image} alt="" className="size-full object-cover" /> : null}
      <AvatarPrimitive.Fallback>{initialsOf(name)}</AvatarPrimitive.Fallback>
    </AvatarPrimitive.Root>
  );
}
