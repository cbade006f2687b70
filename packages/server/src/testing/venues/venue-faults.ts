import type { Server } from "node:http";
import type { Socket } from "node:net";
import { systemClock } from "../../../../base/src/clock.ts";
import { type Chance, createSeededChance } from "../../../../base/src/random.ts";

/** The faults of a local venue. A test sets them; they apply to open and to new connections. */
export interface FaultPlan {
  /** Cuts each connection after a random number of bytes from 1 to this; null for no cuts. */
  cutWithinBytes: number | null;
  /** Connections stay open, but no bytes are sent. */
  isSilent: boolean;
  /** Sends one to three bytes at a time. */
  isDripping: boolean;
  /** Sends garbage before each message: in turn other text, torn JSON, and well-formed JSON without a meaning. */
  hasGarbage: boolean;
  /** Sends every two consecutive messages in reverse order. */
  isReordering: boolean;
  /** Sends an earlier message again after each message, so that numbers and times go back. */
  isRepeating: boolean;
  /** Answers subscriptions with the venue's error. */
  isRejecting: boolean;
  /** The market, by the venue's name, whose subscription is answered with the venue's error; null for none. */
  rejects: string | null;
  /** The milliseconds that are added to the venue's own time. */
  clockShiftMs: number;
}

const NONE: FaultPlan = {
  cutWithinBytes: null,
  isSilent: false,
  isDripping: false,
  hasGarbage: false,
  isReordering: false,
  isRepeating: false,
  isRejecting: false,
  rejects: null,
  clockShiftMs: 0,
};

/** The faults of a local venue, and the connections and messages that they change. */
export interface VenueFaults {
  readonly plan: FaultPlan;
  /** Ends all faults. */
  clear(): void;
  /** Applies the faults that concern bytes (cuts, silence, dripping) to all connections of a server. */
  applyTo(server: Server): void;
  /** Sends no more bytes on the newest open connection, which stays open. */
  muteNewest(): void;
  /** Closes all open connections without a message. */
  cutAll(): void;
  /** Returns an outlet that applies the faults that concern messages: garbage, reordering, repeating. */
  createOutlet(send: (text: string) => void): MessageOutlet;
  /** The venue's time, in Unix milliseconds. */
  nowMs(): number;
  /** The number of open connections. */
  connections(): number;
  /** The number of connections that `cutWithinBytes` has cut. */
  cuts(): number;
}

/** Sends messages to one client, under the faults. */
export interface MessageOutlet {
  send(text: string): void;
  /** Sends a message many times, without the faults that concern messages. */
  flood(text: string, count: number): void;
}

const DRIP_MS = 2;

/** Faults for any local venue; the same seed gives the same cuts and garbage. */
export function createVenueFaults(
  seed: string,
  clock: { now(): number } = systemClock,
): VenueFaults {
  const chance = createSeededChance(`faults:${seed}`);
  const plan: FaultPlan = { ...NONE };
  const sockets = new Set<Socket>();
  const muted = new WeakSet<Socket>();
  let cuts = 0;
  return {
    plan,
    clear: () => void Object.assign(plan, NONE),
    applyTo(server) {
      server.on("connection", (socket: Socket) => {
        sockets.add(socket);
        socket.once("close", () => sockets.delete(socket));
        const isSilent = (): boolean => plan.isSilent || muted.has(socket);
        holdSocket(socket, { plan, chance, isSilent, cut: () => (cuts += 1) });
      });
    },
    muteNewest() {
      const newest = [...sockets].at(-1);
      if (newest !== undefined) muted.add(newest);
    },
    cutAll() {
      for (const socket of sockets) socket.destroy();
    },
    createOutlet: (send) => createOutlet(send, plan, chance),
    nowMs: () => clock.now() + plan.clockShiftMs,
    connections: () => sockets.size,
    cuts: () => cuts,
  };
}

/** A whole number from 1 to `max`. */
function randomUpTo(max: number, chance: Chance): number {
  const drawn = Buffer.from(chance.bytes(4)).readUInt32BE();
  return 1 + Math.floor((drawn / 2 ** 32) * max);
}

interface Holding {
  readonly plan: FaultPlan;
  readonly chance: Chance;
  readonly isSilent: () => boolean;
  readonly cut: () => void;
}

/** Replaces the socket's `write`, through which HTTP, WebSocket and NDJSON all pass. */
function holdSocket(socket: Socket, { plan, chance, isSilent, cut }: Holding): void {
  const write = socket.write.bind(socket);
  let left: number | null = null;
  let drops: Buffer[] = [];
  let _timer: NodeJS.Timeout | null = null;

  function passOn(bytes: Buffer): boolean {
    if (socket.destroyed) return false;
    if (plan.cutWithinBytes === null) left = null;
    else left ??= randomUpTo(plan.cutWithinBytes, chance);
    if (left === null || bytes.length < left) {
      if (left !== null) left -= bytes.length;
      return write(bytes);
    }
    cut();
    write(bytes.subarray(0, left), () => socket.destroy());
    return false;
  }

  function drip(): void {
    _timer = null;
    const rest = Buffer.concat(drops);
    drops = [];
    if (rest.length === 0 || socket.destroyed) return;
    const size = plan.isDripping ? randomUpTo(3, chance) : rest.length;
    passOn(rest.subarray(0, size));
    if (size >= rest.length) return;
    drops = [rest.subarray(size)];
    _timer = setTimeout(drip, DRIP_MS);
  }

  function held(data: Uint8Array | string, ...rest: readonly unknown[]): boolean {
    const encoding = rest.find((one) => typeof one === "string" && Buffer.isEncoding(one));
    const done = rest.find((one) => typeof one === "function");
    const bytes =
      typeof data === "string" ? Buffer.from(data, asEncoding(encoding)) : Buffer.from(data);
    if (typeof done === "function") setImmediate(() => Reflect.apply(done, null, []));
    if (isSilent()) return true;
    if (!plan.isDripping && drops.length === 0) return passOn(bytes);
    drops.push(bytes);
    _timer ??= setTimeout(drip, DRIP_MS);
    return true;
  }

  Object.assign(socket, { write: held });
}

function asEncoding(value: unknown): BufferEncoding {
  return typeof value === "string" && Buffer.isEncoding(value) ? value : "utf8";
}

function createOutlet(
  send: (text: string) => void,
  plan: FaultPlan,
  chance: Chance,
): MessageOutlet {
  let held: string | null = null;
  let earlier: string | null = null;
  let garbageSent = 0;

  function garbage(text: string): string {
    garbageSent += 1;
    const kinds = [
      Buffer.from(chance.bytes(24)).toString("hex"),
      text.slice(0, Math.max(1, Math.floor(text.length / 2))),
      JSON.stringify({ [Buffer.from(chance.bytes(4)).toString("hex")]: null }),
      "[]",
    ];
    return kinds[garbageSent % kinds.length] ?? "";
  }

  function sendNow(text: string): void {
    if (plan.hasGarbage) send(garbage(text));
    send(text);
    if (plan.isRepeating && earlier !== null) send(earlier);
    earlier ??= text;
  }

  return {
    send(text) {
      if (!plan.isReordering) {
        if (held !== null) sendNow(held);
        held = null;
        sendNow(text);
      } else if (held === null) {
        held = text;
      } else {
        sendNow(text);
        sendNow(held);
        held = null;
      }
    },
    flood(text, count) {
      for (let sent = 0; sent < count; sent += 1) send(text);
    },
  };
}
