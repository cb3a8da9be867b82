/**
 * Header with the id of the account a browser sends a request for. Items queued offline must not be sent under another account that signed
 * in since. If the session belongs to another account, the server responds with 401 `unauthenticated`, as without a session.
 */
export const accountHeader = "x-portal-account";
