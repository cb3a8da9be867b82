import { run } from "./lib/run.mjs";

run("doctor/main.ts", { args: process.argv.slice(2) });
