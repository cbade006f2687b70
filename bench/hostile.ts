import { setTimeout as sleep } from "node:timers/promises";
import {
  type AttackPlan,
  chunkedPostHead,
  ONE_BYTE_CHUNKS,
  requestHead,
} from "../test/hostile/attack-plan.ts";
import { runAttack, startAttackedService } from "../test/hostile/attacked-service.ts";
import type { Row } from "./result-tables.ts";

const ALONE_MS = 5_000;
const ATTACK_MS = 10_000;

/** The latency of an honest client during each attack, against that of the same client just before. */
export async function measureHostileClients(): Promise<readonly Row[]> {
  const service = await startAttackedService("service");
  const { port } = service;
  const attacks = [
    {
      what: "400 connections of one-byte chunks",
      ...ONE_BYTE_CHUNKS,
      head: chunkedPostHead("/api/v1/trading/orders"),
    },
    {
      what: "200 connections of 90 pipelined documents, not read",
      how: "burst",
      connections: 200,
      head: "",
      times: 90,
      piece: requestHead("GET", "/api/v1/openapi.json"),
    },
  ] as const satisfies readonly (Omit<AttackPlan, "port" | "forMs"> & { what: string })[];
  const rows: Row[] = [];
  try {
    for (const { what, ...plan } of attacks) {
      const alone = await service.honest(sleep(ALONE_MS));
      const grownMb = service.startMeter();
      const during = await service.honest(runAttack({ ...plan, port, forMs: ATTACK_MS }));
      rows.push({
        what: `signed read during ${what}, again every second`,
        one: `p99 ${Math.round(during.p99Ms)} ms, ${Math.round(grownMb())} MB more`,
        other: `without: ${Math.round(alone.p99Ms)} ms`,
        ratio: during.p99Ms / alone.p99Ms,
        bar: "≤ 5",
      });
    }
  } finally {
    await service.stop();
  }
  return rows;
}
