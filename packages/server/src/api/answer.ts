/** A complete HTTP response. Only `respond.ts` makes them. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In pieces when it is too long for one text. */
  readonly body: string | AsyncIterable<Uint8Array>;
  /** Aborts when the service stops: a body in pieces whose client has no room for the next piece is then cut. */
  readonly cutAt?: AbortSignal;
}
