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

  const listener = createServer((client) => {
    const service = connect(servicePort, "127.0.0.1");
    const pair = [client, service] as const;
    let isCut = false;
    const carry = (direction: Direction, chunk: Buffer): void => {
      if (isCut) return;
      const [from, to] = direction === "toService" ? [client, service] : [service, client];
      const found = cutIn(direction, chunk.length);
      const through = found === null ? chunk : chunk.subarray(0, found.through);
      carried[direction] += through.length;
      to.write(through);
      if (found === null) return;
      isCut = true;
      const { restAfterMs } = found.cut;
      if (direction === "toService" && restAfterMs !== null) {
        from.resetAndDestroy();
        deliverLate(service, chunk.subarray(found.through), restAfterMs);
      } else {
        // What got through gets there before the line breaks.
        to.end();
        from.destroy();
      }
    };
    client.on("data", (chunk) => carry("toService", chunk));
    service.on("data", (chunk) => carry("toClient", chunk));
    for (const socket of pair) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        if (!isCut) for (const one of pair) one.destroy();
      });
    }
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
