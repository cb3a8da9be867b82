// Unpacks the Chromium of @sparticuz/chromium and its libraries into TMPDIR. It is a process of its own, because the package reads and
// changes the environment when it is imported.
process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs24.x";
const { default: chromium } = await import("@sparticuz/chromium");
process.stdout.write(await chromium.executablePath());
