import type { ConnectionOptions, NatsConnection } from "@nats-io/transport-node";
import { createBackOff } from "../back-off.ts";
import type { Timer } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Chance } from "../random.ts";
import type { NatsAddress } from "../settings/nats-address.ts";
import type { ReceivedMessage, Transport } from "./transport.ts";

/** The time in which a connection has to succeed. */
const CONNECT_MS = 2_000;
/** A ping is sent this often. A server that answers neither of two in a row counts as gone. */
const PING_EVERY_MS = 2_000;
const UNANSWERED_MAX = 2;
/**
 * The minimum wait between two attempts to reconnect to a server. A random time of up to the same length is added. The
 * wait is short, because no price arrives meanwhile.
 */
const RECONNECT_MS = 250;
const CONNECT_WAITS = { firstMs: 250, maxMs: 5_000 };

export interface NatsTransportOptions {
  readonly address: NatsAddress;
  readonly timer: Timer;
  readonly chance: Chance;
  readonly log: Pick<Log, "warn" | "info">;
}

/** Opens a transport over NATS. It connects in the background, and reconnects again and again until it is closed. */
export async function openNatsTransport(options: NatsTransportOptions): Promise<Transport> {
  const { timer, log } = options;
  // Imported here and not at the top, so that a process without NATS does not load it.
  const { connect } = await import("@nats-io/transport-node");
  const backOff = createBackOff(CONNECT_WAITS, options.chance);
  const subscriptions: {
    readonly subject: string;
    readonly call: (one: ReceivedMessage) => void;
  }[] = [];
  const connectListeners: (() => void)[] = [];
  let connection: NatsConnection | null = null;
  let isConnected = false;
  let isClosed = false;
  let cancelRetry: () => void = () => undefined;

  const connected = (): void => {
    isConnected = true;
    backOff.reset();
    log.info({}, "connected to NATS");
    for (const listener of connectListeners) listener();
  };
  const lost = (): void => {
    if (isConnected && !isClosed) log.warn({}, "the connection to NATS is lost and is retried");
    isConnected = false;
  };
  const follow = async (opened: NatsConnection): Promise<void> => {
    for await (const { type } of opened.status()) {
      if (type === "disconnect") lost();
      else if (type === "reconnect") connected();
    }
  };
  const subscribe = (opened: NatsConnection, { subject, call }: (typeof subscriptions)[number]) =>
    void opened.subscribe(subject, {
      callback(error, message) {
        if (error === null) call({ subject: message.subject, content: message.data });
      },
    });
  const open = async (): Promise<void> => {
    try {
      const opened = await connect(connectionOptions(options.address));
      if (isClosed) {
        await opened.close();
        return;
      }
      // The client drops servers that did not answer before its first connection, so all of them are set again.
      opened.setServers([...options.address.servers]);
      connection = opened;
      for (const one of subscriptions) subscribe(opened, one);
      void follow(opened);
      connected();
    } catch (cause) {
      if (isClosed) return;
      log.warn({ err: cause }, "NATS cannot be reached and is retried");
      cancelRetry = timer.after(backOff.nextMs(), () => void open());
    }
  };
  void open();

  return {
    get isConnected() {
      return isConnected;
    },
    send(subject, content) {
      if (isConnected) connection?.publish(subject, content);
    },
    subscribe(subject, call) {
      const one = { subject, call };
      subscriptions.push(one);
      if (connection !== null) subscribe(connection, one);
    },
    onConnect(listener) {
      connectListeners.push(listener);
      if (isConnected) listener();
    },
    async close() {
      isClosed = true;
      isConnected = false;
      cancelRetry();
      await connection?.close();
    },
  };
}

function connectionOptions({
  servers,
  isEncrypted,
  user,
  password,
}: NatsAddress): ConnectionOptions {
  return {
    servers: [...servers],
    name: "propgate",
    timeout: CONNECT_MS,
    pingInterval: PING_EVERY_MS,
    maxPingOut: UNANSWERED_MAX,
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    reconnectTimeWait: RECONNECT_MS,
    reconnectJitter: RECONNECT_MS,
    ...(isEncrypted ? { tls: {} } : {}),
    ...(password === null ? {} : user === null ? { token: password } : { user, pass: password }),
  };
}
