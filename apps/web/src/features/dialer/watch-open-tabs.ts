const channelName = "lead-desk.tabs";
const repeatMs = 10_000;

interface TabMessage {
  readonly kind: "hello" | "here" | "bye";
  readonly tab: string;
}

/**
 * Counts this browser's tabs and runs `onLastLeft` when this one unloads and no other is open. Tabs exchange messages over a channel: a
 * starting tab says hello, the others answer, and an unloading one says bye. A tab that crashed counts as open until the next exchange;
 * until then the server's own watch over listening browsers applies. Returns a function that stops counting.
 */
export function watchOpenTabs(onLastLeft: () => void): () => void {
  const tab = crypto.getRandomValues(new Uint32Array(2)).join("-");
  const channel = new BroadcastChannel(channelName);
  let others = new Set<string>();
  const post = (kind: TabMessage["kind"]) => channel.postMessage({ kind, tab } satisfies TabMessage);
  const countAgain = () => {
    others = new Set();
    post("hello");
  };
  channel.onmessage = ({ data: message }: MessageEvent<TabMessage>) => {
    if (message.kind === "bye") others.delete(message.tab);
    else others.add(message.tab);
    if (message.kind === "hello") post("here");
  };
  const leave = () => {
    post("bye");
    if (others.size === 0) onLastLeft();
  };
  // The page was restored from the back/forward cache.
  const comeBack = ({ persisted }: PageTransitionEvent) => {
    if (persisted) countAgain();
  };
  window.addEventListener("pagehide", leave);
  window.addEventListener("pageshow", comeBack);
  const timer = setInterval(countAgain, repeatMs);
  countAgain();
  return () => {
    window.removeEventListener("pagehide", leave);
    window.removeEventListener("pageshow", comeBack);
    clearInterval(timer);
    post("bye");
    channel.close();
  };
}
