/** What differs from before; null where nothing does. */
export function changedValues<T extends object>(before: T, now: T): Partial<T> | null {
  const changed = Object.entries(now).filter(([key, value]) => before[key as keyof T] !== value);
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<T>);
}
