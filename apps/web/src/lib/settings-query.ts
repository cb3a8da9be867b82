import { getSettings } from "@portal/contract/routes/account";
import { routeQuery } from "./query-client.ts";

/** What the user's settings are, beside what the current user carries. */
export const settingsQuery = () => routeQuery(getSettings);
