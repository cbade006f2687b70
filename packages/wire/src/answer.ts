/** A complete HTTP response. Only `respond.ts` makes them. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In pieces when it is too long for one text. */
  readonly body: string | AsyncIterable<Uint8Array>;
  /** Cuts a body in pieces whose client has no room for the next one when this aborts. */
  readonly cutAt?: AbortSignal;
}
