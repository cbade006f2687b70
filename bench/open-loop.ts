import { connect, type Socket } from "node:net";
import { type LoadPlan, onEachAnswer, signedRequests } from "./load.ts";

export interface OpenLoopPlan extends Omit<LoadPlan, "connections"> {
  /** Requests a second, evenly spread. */
  readonly perSecond: number;
  /**
   * The maximum number of connections. A request that is due while all are in use waits, and its latency includes the
   * wait.
   */
  readonly connectionsMax: number;
}

/**
 * The result of a load at a constant rate. Latencies are milliseconds from the scheduled moment of a request to its
 * whole answer.
 */
export interface OpenLoopResult {
  readonly perSecond: number;
  readonly requests: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly maxMs: number;
  /** The number of answers by status. */
  readonly statuses: Readonly<Record<string, number>>;
}

/**
 * Sends signed requests at a constant rate, however late the answers are. The latency of a request counts from its
 * scheduled moment, so a stall counts for each request that was due during it. A closed loop such as `runLoad` sends
 * no request during a stall, so the stall counts only once for each connection (coordinated omission). Node's timers
 * have a resolution of one millisecond, which is part of every latency.
 */
export async function runOpenLoop(plan: OpenLoopPlan): Promise<OpenLoopResult> {
  const requests = signedRequests(plan);
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const waiting: number[] = [];
  const free: Socket[] = [];
  const sockets: Socket[] = [];
  const msPerRequest = 1_000 / plan.perSecond;
  const startedMs = performance.now();
  const dueMs = (index: number): number => startedMs + index * msPerRequest;
  let firstWaiting = 0;
  let next = 0;

  try {
    await new Promise<void>((resolve, reject) => {
      const inFlight = new Map<Socket, number>();
      const send = (socket: Socket): void => {
        const index = waiting[firstWaiting];
        if (index === undefined) {
          free.push(socket);
          return;
        }
        firstWaiting += 1;
        inFlight.set(socket, index);
        socket.write(requests[index] ?? Buffer.alloc(0));
      };
      const open = (): void => {
        const socket = connect(plan.port, plan.host);
        sockets.push(socket);
        socket.setNoDelay(true);
        let isUsed = false;
        socket.on("connect", () => {
          isUsed = firstWaiting < waiting.length;
          if (isUsed) return send(socket);
          // Another connection has sent the request for which this connection was opened, so this connection is closed.
          // It is not kept for later requests: the service closes a new connection that sends nothing for ten seconds,
          // even while the first request is on its way to the service.
          sockets.splice(sockets.indexOf(socket), 1);
          socket.destroy();
        });
        socket.on("error", reject);
        socket.on("close", () => {
          if (isUsed) reject(new Error("the server closed a connection"));
        });
        onEachAnswer(socket, (status) => {
          latencies.push(performance.now() - dueMs(inFlight.get(socket) ?? 0));
          statuses[status] = (statuses[status] ?? 0) + 1;
          if (latencies.length === requests.length) resolve();
          else send(socket);
        });
      };
      const tick = (): void => {
        const nowMs = performance.now();
        while (next < requests.length && dueMs(next) <= nowMs) {
          waiting.push(next);
          next += 1;
          const socket = free.pop();
          if (socket !== undefined) send(socket);
          else if (sockets.length < plan.connectionsMax) open();
        }
        if (next < requests.length) setTimeout(tick, 1);
      };
      tick();
    });
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return { ...summary(latencies), perSecond: plan.perSecond, requests: requests.length, statuses };
}

function summary(latencies: readonly number[]) {
  const sorted = latencies.toSorted((one, other) => one - other);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50Ms: at(0.5), p99Ms: at(0.99), p999Ms: at(0.999), maxMs: at(1) };
}
