import { run } from "./lib/run.mjs";

run("start/main.ts", { args: ["--dev"] });
