/**
 * Finds what the provider created for a request whose response was lost: of the items created since, the one closest in time to `askedAt`
 * that is not known otherwise. An item that is closer to another request without a response (`rivals`) belongs to that request. Null if
 * there is none.
 */
export function findOwn<T extends { sid: string; createdAt: Date | null }>(
  made: T[],
  { askedAt, known, rivals }: { askedAt: Date; known: ReadonlySet<string>; rivals: Date[] },
): T | null {
  const distance = ({ createdAt }: T, asked: Date) => Math.abs((createdAt?.getTime() ?? 0) - asked.getTime());
  const [own] = made
    .filter(({ sid }) => !known.has(sid))
    .filter((one) => rivals.every((asked) => distance(one, askedAt) <= distance(one, asked)))
    .sort((a, b) => distance(a, askedAt) - distance(b, askedAt));
  return own ?? null;
}
