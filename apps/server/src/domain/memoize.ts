/** Returns `work` with a cache of up to `most` results, for functions that are called often with few different keys. */
export function memoize<Answer>(most: number, work: (key: string) => Answer): (key: string) => Answer {
  const known = new Map<string, Answer>();
  return (key) => {
    let answer = known.get(key);
    if (answer === undefined) {
      answer = work(key);
      if (known.size >= most) known.clear();
      known.set(key, answer);
    }
    return answer;
  };
}
