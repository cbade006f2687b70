import type { ReceivedMessage, Transport } from "../../../base/src/transport/transport.ts";

/** A transport of one node that a test can disturb. */
export interface MadeTransport extends Transport {
  /** Holds arriving messages back until `release`. */
  hold(): void;
  release(): void;
  /** Loses the arriving messages for which this returns true. */
  lose(isLost: (received: ReceivedMessage) => boolean): void;
  disconnect(): void;
  connect(): void;
}

/** Messages between the nodes of a test. They arrive before `send` returns. */
export interface MadeMessageHub {
  node(): MadeTransport;
  /** Every message that was sent, in order. */
  readonly sent: readonly { readonly subject: string; readonly content: string }[];
}

export function createMadeMessageHub(): MadeMessageHub {
  const sent: { subject: string; content: string }[] = [];
  const nodes: ((received: ReceivedMessage) => void)[] = [];
  return {
    sent,
    node() {
      const listeners: {
        readonly pattern: RegExp;
        readonly call: (one: ReceivedMessage) => void;
      }[] = [];
      const connectListeners: (() => void)[] = [];
      const waiting: ReceivedMessage[] = [];
      let isHeld = false;
      let isConnected = true;
      let isLost: (received: ReceivedMessage) => boolean = () => false;
      const deliver = (received: ReceivedMessage): void => {
        for (const { pattern, call } of listeners) {
          if (pattern.test(received.subject)) call(received);
        }
      };
      nodes.push((received) => {
        if (!isConnected || isLost(received)) return;
        if (isHeld) waiting.push(received);
        else deliver(received);
      });
      return {
        get isConnected() {
          return isConnected;
        },
        send(subject, content) {
          if (!isConnected) return;
          sent.push({ subject, content });
          for (const node of nodes) node({ subject, content: new TextEncoder().encode(content) });
        },
        subscribe(subject, call) {
          const text = subject.replaceAll(".", "\\.").replaceAll("*", "[^.]+");
          listeners.push({ pattern: new RegExp(`^${text}$`), call });
        },
        onConnect(listener) {
          connectListeners.push(listener);
          if (isConnected) listener();
        },
        close: async () => undefined,
        hold() {
          isHeld = true;
        },
        release() {
          isHeld = false;
          for (const received of waiting.splice(0)) deliver(received);
        },
        lose(lost) {
          isLost = lost;
        },
        disconnect() {
          isConnected = false;
        },
        connect() {
          isConnected = true;
          for (const listener of connectListeners) listener();
        },
      };
    },
  };
}
