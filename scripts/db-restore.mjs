import { run } from "./lib/run.mjs";

run("db-task/main.ts", { args: ["restore", ...process.argv.slice(2)] });
