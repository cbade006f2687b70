import { ccxtError, type Desk } from "./ccxt-module.ts";

/**
 * The body of an answer. The time limit of ccxt ends with the headers, and a body that is cut is no error of ccxt. So a
 * body has the time limit of a request too, and a cut one is a NetworkError, after which the fate of an order is open.
 * @rule S4.2.notIdempotent
 */
export async function wholeBody(desk: Desk, of: string, body: Promise<string>): Promise<string> {
  const { timeout } = desk.exchange;
  let end = (): void => {};
  const late = new Promise<never>((_, reject) => {
    const error = ccxtError(desk, "RequestTimeout", `${of} request timed out (${timeout} ms)`);
    const timer = setTimeout(reject, timeout, error);
    end = () => clearTimeout(timer);
  });
  try {
    return await Promise.race([body, late]);
  } catch (cause) {
    if (cause instanceof desk.ccxt.BaseError) throw cause;
    throw Object.assign(ccxtError(desk, "NetworkError", `${of} was cut: ${String(cause)}`), {
      cause,
    });
  } finally {
    end();
  }
}
