import { run } from "./lib/run.mjs";

run("check/main.ts");
