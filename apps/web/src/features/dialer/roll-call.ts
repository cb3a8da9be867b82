const channelName = "lead-desk.tabs";
const repeatMs = 10_000;

interface Word {
  readonly kind: "hello" | "here" | "bye";
  readonly tab: string;
}

/**
 * Keeps count of this browser's tabs and runs `onLastLeft` when this one goes away, or is loaded anew, and no other is open. Tabs
 * call each other by a channel: a tab that starts says hello, the others answer, one that goes says bye. A tab that died without a
 * word is struck off at the next roll call; until then it counts as open, and the server's own watch over its listeners decides.
 * Returns what ends it.
 */
export function startRollCall(onLastLeft: () => void): () => void {
  const tab = crypto.getRandomValues(new Uint32Array(2)).join("-");
  const channel = new BroadcastChannel(channelName);
  let others = new Set<string>();
  const say = (kind: Word["kind"]) => channel.postMessage({ kind, tab } satisfies Word);
  const call = () => {
    others = new Set();
    say("hello");
  };
  channel.onmessage = ({ data: word }: MessageEvent<Word>) => {
    if (word.kind === "bye") others.delete(word.tab);
    else others.add(word.tab);
    if (word.kind === "hello") say("here");
  };
  const leave = () => {
    say("bye");
    if (others.size === 0) onLastLeft();
  };
  // A page that the browser brings back from its cache.
  const comeBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted) call();
  };
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", comeBack);
  const timer = setInterval(call, repeatMs);
  call();
  return () => {
    window.removeEventListener("pagehide", leave);
    window.removeEventListener("pageshow", comeBack);
    clearInterval(timer);
    say("bye");
    channel.close();
  };
}
