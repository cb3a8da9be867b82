/** The tabs of the Integrations page in their recorded order, as they stand in the address. */
export const integrationTabs = ["overview", "import", "webhooks", "api"] as const;
export type IntegrationTab = (typeof integrationTabs)[number];

/** The open tab; without one it is the overview. */
export interface IntegrationsSearch {
  readonly tab?: Exclude<IntegrationTab, "overview"> | undefined;
  /** How an installation of the GHL app went, as the server's redirect says; the page takes it out of the address. */
  readonly crm?: string | undefined;
  /** The code of an installation that was begun in GHL; taken out as well. */
  readonly crmInstall?: string | undefined;
}

/** Reads the address (the router's `validateSearch`); what it does not know is left out. */
export function parseIntegrationsSearch(search: Record<string, unknown>): IntegrationsSearch {
  const tab = integrationTabs.find((known) => known === search.tab);
  // A code of digits alone is read as a number.
  const text = (value: unknown) => (value === undefined ? undefined : String(value));
  return {
    tab: tab === "overview" ? undefined : tab,
    crm: text(search.crm),
    crmInstall: text(search.crmInstall),
  };
}
