/** The tabs of the Integrations page in their recorded order, as in the address. */
export const integrationTabs = ["overview", "import", "webhooks", "api"] as const;
export type IntegrationTab = (typeof integrationTabs)[number];

/** State of the page in the address; without a tab it is the overview. */
export interface IntegrationsSearch {
  readonly tab?: Exclude<IntegrationTab, "overview"> | undefined;
  /** Result of an installation of the GHL app from the server's redirect; the page removes it from the address. */
  readonly crm?: string | undefined;
  /** The code of an installation started in GHL; removed as well. */
  readonly crmInstall?: string | undefined;
}

/** Parses the address (the router's `validateSearch`); unknown values are dropped. */
export function parseIntegrationsSearch(search: Record<string, unknown>): IntegrationsSearch {
  const tab = integrationTabs.find((known) => known === search.tab);
  // The router parses a code of digits as a number.
  const text = (value: unknown) => (value === undefined ? undefined : String(value));
  return {
    tab: tab === "overview" ? undefined : tab,
    crm: text(search.crm),
    crmInstall: text(search.crmInstall),
  };
}
