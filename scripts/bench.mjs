import { run } from "./lib/run.mjs";

run("../bench/main.ts", { args: process.argv.slice(2) });
