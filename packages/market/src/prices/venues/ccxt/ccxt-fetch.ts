/** The maximum number of bytes of an answer. A larger one is not read to its end. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Makes the `fetch` of an exchange. It reaches only the venue's own hosts, follows no redirect, ends with `signal`, and
 * limits the size of answers.
 */
export function createVenueFetch(hosts: ReadonlySet<string>, signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (!hosts.has(url.host)) throw new TypeError(`${url.host} is not an address of this venue`);
    const headers = new Headers(init?.headers);
    // Markets are loaded rarely, so no idle connection is worth keeping.
    headers.set("connection", "close");
    const signals = [signal, init?.signal].filter((one) => one instanceof AbortSignal);
    const answer = await fetch(url, {
      method: init?.method ?? "GET",
      headers,
      body: init?.body ?? null,
      redirect: "error",
      signal: AbortSignal.any(signals),
    });
    return limitAnswer(answer);
  };
}

function limitAnswer(answer: Response): Response {
  let bytes = 0;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > ANSWER_BYTES_MAX) controller.error(new TypeError("the answer is too large"));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = answer;
  return new Response(answer.body?.pipeThrough(limit) ?? null, { status, statusText, headers });
}
