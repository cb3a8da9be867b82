import { type PointerEvent, useState } from "react";

/** From here on a moving pointer swipes; less is a press that trembles. */
const bufferPx = { touch: 10, other: 2 };

interface SwipeRight {
  /** How far it has been drawn, in px; null while nobody does. */
  drawnPx: number | null;
  handlers: {
    onPointerDown: (event: PointerEvent<HTMLElement>) => void;
    onPointerMove: (event: PointerEvent<HTMLElement>) => void;
    onPointerUp: () => void;
    onPointerCancel: () => void;
  };
}

/** Something that is put away by drawing it to the right for more than `thresholdPx`. */
export function useSwipeRight(thresholdPx: number, onSwiped: () => void): SwipeRight {
  const [startX, setStartX] = useState<number | null>(null);
  const [drawnPx, setDrawn] = useState<number | null>(null);
  const end = () => {
    setStartX(null);
    setDrawn(null);
  };
  return {
    drawnPx,
    handlers: {
      onPointerDown: ({ button, clientX }) => {
        if (button === 0) setStartX(clientX);
      },
      onPointerMove: ({ clientX, currentTarget, pointerId, pointerType }) => {
        if (startX === null) return;
        const px = Math.max(0, clientX - startX);
        if (drawnPx === null && px <= bufferPx[pointerType === "touch" ? "touch" : "other"]) return;
        if (drawnPx === null) currentTarget.setPointerCapture?.(pointerId);
        setDrawn(px);
      },
      onPointerUp: () => {
        end();
        if (drawnPx !== null && drawnPx > thresholdPx) onSwiped();
      },
      onPointerCancel: end,
    },
  };
}
