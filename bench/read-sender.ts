/**
 * Sends the same signed read many times: `read-sender.ts ORIGIN TARGET READS READERS KEYS`. READERS is the number of
 * concurrent reads, and KEYS are the signing keys as JSON. It prints a line when it begins, and at the end the number
 * of answers by status.
 */
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { signedHeaders } from "../packages/server/src/testing/signed-request.ts";
import type { LoadKey } from "./load.ts";

const [origin = "", target = "", reads = "0", readers = "0", text = "[]"] = process.argv.slice(2);
const keys = JSON.parse(text) as readonly LoadKey[];
const statuses: Record<string, number> = {};
let next = 0;

/** Sends one read after the other until all READS are sent. The bodies of the answers are discarded. */
async function sendReads(): Promise<void> {
  while (next < Number(reads)) {
    const key = keys[next % keys.length];
    if (key === undefined) throw new Error("a reader needs keys");
    const request = { method: "GET", target, body: "", nonce: `${process.pid}-${next}` };
    next += 1;
    const headers = signedHeaders(key, { ...request, timestamp: String(Date.now()) });
    const [response] = (await once(get(`${origin}${target}`, { headers }), "response")) as [
      IncomingMessage,
    ];
    await once(response.resume(), "end");
    const status = String(response.statusCode);
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

process.stdout.write("begins\n");
await Promise.all(Array.from({ length: Number(readers) }, sendReads));
process.stdout.write(`${JSON.stringify(statuses)}\n`);
