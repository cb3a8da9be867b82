import { limits } from "@portal/contract/limits";
import { startTransition, useEffect, useState } from "react";

/** So many are drawn at a time, which is more than a phone shows at once; more would hold up a finger. */
const drawnAtATime = 6;

/**
 * How many cards of the first page are drawn: some, and then more and more until they are `count`; all at once where they were known
 * before the page was opened. Nothing is drawn before `hasData`.
 */
export function useDrawn(count: number, { areKnown, hasData }: { areKnown: boolean; hasData: boolean }) {
  const most = Math.min(count, limits.pageSize);
  const [drawn, setDrawn] = useState(areKnown ? limits.pageSize : drawnAtATime);
  useEffect(() => {
    if (hasData && drawn < most) startTransition(() => setDrawn(drawn + drawnAtATime));
  }, [drawn, most, hasData]);
  return { drawn, areAllDrawn: drawn >= most };
}
