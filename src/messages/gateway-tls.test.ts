import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, onTestFinished, test, vi } from "vitest";
import { MessageNotSent } from "./errors.ts";
import { httpMessenger } from "./http-messenger.ts";

test("a gateway whose certificate nobody vouches for gets no message, whatever NODE_TLS_REJECT_UNAUTHORIZED says", async () => {
  let requests = 0;
  const gateway = https.createServer(makeCertificate(), (_request, response) => {
    requests += 1;
    response.end();
  });
  gateway.listen(0, "127.0.0.1");
  await once(gateway, "listening");
  onTestFinished(() => void gateway.close());
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { port } = gateway.address() as AddressInfo;
  const url = `https://localhost:${port}/`;
  const messenger = httpMessenger({ url, token: "t0k3n", logger: pino({ level: "silent" }) });

  const sending = messenger.send({ msisdn: "2250701020304", text: "Votre code : 123456" });

  await expect(sending).rejects.toThrow(MessageNotSent);
  expect(requests).toBe(0);
});

/** For localhost, by an authority of its own. */
function makeCertificate(): { key: string; cert: string } {
  const folder = mkdtempSync(join(tmpdir(), "gateway-tls-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  try {
    const options = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2
      -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${cert}`;
    execFileSync("openssl", options.split(/\s+/), { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
