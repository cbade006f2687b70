import { beforeAll, describe, expect, test } from "vitest";
import type { Signer } from "../../packages/server/src/testing/signed-request.ts";
import { scaledCount } from "../environment/depth.ts";
import { type AttackPlan, chunkedPostHead, ONE_BYTE_CHUNKS, requestHead } from "./attack-plan.ts";
import {
  ATTACKED_OPERATOR_TOKEN,
  type AttackedService,
  runAttack,
  startAttackedService,
} from "./attacked-service.ts";

const MEMORY_MB_MAX = 150;
/**
 * The time in which an attack begins new bursts or requests. A burst lasts a second, so even the shortest attack has a
 * whole one.
 */
const ATTACK_MS = scaledCount(2_000, 500);
const ORDERS = "/api/v1/trading/orders";

/**
 * Runs an attack while an honest client works. All requests of the client must succeed, and the memory must stay
 * bounded. `npm run bench` measures how much slower the requests become.
 */
async function expectWithstood(
  service: AttackedService,
  plan: Omit<AttackPlan, "forMs">,
): Promise<void> {
  const grown = service.startMeter();
  const attacking = runAttack({ ...plan, forMs: ATTACK_MS });
  const [during, answers] = await Promise.all([service.honest(attacking), attacking]);
  const memoryMb = grown();
  if (process.env.HOSTILE_FIGURES !== undefined) {
    process.stderr.write(`${JSON.stringify([during, memoryMb, answers])}\n`);
  }
  expect(during.sent).toBeGreaterThan(0);
  expect(during.others).toEqual([]);
  expect(memoryMb).toBeLessThan(MEMORY_MB_MAX);
}

describe("a service with a heap of 1 GB withstands", () => {
  let service: AttackedService;
  let named: Signer;
  let paused: Signer;
  beforeAll(async () => {
    service = await startAttackedService("service");
    named = await service.newKey();
    paused = await service.newKey();
    return () => service.stop();
  });

  test("a service with a heap of 1 GB withstands orders with unknown keys in one-byte chunks", async () => {
    await expectWithstood(service, {
      ...ONE_BYTE_CHUNKS,
      port: service.port,
      head: chunkedPostHead(ORDERS),
    });
  });

  test("a service with a heap of 1 GB withstands orders in one-byte chunks that name a key", async () => {
    const signed = [
      `X-Service-Key-Id: ${named.keyId}`,
      `X-Service-Timestamp: ${Date.now()}`,
      "X-Service-Nonce: n",
      "X-Service-Signature: v1=x",
    ];
    await expectWithstood(service, {
      ...ONE_BYTE_CHUNKS,
      port: service.port,
      head: chunkedPostHead(ORDERS, ...signed),
    });
  });

  test("a service with a heap of 1 GB withstands sign-ins in one-byte chunks", async () => {
    const origin = `Origin: http://127.0.0.1`;
    const bytes = chunkedPostHead("/dashboard/v1/sign-in", origin);
    await expectWithstood(service, { ...ONE_BYTE_CHUNKS, port: service.port, head: bytes });
  });

  test("a service with a heap of 1 GB withstands operator's calls in one-byte chunks", async () => {
    const bytes = chunkedPostHead(
      "/operator/v1/keys",
      `Authorization: Bearer ${ATTACKED_OPERATOR_TOKEN}`,
    );
    // The attack comes from another address than the earlier calls with wrong tokens, because the service refuses calls
    // from that earlier address before it reads their bodies.
    const from = "127.0.0.2";
    await expectWithstood(service, { ...ONE_BYTE_CHUNKS, from, port: service.port, head: bytes });
  });

  test("a service with a heap of 1 GB withstands documents requested in pipelines and not read", async () => {
    const plan = { how: "burst", connections: 200, head: "", times: 90 } as const;
    const piece = requestHead("GET", "/api/v1/openapi.json");
    await expectWithstood(service, { ...plan, piece, port: service.port });
  });

  test("a service with a heap of 1 GB withstands a flood of sign-ins", async () => {
    const body = JSON.stringify({ name: "operator", password: "wrong wrong wrong" });
    const lines = ["Content-Type: application/json", `Content-Length: ${body.length}`];
    const bytes =
      requestHead("POST", "/dashboard/v1/sign-in", ...lines, "Origin: http://127.0.0.1") + body;
    await expectWithstood(service, {
      how: "loop",
      connections: 256,
      port: service.port,
      head: bytes,
    });
  });

  test("a service with a heap of 1 GB withstands a flood of wrong operator tokens", async () => {
    const bytes = requestHead("GET", "/operator/v1/accounts", "Authorization: Bearer wrong");
    await expectWithstood(service, {
      how: "loop",
      connections: 32,
      port: service.port,
      head: bytes,
    });
  });

  test("a service with a heap of 1 GB withstands orders of a paused key", async () => {
    const sign = { ...paused, target: ORDERS, body: "{}" };
    await expectWithstood(service, {
      how: "loop",
      connections: 16,
      port: service.port,
      head: "",
      sign,
    });
  });
});

describe("a sandbox's control plane withstands", () => {
  let sandbox: AttackedService;
  beforeAll(async () => {
    sandbox = await startAttackedService("sandbox");
    return () => sandbox.stop();
  });

  test("a sandbox's control plane withstands calls in one-byte chunks", async () => {
    const port = sandbox.controlPort ?? 0;
    await expectWithstood(sandbox, { ...ONE_BYTE_CHUNKS, port, head: chunkedPostHead("/clock") });
  });
});
