/** `work` with its answers kept, up to `most` of them: for what is asked about the same few words or numbers again and again. */
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
