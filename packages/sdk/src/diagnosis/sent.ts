/** A request as it went over the wire. */
export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: Uint8Array;
  /** The value of the signature header, `v1=` included. */
  readonly signature: string;
  /** From the Host header; null when it is not known. */
  readonly host: string | null;
  /** Null when it is not known. */
  readonly keyId: string | null;
}

/** The server's view of the request, from its response headers; null for missing parts. */
export interface Seen {
  readonly target: string | null;
  readonly bodySha256: string | null;
  /** The server's clock, milliseconds since the Unix epoch. */
  readonly timeMs: number | null;
}

export type Part =
  | "method"
  | "target"
  | "timestamp"
  | "nonce"
  | "body"
  | "canonical string"
  | "secret"
  | "signature"
  | "clock";

/** One problem of a request and its remedy. */
export interface Finding {
  readonly part: Part;
  readonly problem: string;
  readonly fix: string;
}
