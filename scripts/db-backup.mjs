import { run } from "./lib/run.mjs";

run("db-task/main.ts", { args: ["backup", ...process.argv.slice(2)] });
