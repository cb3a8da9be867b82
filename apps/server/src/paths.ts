import path from "node:path";

/** The server's package folder. This file's folder is one below it, as source and in the built file. */
export const serverFolder = path.join(import.meta.dirname, "..");
