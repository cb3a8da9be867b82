import type { Page } from "@playwright/test";

/** Controls whose focus ring is clipped by a scrolling or clipping ancestor. Each of them is focused in turn. */
export function cutRings(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const isCut = async (control: HTMLElement): Promise<boolean> => {
      control.focus({ focusVisible: true } as FocusOptions);
      // The tab is rendered again when it gets the focus.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      // With reduced motion every transition is very short.
      await Promise.allSettled(control.getAnimations().map(({ finished }) => finished));
      if (document.activeElement !== control) return false;
      const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(control);
      const reach =
        outlineStyle === "none" ? 0 : Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
      const at = control.getBoundingClientRect();
      for (let around = control.parentElement; reach > 0 && around; around = around.parentElement) {
        const { overflowX, overflowY, position } = getComputedStyle(around);
        const box = around.getBoundingClientRect();
        const [left, top] = [box.left + around.clientLeft, box.top + around.clientTop];
        const [right, bottom] = [left + around.clientWidth, top + around.clientHeight];
        const sides = [
          ...(overflowX === "visible" ? [] : [at.left - left, right - at.right]),
          ...(overflowY === "visible" ? [] : [at.top - top, bottom - at.bottom]),
        ];
        // Half a pixel is rounding; a control that is itself out of view has to be scrolled into view first.
        if (sides.some((room) => room < reach - 0.5 && room > -1.5)) return true;
        if (position === "fixed") break;
      }
      return false;
    };
    const cut: string[] = [];
    const controls = "button, a[href], input, select, textarea, summary, [tabindex='0']";
    for (const control of document.querySelectorAll<HTMLElement>(controls)) {
      const isShown = control.checkVisibility() && !control.closest(".sr-only, [inert]");
      if (isShown && (await isCut(control))) cut.push(control.outerHTML.slice(0, 160));
    }
    return cut;
  });
}
