import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** A range below the ports that systems give to outgoing connections and to listeners of port 0. */
const PORTS = [12_000, 32_000] as const;

/**
 * A port of this machine on which no program listens. It usually stays free while a program starts or starts again:
 * other tests draw a port at random, and no outgoing connection uses a port of this range.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(...PORTS);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}
