import { run } from "./lib/run.mjs";

run("db-task/main.ts", { args: ["push-reset", ...process.argv.slice(2)] });
