import { run } from "./lib/run.mjs";

run("test/main.ts");
