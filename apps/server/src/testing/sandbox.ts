import { temporarySandbox } from "../../../../packages/sandbox/src/testing/temporary-sandbox.ts";

/** The providers' stand-in on a port of its own, and the variables that send the app there. */
export async function startTestSandbox(options: Parameters<typeof temporarySandbox>[0] = {}) {
  const sandbox = await temporarySandbox(options);
  return { ...sandbox, env: { SANDBOX_PORT: new URL(sandbox.url).port } };
}

export type TestSandbox = Awaited<ReturnType<typeof startTestSandbox>>;
