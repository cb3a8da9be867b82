import { run } from "./lib/run.mjs";

run("release/main.ts", { args: process.argv.slice(2) });
