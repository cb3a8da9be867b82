import { run } from "./lib/run.mjs";

run("licences/main.ts");
