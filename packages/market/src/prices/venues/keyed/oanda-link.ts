import { createVenueFetch } from "../ccxt/ccxt-fetch.ts";
import { memberOf } from "../ccxt/member-of.ts";
import { createHttpLinesLink } from "../http-lines-link.ts";
import type { Link, OpenLink } from "../link.ts";

export interface OandaLinkOptions {
  /** The address of the account at the host for requests, and at the host for streams. */
  readonly requestsUrl: string;
  readonly streamsUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  /** OANDA's names of the instruments to stream. */
  readonly instruments: readonly string[];
  /** The reason of a status other than 200, in words without secrets. */
  readonly refused: (status: number, body: string) => string;
  /** Called before each stream with the instruments that the account does not have. */
  readonly onMissing: (missing: readonly string[]) => void;
}

/**
 * Links to OANDA over its stream of prices. It streams only the instruments that the account has, because OANDA rejects
 * a stream that names another one. https://developer.oanda.com/rest-live-v20/account-ep/
 */
export function createOandaLink(options: OandaLinkOptions): OpenLink<string> {
  const { streamsUrl, headers, instruments, refused, onMissing } = options;
  return (reports) => {
    const ending = new AbortController();
    let stream: Link | null = null;
    const begin = async (): Promise<void> => {
      try {
        const had = await accountInstruments(options, ending.signal);
        if (ending.signal.aborted) return;
        const streamed = instruments.filter((name) => had.has(name));
        onMissing(instruments.filter((name) => !had.has(name)));
        if (streamed.length === 0) throw new Error("the account has none of the instruments");
        const query = new URLSearchParams({ instruments: streamed.join(","), snapshot: "true" });
        const url = `${streamsUrl}/pricing/stream?${query.toString()}`;
        stream = createHttpLinesLink({ url, headers, refused })(reports);
      } catch (cause) {
        if (!ending.signal.aborted) reports.ended(reasonOf(cause));
      }
    };
    const begun = begin();
    return {
      // An HTTP stream has no way to send to the venue.
      send() {},
      async close() {
        ending.abort();
        await begun;
        await stream?.close();
      },
    };
  };
}

/** The names of the instruments that the account has. Throws an error whose message has no secrets. */
async function accountInstruments(
  { requestsUrl, headers, refused }: OandaLinkOptions,
  signal: AbortSignal,
): Promise<ReadonlySet<unknown>> {
  const url = `${requestsUrl}/instruments`;
  const answer = await createVenueFetch(new Set([new URL(url).host]), signal)(url, { headers });
  const body = await answer.text();
  if (answer.status !== 200) throw new Error(refused(answer.status, body));
  const listed = memberOf(JSON.parse(body), "instruments");
  if (!Array.isArray(listed)) throw new Error("the venue's list of instruments is not readable");
  return new Set(listed.map((one: unknown) => memberOf(one, "name")));
}

/**
 * The reason of an error in words. For a failed connection it is the cause, because `fetch` itself reports only "fetch
 * failed".
 */
function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return "the venue's list of instruments is not readable";
  if (!(error instanceof Error)) return "the venue's list of instruments could not be read";
  return error.cause instanceof Error ? error.cause.message : error.message;
}
