/** A signal that is raised when this process is asked to end, or when the script that npm runs has died. */
export const cancelWithParent = (): AbortSignal => {
  const cancel = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, () => cancel.abort());
  process.stdin.resume().once("close", () => cancel.abort());
  return cancel.signal;
};
