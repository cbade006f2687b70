/** A received message. */
export interface Received {
  readonly subject: string;
  readonly content: Uint8Array;
}

/** Carries messages between nodes, each at most once and those of one sender in order. */
export interface Transport {
  /** True while messages can be sent. */
  readonly isConnected: boolean;
  /** Sends without waiting; drops the message while not connected. */
  send(subject: string, content: string): void;
  /** Calls `listener` with each message of the subject, in which `*` stands for one word, until `close`. */
  receive(subject: string, listener: (message: Received) => void): void;
  /** Called with each connection, the first included. */
  onConnect(listener: () => void): void;
  close(): Promise<void>;
}
