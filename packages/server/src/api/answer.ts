/** A complete HTTP response. Only `respond.ts` makes them. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** An iterable of chunks for a stream, and for a body that is too long for one text. */
  readonly body: string | AsyncIterable<Uint8Array>;
  /** Aborts when the service stops. A streamed body is then cut off if its client does not read it. */
  readonly cutAt?: AbortSignal;
}
