/** Header that a browser sends with automatic requests when nobody has used the page for a minute. They do not count as user activity. */
export const idleHeader = "x-portal-idle";
