/** Tests the client, bundled for a browser or a worker: its size, and the APIs that it needs. */
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import type { Rollup } from "vite";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startVerifyingServer } from "../packages/sdk/src/testing/verifying-server.ts";
import { buildBundle, modulesInBundle, NODE_ONLY_CODE } from "./build-bundle.ts";

const BYTES_MAX = 20 * 1024;
const SECRET = "sk_test_0123456789abcdef0123456789abcdef";
const PROGRAM = `
  import { createClient } from "@propgate/sdk";
  export const place = (settings, order) => createClient(settings).placeOrder(order);
`;

let program: Rollup.OutputChunk;

beforeAll(async () => {
  program = await buildBundle(PROGRAM);
});

describe("createClient and placeOrder, tree-shaken", () => {
  test("the bundled client takes at most 20 KiB gzipped", () => {
    const bytes = gzipSync(program.code).length;
    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThanOrEqual(BYTES_MAX);
  });

  test("the bundled client leaves out the diagnosis, the documents and the examples", () => {
    const left = modulesInBundle(program);
    const unwanted = /diagnosis|openapi|examples|dashboard|resources\//;
    expect(left.filter((path) => unwanted.test(path))).toEqual([]);
    expect(left).toContain("sdk/src/orders/place-order.ts");
  });

  test("the bundled client needs fetch and WebCrypto and nothing of Node", async () => {
    expect(program.code).not.toMatch(NODE_ONLY_CODE);
    const data = { success: true, status: "filled", order_uuid: "o1", order: null };
    const replies = [{ status: 200, body: { success: true, data } }];
    const server = await startVerifyingServer({ secret: SECRET, replies });
    onTestFinished(() => server.close());
    const settings = { baseUrl: server.baseUrl, keyId: "pk_1", secret: SECRET, strict: true };
    const order = { trade: { execution_type: "FLAT_ALL" } };
    const web = { AbortController, atob, btoa, crypto, fetch, performance, TextEncoder };
    const timers = { clearTimeout, setTimeout };
    const url = { URL, URLSearchParams, Uint8Array };
    const script = `${program.code}; program.place(settings, order)`;
    const outcome = await runInNewContext(script, { ...web, ...timers, ...url, settings, order });
    expect(outcome).toMatchObject({ fate: "accepted", result: { order_uuid: "o1" } });
    expect(server.received[0]?.verified).toBe(true);
  });
});
