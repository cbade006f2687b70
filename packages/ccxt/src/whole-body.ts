import { inTime, UnreachableError } from "@propgate/sdk";
import { ccxtError, type ExchangeContext } from "./ccxt-module.ts";

/**
 * The body of an answer. The time limit of ccxt ends with the headers, and ccxt reports no error when the connection is
 * cut within the body. So the time limit of a request applies to the body too, and a body that is cut is a
 * NetworkError, after which the fate of an order is open.
 * @rule S4.2.notIdempotent
 */
export async function readWholeBody(
  context: ExchangeContext,
  of: string,
  body: Promise<string>,
): Promise<string> {
  const { timeout } = context.exchange;
  try {
    return await inTime({ signal: null, baseUrl: of }, timeout, () => body);
  } catch (cause) {
    const isLate = cause instanceof UnreachableError && cause.reason === "timeout";
    const error = isLate
      ? ccxtError(context, "RequestTimeout", `${of} request timed out (${timeout} ms)`)
      : ccxtError(context, "NetworkError", `${of} was cut in its answer`);
    throw Object.assign(error, { cause });
  }
}
