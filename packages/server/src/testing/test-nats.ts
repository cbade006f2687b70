import { connect } from "node:net";
import { TEST_MAX_MS } from "../../../../test/environment/test-max-ms.ts";

/** The URL of the NATS server for tests. Null when it does not answer; its tests are then reported as skipped. */
export async function testNatsUrl(): Promise<string | null> {
  const url = process.env.PROPGATE_TEST_NATS_URL ?? "nats://127.0.0.1:4222";
  const { hostname, port } = new URL(url);
  const isThere = await new Promise<boolean>((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: TEST_MAX_MS });
    const end = (found: boolean) => {
      socket.destroy();
      resolve(found);
    };
    // The server sends the first message.
    socket.once("data", (data) => end(data.toString().startsWith("INFO ")));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
  if (isThere) return url;
  console.warn(`SKIPPED: NATS does not answer at ${url}, so its tests do not run`);
  return null;
}
