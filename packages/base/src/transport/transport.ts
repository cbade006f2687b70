/** A message from another node. */
export interface ReceivedMessage {
  readonly subject: string;
  readonly content: Uint8Array;
}

/** Carries messages between nodes. Each message arrives at most once, and those of one sender arrive in order. */
export interface Transport {
  /** True while messages can be sent. */
  readonly isConnected: boolean;
  /** Sends a message without waiting; drops it while the transport is not connected. */
  send(subject: string, content: string): void;
  /** Calls `listener` with each message whose subject matches, until `close`. A `*` in `subject` matches one word. */
  subscribe(subject: string, listener: (message: ReceivedMessage) => void): void;
  /** Calls the listener after every connection, including the first one; immediately when already connected. */
  onConnect(listener: () => void): void;
  close(): Promise<void>;
}
