/** A browser sends it with requests that it makes by itself: nobody has touched the page for a minute. They are nobody's activity. */
export const idleHeader = "x-portal-idle";
