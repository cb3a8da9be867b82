import { run } from "./lib/run.mjs";

run("db-task/main.ts", { args: ["migrate", ...process.argv.slice(2)] });
