import { once } from "node:events";
import { readEnv } from "../../../apps/server/src/env.ts";
import { startFaultOf } from "../../../apps/server/src/platform/db/database-fault.ts";
import { fillDemo } from "./fill.ts";

// The parent process sends the database's address once database and sandbox are ready, and gets a message when they are filled. This
// process ends with the channel.
process.once("disconnect", () => process.exit(1));
const [{ databaseUrl }] = (await once(process, "message")) as [{ databaseUrl: string }];

try {
  const { orgTimeZone, production, demoHistory } = readEnv({ ...process.env, DATABASE_URL: databaseUrl });
  const onFilled = () => void process.send?.("filled");
  if (demoHistory)
    await fillDemo({ ...demoHistory, databaseUrl, timeZone: orgTimeZone, production, onFilled });
  process.exit(0);
} catch (error) {
  const text = startFaultOf(error, databaseUrl)?.message ?? (error as Error).stack;
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
