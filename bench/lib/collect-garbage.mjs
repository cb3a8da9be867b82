/** Collects garbage when the process gets SIGUSR2, so that a bench can read the memory that is in use. Loaded with `--import`, beside `--expose-gc`. */
process.on("SIGUSR2", () => globalThis.gc());
