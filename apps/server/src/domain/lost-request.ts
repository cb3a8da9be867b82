/**
 * The provider was asked, and its answer never came: of what it made since, the nearest in time that is nobody else's. What another request, whose
 * answer is not known either, is nearer to is left to that one. Null where none is left.
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
