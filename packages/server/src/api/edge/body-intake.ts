import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type BodyBuffer, createBodyBuffer } from "./body-buffer.ts";
import { type BodyMemory, createBodyMemory } from "./body-memory.ts";

/**
 * The exact bytes of a body, or why there are none. `tooLarge` and `noRoom` are known before the body ends. `cutOff`
 * means that the connection broke, so there is no client to answer. It differs from an empty body: a request that
 * announced a body but signed the hash of an empty one must not be carried out.
 */
export type BodyReading = Buffer | "tooLarge" | "noRoom" | "cutOff";

/** Receives the bodies of all requests of a listener, each into one buffer. @rule D2.body */
export interface BodyIntake {
  /** Starts to receive the body of a request. The body is discarded unless `keep` is called in the same tick. */
  begin(message: IncomingMessage, response: ServerResponse): void;
  /** Keeps this request's body, up to `bytesMax`. */
  keep(message: IncomingMessage, kept: KeptBody): void;
  /**
   * Receives a chunked body without keeping its bytes, to find out whether it is too large. A body with a length is not
   * received.
   */
  measure(message: IncomingMessage): Promise<BodyReading> | BodyReading;
  /** Resolves as soon as the outcome is known. A request without a body has an empty one. */
  read(message: IncomingMessage): Promise<BodyReading> | BodyReading;
  /** The bytes of the shared memory that are in use. */
  readonly usedBytes: number;
}

/** The name of the fastify decoration that holds the intake. */
export const BODY_INTAKE = "bodyIntake";

interface KeptBody {
  readonly bytesMax: number;
  /** The client's address, which decides whose share of the shared memory the body uses. */
  readonly address: string;
}

export interface BodyIntakeOptions {
  /** The maximum memory of all concurrent bodies in bytes, without the first 4 KiB of each. */
  readonly bytesMax: number;
  /** The maximum memory in bytes of the bodies that clients of one network send. */
  readonly shareMax: number;
  /** Ends a connection that sends too many chunks, or too many discarded bytes. */
  readonly end: (message: IncomingMessage) => void;
}

const NOTHING = Buffer.alloc(0);
/**
 * Two bounds on the chunks of a body: `free` chunks, and one more for every `bytesPerPiece` bytes. The first bound
 * stops tiny chunks early, the second all others.
 */
const PIECE_BOUNDS = [
  { free: 64, bytesPerPiece: 4 },
  { free: 512, bytesPerPiece: 64 },
] as const;
const DISCARDED_BYTES_MAX = 2 * 1_048_576;

export function createBodyIntake(options: BodyIntakeOptions): BodyIntake {
  const room = createBodyMemory(options);
  const bodies = new WeakMap<IncomingMessage, Receiving>();
  const byConnection = new WeakMap<Socket, Set<Receiving>>();
  /** The bodies of a connection. When it closes, the answers that wait on it are lost, so its bodies are released. */
  const ofConnection = (socket: Socket): Set<Receiving> => {
    const known = byConnection.get(socket);
    if (known !== undefined) return known;
    const open = new Set<Receiving>();
    byConnection.set(socket, open);
    socket.once("close", () => {
      for (const one of open) one.release();
    });
    return open;
  };
  return {
    begin(message, response) {
      if (!hasBody(message)) return;
      const receiving = receive(message, { room, end: options.end });
      bodies.set(message, receiving);
      const open = ofConnection(message.socket).add(receiving);
      response.once("close", () => {
        receiving.release();
        open.delete(receiving);
      });
    },
    keep: (message, kept) => bodies.get(message)?.want(kept),
    measure: (message) =>
      message.headers["transfer-encoding"] === undefined
        ? NOTHING
        : (bodies.get(message)?.measure() ?? NOTHING),
    read: (message) => bodies.get(message)?.read() ?? NOTHING,
    get usedBytes() {
      return room.usedBytes;
    },
  };
}

/** Whether the request's head announces a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers["content-length"];
  return headers["transfer-encoding"] !== undefined || (length !== undefined && length !== "0");
}

/** Whether the request's head announces more than `bytesMax` bytes. */
export function announcesMore({ headers }: IncomingMessage, bytesMax: number): boolean {
  return Number(headers["content-length"] ?? 0) > bytesMax;
}

interface Receiving {
  want(kept: KeptBody): void;
  measure(): Promise<BodyReading> | BodyReading;
  read(): Promise<BodyReading> | BodyReading;
  /** Called when the request is answered or its connection has closed: frees its memory and discards later bytes. */
  release(): void;
}

function receive(
  message: IncomingMessage,
  options: { readonly room: BodyMemory; readonly end: (message: IncomingMessage) => void },
): Receiving {
  const waiting: ((reading: BodyReading) => void)[] = [];
  let buffer: BodyBuffer | null = null;
  let reading: BodyReading | null = null;
  let received = 0;
  let discarded = 0;
  let pieces = 0;
  let isEnded = false;

  const settle = (outcome: BodyReading): void => {
    if (reading !== null) return;
    reading = outcome;
    for (const resolve of waiting) resolve(outcome);
    if (typeof outcome === "string") buffer?.releaseMemory();
  };
  const release = (): void => {
    settle("cutOff");
    buffer?.releaseMemory();
    reading = "cutOff";
  };
  const add = (piece: Buffer): void => {
    if (isEnded) return;
    pieces += 1;
    received += piece.length;
    const problem = reading === null && buffer !== null ? buffer.add(piece) : "discarded";
    if (problem === "discarded") discarded += piece.length;
    else if (problem !== null) settle(problem);
    const isCrumbled = PIECE_BOUNDS.some(
      ({ free, bytesPerPiece }) => pieces > free + received / bytesPerPiece,
    );
    isEnded = isCrumbled || discarded > DISCARDED_BYTES_MAX;
    if (isEnded) options.end(message);
  };
  const read = (): Promise<BodyReading> | BodyReading =>
    reading ?? new Promise((resolve) => waiting.push(resolve));
  message.on("data", add);
  message.once("end", () => settle(buffer?.bytes() ?? NOTHING));
  message.on("error", () => settle("cutOff"));
  message.once("close", () => settle("cutOff"));
  // A read of 0 bytes starts the stream, which then passes chunks on one by one and does not buffer them.
  message.read(0);
  return {
    want(kept) {
      const length = message.headers["content-length"];
      const announced = length === undefined ? null : Number(length);
      if (announcesMore(message, kept.bytesMax)) settle("tooLarge");
      else buffer = createBodyBuffer(options.room, { ...kept, announced });
    },
    measure() {
      buffer?.discardContent();
      return read();
    },
    read,
    release,
  };
}
