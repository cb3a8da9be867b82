import { limits } from "@portal/contract/limits";
import * as SlotPrimitive from "radix-ui/slot";
import {
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";

type TooltipSide = "top" | "right" | "bottom" | "left";

interface Size {
  width: number;
  height: number;
}

interface TooltipPositionInput {
  /** The explained element, and the tooltip, px in the viewport. */
  anchor: Size & { left: number; top: number };
  size: Size;
  viewport: Size;
  side: TooltipSide;
}

const gap = 6;
/** From the edge of the screen, in px. */
const margin = 8;
const opposite = { top: "bottom", bottom: "top", left: "right", right: "left" } as const;

/** Position of a tooltip: on its side, on the opposite one if only that has room, never beyond the screen. */
export function tooltipPosition({ anchor, size, viewport, side }: TooltipPositionInput) {
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

/** Time in ms for the pointer to cross the gap to the tooltip and stay on it. */
const graceMs = 150;

/** One tooltip at a time: closes the open one; and when the last one closed. */
let closeOpen: (() => void) | null = null;
let closedAt = Number.NEGATIVE_INFINITY;

interface TooltipProps {
  content: ReactNode;
  /** The only element that the tooltip explains; it must be focusable. */
  children: ReactNode;
  side?: TooltipSide;
}

/**
 * A short explanation on focus and on hover, after 700 ms, or at once within 300 ms of another one. Never the only name of a control.
 * Radix's tooltip is not used, because its positioning adds 12 kB to every first paint.
 */
export function Tooltip({ content, children, side = "top" }: TooltipProps) {
  const id = useId();
  const trigger = useRef<HTMLElement>(null);
  const { isOpen, handlers, keep, leave } = useTooltip(trigger);
  return (
    <>
      <SlotPrimitive.Root ref={trigger} {...(isOpen ? { "aria-describedby": id } : {})} {...handlers}>
        {children}
      </SlotPrimitive.Root>
      {isOpen
        ? createPortal(
            <TooltipPanel id={id} trigger={trigger} side={side} onPointerEnter={keep} onPointerLeave={leave}>
              {content}
            </TooltipPanel>,
            document.body,
          )
        : null}
    </>
  );
}

function useTooltip(trigger: RefObject<HTMLElement | null>) {
  const [isOpen, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Users who press know what the control does, so nothing is shown until the pointer or the focus has left it. */
  const isPressed = useRef(false);
  const after = (ms: number, open: boolean) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(setOpen, ms, open);
  };
  const now = (open: boolean) => {
    clearTimeout(timer.current);
    setOpen(open);
  };
  useEffect(() => () => clearTimeout(timer.current), []);

  useEffect(() => {
    if (!isOpen) return;
    const close = () => setOpen(false);
    closeOpen?.();
    closeOpen = close;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      // A dialog below stays open.
      event.stopPropagation();
      close();
    };
    const onScroll = ({ target }: Event) => {
      if (target instanceof Node && target.contains(trigger.current)) close();
    };
    window.addEventListener("keydown", onKeyDown, true);
    window.addEventListener("scroll", onScroll, true);
    return () => {
      window.removeEventListener("keydown", onKeyDown, true);
      window.removeEventListener("scroll", onScroll, true);
      closedAt = performance.now();
      if (closeOpen === close) closeOpen = null;
    };
  }, [isOpen, trigger]);

  const leave = () => {
    isPressed.current = false;
    if (isOpen) after(graceMs, false);
    else clearTimeout(timer.current);
  };
  return {
    isOpen,
    leave,
    keep: () => clearTimeout(timer.current),
    handlers: {
      onPointerEnter: ({ pointerType }: PointerEvent) => {
        if (pointerType === "touch" || isPressed.current) return;
        const isSoon = performance.now() - closedAt < limits.tooltipSkipMs;
        if (isOpen) clearTimeout(timer.current);
        else after(isSoon ? 0 : limits.tooltipOpenMs, true);
      },
      onPointerLeave: leave,
      onPointerDown: () => {
        isPressed.current = true;
        now(false);
      },
      onClick: () => now(false),
      onFocus: () => {
        if (!isPressed.current) now(true);
      },
      onBlur: () => {
        isPressed.current = false;
        now(false);
      },
    },
  };
}

interface TooltipPanelProps {
  id: string;
  trigger: RefObject<HTMLElement | null>;
  side: TooltipSide;
  onPointerEnter: () => void;
  onPointerLeave: () => void;
  children: ReactNode;
}

function TooltipPanel({ trigger, side, children, ...props }: TooltipPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = panel;
    const anchor = trigger.current?.getBoundingClientRect();
    if (!current || !anchor) return;
    const { left, top } = tooltipPosition({
      anchor,
      // The layout size, unaffected by animations.
      size: { width: current.offsetWidth, height: current.offsetHeight },
      viewport: { width: document.documentElement.clientWidth, height: window.innerHeight },
      side,
    });
    current.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
  });
  return (
    <div
      ref={panel}
      role="tooltip"
      // A press on it does not count as a press outside of a dialog below.
      onPointerDown={(event) => event.stopPropagation()}
      className="fade-in-0 pointer-events-auto fixed top-0 left-0 z-60 max-w-72 animate-in rounded-md bg-foreground px-2.5 py-1.5 text-background text-xs leading-4.5 shadow-float duration-100"
      {...props}
    >
      {children}
    </div>
  );
}
