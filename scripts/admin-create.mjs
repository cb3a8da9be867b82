import { run } from "./lib/run.mjs";

run("admin-create/main.ts", { stdin: "inherit" });
