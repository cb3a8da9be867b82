import { run } from "./lib/run.mjs";

run("dev/main.ts");
