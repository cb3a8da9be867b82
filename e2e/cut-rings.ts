import type { Page } from "@playwright/test";

/** Controls whose focus ring is cut off by what scrolls or clips around them. The focus goes to each of them in turn. */
export function cutRings(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const isCut = async (control: HTMLElement): Promise<boolean> => {
      control.focus({ focusVisible: true } as FocusOptions);
      // A tab is drawn anew as the one that has the focus.
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      // Where motion is reduced every change is a very short one.
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
        // Half a pixel is a matter of rounding; what is itself out of sight waits to be scrolled there.
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
