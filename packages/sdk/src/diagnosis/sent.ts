/** A request as it went over the wire. */
export interface Sent {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly body: Uint8Array;
  /** The value of the signature header, including `v1=`. */
  readonly signature: string;
  /** The value of the `Host` header; null when it is not known. */
  readonly host: string | null;
  /** The id of the key; null when it is not known. */
  readonly keyId: string | null;
}

/** The server's view of the request, from the headers of its answer. A part that the answer does not have is null. */
export interface Seen {
  readonly target: string | null;
  readonly bodySha256: string | null;
  /** The server's clock, milliseconds since the Unix epoch. */
  readonly timeMs: number | null;
}

/** The part of a signed request that a finding is about. */
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
