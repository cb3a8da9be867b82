/**
 * The id of the account for which a browser asks: kept there while there was no network, what somebody said must not be done as whoever has
 * signed in since. The session of another account answers 401 `unauthenticated`, as none does.
 */
export const accountHeader = "x-portal-account";
