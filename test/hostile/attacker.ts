import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { signedHeaders } from "../../packages/server/src/testing/signed-request.ts";
import type { AttackPlan, AttackSigner } from "./attack-plan.ts";

const WAVE_MS = 1_000;

/**
 * The plan from the first argument. The attacker runs in a process of its own, so that its work does not delay the
 * honest client.
 */
function readAttackPlan(): AttackPlan {
  const plan: AttackPlan = JSON.parse(process.argv[2] ?? "{}");
  return plan;
}

const plan = readAttackPlan();
const endsAt = Date.now() + plan.forMs;
let answers = 0;
let nonces = 0;

function opened(): Socket {
  const host = "127.0.0.1";
  return connect({ port: plan.port, host, localAddress: plan.from ?? host });
}

function signed({ keyId, secret, target, body }: AttackSigner): string {
  nonces += 1;
  const request = { method: "POST", target, body };
  const headers = signedHeaders(
    { keyId, secret },
    { ...request, timestamp: String(Date.now()), nonce: `attack-${process.pid}-${nonces}` },
  );
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const content = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `POST ${target} HTTP/1.1\r\nHost: x\r\n${content}${lines.join("")}\r\n${body}`;
}

async function burst(): Promise<void> {
  const bytes = Buffer.from(plan.head + (plan.piece ?? "").repeat(plan.times ?? 0), "latin1");
  while (Date.now() < endsAt) {
    const sockets = Array.from({ length: plan.connections }, () => {
      const socket = opened();
      socket.on("error", () => undefined).pause();
      socket.write(bytes);
      return socket;
    });
    await sleep(WAVE_MS);
    for (const socket of sockets) socket.destroy();
  }
}

function loop(): Promise<unknown> {
  const one = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = opened();
      const next = (): void => {
        if (Date.now() >= endsAt) socket.destroy();
        else socket.write(plan.sign === undefined ? plan.head : signed(plan.sign));
      };
      socket.on("connect", next).on("error", () => undefined);
      socket.on("data", () => {
        answers += 1;
        next();
      });
      socket.on("close", () => resolve());
    });
  const forEver = async (): Promise<void> => {
    while (Date.now() < endsAt) {
      await one();
      await sleep(5);
    }
  };
  return Promise.all(Array.from({ length: plan.connections }, forEver));
}

await (plan.how === "burst" ? burst() : loop());
process.stdout.write(`${answers}\n`);
process.exit(0);
