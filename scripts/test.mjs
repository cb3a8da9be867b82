import { run } from "./lib/run.mjs";

run("test/main.ts", { args: process.argv.slice(2) });
