import { connect, type Socket } from "node:net";

/** A client with one connection, which sends its next request as soon as it has an answer. */
export interface SendingClient {
  readonly counts: ClientCounts;
  /** Resolves when the client has stopped sending and its connection is closed. */
  readonly stopped: Promise<void>;
}

export interface ClientCounts {
  answered: number;
  /** Requests that were written and had no answer when the connection ended. */
  lost: number;
  /** Answers with `Connection: close`. */
  closing: number;
}

/**
 * Sends one request after the other until an answer has `Connection: close`. Then, while `reconnects` returns true, the
 * client connects again, and sends if `reconnects` still returns true when it is connected. `request` makes the bytes
 * of the next request.
 */
export function startSendingClient(
  port: number,
  options: { readonly request: () => string; readonly reconnects: () => boolean },
): SendingClient {
  const counts: ClientCounts = { answered: 0, lost: 0, closing: 0 };
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const open = (maySend: () => boolean): void => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    follow(socket, { counts, request: options.request, maySend }, () => {
      if (options.reconnects()) open(options.reconnects);
      else resolve();
    });
  };
  open(() => true);
  return { counts, stopped: left };
}

function follow(
  socket: Socket,
  client: {
    readonly counts: ClientCounts;
    readonly request: () => string;
    /** Called once, when the connection is established. */
    readonly maySend: () => boolean;
  },
  onClosed: () => void,
): void {
  const { counts, request } = client;
  let received = Buffer.alloc(0);
  let isWaiting = false;
  const send = (): void => {
    isWaiting = true;
    socket.write(request());
  };
  socket.on("connect", () => {
    if (client.maySend()) send();
    else socket.end();
  });
  socket.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    const answer = wholeAnswer(received);
    if (answer === null) return;
    received = received.subarray(answer.bytes);
    isWaiting = false;
    counts.answered += 1;
    if (!answer.closes) send();
    else {
      counts.closing += 1;
      socket.end();
    }
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    if (isWaiting) counts.lost += 1;
    onClosed();
  });
}

/**
 * The length of the first answer in the bytes, and whether it closes the connection. Null while the answer is
 * incomplete.
 */
function wholeAnswer(bytes: Buffer): { readonly bytes: number; readonly closes: boolean } | null {
  const end = bytes.indexOf("\r\n\r\n");
  if (end < 0) return null;
  const head = bytes.subarray(0, end).toString("latin1");
  const length = end + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  if (bytes.length < length) return null;
  return { bytes: length, closes: /\r\nconnection: close/i.test(head) };
}
