import { expect, it } from "vitest";
import { runScript } from "../testing/run-script.ts";
import { ensureFreePort } from "./free-port.ts";

const host = "127.0.0.1";

const occupyPort = () =>
  runScript<{ pid: number; port: number }>(`
    import { createServer } from "node:net";
    const server = createServer().listen(0, "${host}", () =>
      console.log(JSON.stringify({ pid: process.pid, port: server.address().port })));
  `);

it.runIf(process.platform === "linux")("reports which process uses the port", async () => {
  const { said } = await occupyPort();
  const trial = ensureFreePort({ variable: "PORT", port: said.port, host, leftOver: [] });
  await expect(trial).rejects.toThrow(`PORT: ${host}:${said.port} is taken by process ${said.pid} (`);
});

it("waits for a process that a killed start left behind", async () => {
  const { child, said } = await occupyPort();
  const trial = ensureFreePort({ variable: "PORT", port: said.port, host, leftOver: [said.pid] });
  child.kill();
  await expect(trial).resolves.toBeUndefined();
});

it("explains why an address cannot be used", async () => {
  const trial = ensureFreePort({ variable: "PORT", port: 7203, host: "192.0.2.1", leftOver: [] });
  await expect(trial).rejects.toThrow("PORT: cannot listen on 192.0.2.1:7203 (EADDRNOTAVAIL)");
});
