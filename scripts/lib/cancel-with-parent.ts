/** A signal that is aborted when this process is asked to end, or when the script run by npm has died. */
export const cancelWithParent = (): AbortSignal => {
  const cancel = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => cancel.abort());
  process.stdin.resume().once("close", () => cancel.abort());
  return cancel.signal;
};
