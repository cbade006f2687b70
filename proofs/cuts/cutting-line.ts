import { connect, createServer, type Socket } from "node:net";

export type Direction = "toService" | "toClient";

/** One cut of a connection. */
export interface Cut {
  readonly direction: Direction;
  /** So many bytes of that direction get through, counted from when the cut is awaited. */
  readonly afterBytes: number;
  /**
   * Null: what has not got through is lost. Else it reaches the service so much later, when the
   * client has long lost its connection: as from the buffers of a proxy on the way.
   */
  readonly restAfterMs: number | null;
}

interface Way {
  readonly direction: Direction;
  readonly from: Socket;
  readonly to: Socket;
}

/** A line from clients to a service that can be cut at a byte. */
export interface CuttingLine {
  readonly port: number;
  /** Awaits these cuts, each from the moment at which the one before has happened. */
  await(cuts: readonly Cut[]): void;
  /** How many of them have happened; the others are called off. */
  callOff(): number;
  /** What got through since the line was opened. */
  readonly carried: Readonly<Record<Direction, number>>;
  /** Resolves when nothing is on its way to the service any more. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export async function openCuttingLine(servicePort: number): Promise<CuttingLine> {
  const sockets = new Set<Socket>();
  const carried = { toService: 0, toClient: 0 };
  const late = new Set<Promise<void>>();
  let awaited: readonly Cut[] = [];
  let happened = 0;
  let passed = { toService: 0, toClient: 0 };

  /** How much of the chunk gets through; null when all of it does and nothing is cut. */
  const cutIn = (direction: Direction, length: number): { cut: Cut; through: number } | null => {
    const before = passed[direction];
    passed[direction] += length;
    const cut = awaited[0];
    if (cut?.direction !== direction || before + length <= cut.afterBytes) return null;
    awaited = awaited.slice(1);
    happened += 1;
    passed = { toService: 0, toClient: 0 };
    return { cut, through: Math.max(0, cut.afterBytes - before) };
  };

  const deliverLate = (service: Socket, rest: Buffer, afterMs: number): void => {
    const delivered = new Promise<void>((resolve) => {
      service.on("close", () => resolve());
      // The answer is the service's word that it has read everything; nobody hears it.
      service.on("data", () => service.destroy());
      setTimeout(() => service.end(rest), afterMs);
    });
    late.add(delivered);
    void delivered.then(() => late.delete(delivered));
  };

  /** Carries one way until it is cut; true when that has happened. */
  const carry = (way: Way, chunk: Buffer): boolean => {
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
      // What got through gets there before the line breaks.
      way.to.end();
      way.from.destroy();
    }
    return true;
  };

  const listener = createServer((client) => {
    const service = connect(servicePort, "127.0.0.1");
    let isCut = false;
    const join = (way: Way): void => {
      way.from.setNoDelay(true);
      way.from.on("data", (chunk) => {
        if (!isCut) isCut = carry(way, chunk);
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
  if (address === null || typeof address === "string") throw new Error("not a port");
  return {
    port: address.port,
    carried,
    await(cuts) {
      awaited = cuts;
      happened = 0;
      passed = { toService: 0, toClient: 0 };
    },
    callOff() {
      awaited = [];
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
