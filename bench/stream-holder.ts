/**
 * Keeps event streams open: `stream-holder.ts ORIGIN FILE` opens one stream for each key in the file. It prints a line
 * when all streams have received their first bytes, and discards what arrives.
 */
import { readFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { ADDITIVE_ENDPOINTS } from "@propgate/contract";
import { signedHeaders } from "../packages/server/src/testing/signed-request.ts";
import type { LoadKey } from "./load.ts";

const [origin = "", file = ""] = process.argv.slice(2);
const target = ADDITIVE_ENDPOINTS.getEventStream.path;
/** The number of streams that are being opened at the same time. */
const OPENING = 32;
const keys = JSON.parse(readFileSync(file, "utf8")) as readonly LoadKey[];
let next = 0;

async function openStreams(): Promise<void> {
  for (let key = keys[next]; key !== undefined; key = keys[next]) {
    next += 1;
    await open(key, next);
  }
}

function open(key: LoadKey, number: number): Promise<void> {
  const request = { method: "GET", target, body: "", nonce: `${process.pid}-${number}` };
  const headers = signedHeaders(key, { ...request, timestamp: String(Date.now()) });
  return new Promise((resolve, reject) => {
    const taken = (response: IncomingMessage): void => {
      if (response.statusCode !== 200) reject(new Error(`a stream got ${response.statusCode}`));
      response.on("data", () => resolve()).once("end", () => reject(new Error("a stream ended")));
    };
    get(`${origin}${target}`, { headers, agent: false }, taken).once("error", reject);
  });
}

await Promise.all(Array.from({ length: OPENING }, openStreams));
process.stdout.write("open\n");
