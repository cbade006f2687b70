/** A whole response, ready to be sent. Only `respond.ts` makes them. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}
