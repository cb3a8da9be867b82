import { run } from "./lib/run.mjs";

run("db-task/main.ts", { args: ["move", ...process.argv.slice(2)] });
