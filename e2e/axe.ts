import { AxeBuilder as Builder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";

/**
 * axe on a page of ours. Pages have no frames: a second page, in which axe puts together what it finds in each, would only cost a process of
 * the browser; and nobody reads the lists of what is in order.
 */
export class AxeBuilder extends Builder {
  constructor(options: { page: Page }) {
    super(options);
    this.setLegacyMode().options({ resultTypes: ["violations"] });
  }
}
