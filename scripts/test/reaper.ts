import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

// Waits until the process at the other end of stdin has ended, then ends the server and removes its folders.
const [pid, ...folders] = process.argv.slice(2);
const isAlive = (): boolean => {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
};

for await (const _ of process.stdin);
if (isAlive()) process.kill(Number(pid), "SIGINT");
for (let waited = 0; waited < 30_000 && isAlive(); waited += 20) await sleep(20);
for (const folder of folders) rmSync(folder, { recursive: true, force: true });
