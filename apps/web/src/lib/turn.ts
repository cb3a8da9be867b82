/** Gives the browser a turn: to draw, or to answer a finger. Not by a timer, which fires once a second in a tab that nobody sees. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
