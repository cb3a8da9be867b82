/** The tabs of the Integrations page in their recorded order, as they stand in the address. */
export const integrationTabs = ["overview", "import", "webhooks", "api"] as const;
export type IntegrationTab = (typeof integrationTabs)[number];

/** The open tab; without one it is the overview. */
export interface IntegrationsSearch {
  readonly tab?: Exclude<IntegrationTab, "overview"> | undefined;
}

/** Reads the address (the router's `validateSearch`); what it does not know is left out. */
export function parseIntegrationsSearch(search: Record<string, unknown>): IntegrationsSearch {
  const tab = integrationTabs.find((known) => known === search.tab);
  return { tab: tab === "overview" ? undefined : tab };
}
