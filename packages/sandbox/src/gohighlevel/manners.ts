/** Deviations of the simulated HighLevel from its normal behaviour; each is a switch of `POST /control/ghl/manners`. */
export interface Manners {
  /** A marketplace app is installed in the location: without one, a private token alone receives no webhooks. */
  appInstalled: boolean;
  /** Real milliseconds that searches and exports of more than `slowAbove` records take; 0 for no delay. */
  slowMs: number;
  slowAbove: number;
  /** Search results contain no names except `firstNameLowerCase` and `lastNameLowerCase`. */
  lowerCaseNames: boolean;
  /** `GET /users/search` and the location itself are allowed; otherwise 401, as without the scope. */
  usersSearch: boolean;
  /** Requests that require one of these scopes get 401. */
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
