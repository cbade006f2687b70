/** A complete HTTP response. Only `respond.ts` makes them. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** An iterable of pieces for a stream, and for a body that is too long for one text. */
  readonly body: string | AsyncIterable<Uint8Array>;
  /** Aborts when the service stops. A body in pieces is then cut if its client has no room for the next piece. */
  readonly cutAt?: AbortSignal;
}
