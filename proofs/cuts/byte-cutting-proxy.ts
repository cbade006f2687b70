import { connect, createServer, type Socket } from "node:net";

export type TrafficDirection = "toService" | "toClient";

/** One planned cut of a connection. */
export interface PlannedCut {
  readonly direction: TrafficDirection;
  /**
   * The number of bytes that pass in this direction before the connection breaks. They are counted from the previous
   * cut, or for the first cut from the start of the plan.
   */
  readonly afterBytes: number;
  /**
   * The delay after which the rest of the cut chunk reaches the service, when the client has lost its connection. Null
   * when the rest is lost. A rest on its way to the client is always lost.
   */
  readonly restAfterMs: number | null;
}

interface TrafficFlow {
  readonly direction: TrafficDirection;
  readonly from: Socket;
  readonly to: Socket;
}

/** A TCP proxy between clients and a service, which cuts connections at planned bytes. */
export interface ByteCuttingProxy {
  readonly port: number;
  /** Replaces the plan by these cuts, which happen in order. */
  plan(cuts: readonly PlannedCut[]): void;
  /** Cancels the planned cuts that have not happened. Returns how many cuts of the plan happened. */
  cancelPlan(): number;
  /** The bytes that have passed in each direction since the proxy was opened. */
  readonly passedBytes: Readonly<Record<TrafficDirection, number>>;
  /** Resolves when all late bytes have reached the service. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a proxy on a free port in front of the service at `servicePort`. */
export async function openByteCuttingProxy(servicePort: number): Promise<ByteCuttingProxy> {
  const sockets = new Set<Socket>();
  const carried = { toService: 0, toClient: 0 };
  const late = new Set<Promise<void>>();
  let planned: readonly PlannedCut[] = [];
  let happened = 0;
  let passed = { toService: 0, toClient: 0 };

  /**
   * The planned cut that falls into a chunk of `length` bytes, and how many of these bytes pass before it. Null when
   * the whole chunk passes.
   */
  const cutIn = (
    direction: TrafficDirection,
    length: number,
  ): { cut: PlannedCut; through: number } | null => {
    const before = passed[direction];
    passed[direction] += length;
    const cut = planned[0];
    if (cut?.direction !== direction || before + length <= cut.afterBytes) return null;
    planned = planned.slice(1);
    happened += 1;
    passed = { toService: 0, toClient: 0 };
    return { cut, through: Math.max(0, cut.afterBytes - before) };
  };

  const deliverLate = (service: Socket, rest: Buffer, afterMs: number): void => {
    const delivered = new Promise<void>((resolve) => {
      service.on("close", () => resolve());
      // An answer shows that the service has read the late bytes. The answer itself is dropped.
      service.on("data", () => service.destroy());
      setTimeout(() => service.end(rest), afterMs);
    });
    late.add(delivered);
    void delivered.then(() => late.delete(delivered));
  };

  /** Passes a chunk on, up to a planned cut in it. True when the cut broke the connection. */
  const forward = (way: TrafficFlow, chunk: Buffer): boolean => {
    const found = cutIn(way.direction, chunk.length);
    const through = found === null ? chunk : chunk.subarray(0, found.through);
    carried[way.direction] += through.length;
    way.to.write(through);
    if (found === null) return false;
    const { restAfterMs } = found.cut;
    if (way.direction === "toService" && restAfterMs !== null) {
      way.from.resetAndDestroy();
      deliverLate(way.to, chunk.subarray(found.through), restAfterMs);
    } else {
      // `end` lets the bytes that passed arrive before the connection breaks.
      way.to.end();
      way.from.destroy();
    }
    return true;
  };

  const listener = createServer((client) => {
    const service = connect(servicePort, "127.0.0.1");
    let isCut = false;
    const join = (way: TrafficFlow): void => {
      way.from.setNoDelay(true);
      way.from.on("data", (chunk) => {
        if (!isCut) isCut = forward(way, chunk);
      });
      way.from.on("error", () => undefined);
      way.from.on("close", () => {
        sockets.delete(way.from);
        if (!isCut) way.to.destroy();
      });
      sockets.add(way.from);
    };
    join({ direction: "toService", from: client, to: service });
    join({ direction: "toClient", from: service, to: client });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("the listener has no port");
  return {
    port: address.port,
    passedBytes: carried,
    plan(cuts) {
      planned = cuts;
      happened = 0;
      passed = { toService: 0, toClient: 0 };
    },
    cancelPlan() {
      planned = [];
      return happened;
    },
    async settled() {
      while (late.size > 0) await Promise.all(late);
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => {
        listener.close(() => resolve());
      });
    },
  };
}
