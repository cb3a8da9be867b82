export type TooltipSide = "top" | "right" | "bottom" | "left";

interface Size {
  width: number;
  height: number;
}

interface TooltipPlaceInput {
  /** What is explained, and the tooltip, px in the viewport. */
  anchor: Size & { left: number; top: number };
  size: Size;
  viewport: Size;
  side: TooltipSide;
}

const gap = 6;
/** From the edge of the screen. */
const margin = 8;
const opposite = { top: "bottom", bottom: "top", left: "right", right: "left" } as const;

/** Where a tooltip stands: at its side, at the opposite one where only that has room, never beyond the screen. */
export function tooltipPlace({ anchor, size, viewport, side }: TooltipPlaceInput) {
  const room = {
    top: anchor.top - gap - size.height - margin,
    left: anchor.left - gap - size.width - margin,
    bottom: viewport.height - margin - size.height - gap - anchor.top - anchor.height,
    right: viewport.width - margin - size.width - gap - anchor.left - anchor.width,
  };
  const chosen = room[side] < 0 && room[opposite[side]] >= 0 ? opposite[side] : side;
  const middle = {
    left: anchor.left + (anchor.width - size.width) / 2,
    top: anchor.top + (anchor.height - size.height) / 2,
  };
  const { left, top } = {
    top: { ...middle, top: anchor.top - gap - size.height },
    bottom: { ...middle, top: anchor.top + anchor.height + gap },
    left: { ...middle, left: anchor.left - gap - size.width },
    right: { ...middle, left: anchor.left + anchor.width + gap },
  }[chosen];
  const within = (value: number, length: number, of: number) =>
    Math.max(margin, Math.min(value, of - length - margin));
  return { left: within(left, size.width, viewport.width), top: within(top, size.height, viewport.height) };
}
