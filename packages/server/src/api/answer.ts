/** A complete HTTP response. Only `respond.ts` makes them. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
