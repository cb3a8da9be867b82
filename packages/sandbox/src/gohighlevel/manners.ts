/** How the simulated HighLevel differs from its best; each is a switch of `POST /control/ghl/manners`. */
export interface Manners {
  /** A marketplace app is installed in the location: without one, a private token alone brings no webhooks. */
  appInstalled: boolean;
  /** Searches and exports of more than `slowAbove` records take so many real milliseconds; 0: they are quick. */
  slowMs: number;
  slowAbove: number;
  /** Search results carry no names but `firstNameLowerCase` and `lastNameLowerCase`. */
  lowerCaseNames: boolean;
  /** `GET /users/search` and the location itself are granted; else 401, as without the scope. */
  usersSearch: boolean;
  /** What requires one of these scopes is answered 401. */
  missingScopes: string[];
}

export const USUAL_MANNERS: Manners = {
  appInstalled: true,
  slowMs: 0,
  slowAbove: 0,
  lowerCaseNames: false,
  usersSearch: true,
  missingScopes: [],
};
