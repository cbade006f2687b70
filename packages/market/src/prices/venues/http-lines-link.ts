import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LinkReports, OpenLink } from "./link.ts";

export interface HttpLinesOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The reason of a status other than 200, in words without secrets. `body` is the beginning of the answer. */
  readonly refused: (status: number, body: string) => string;
}

const LINE_LENGTH_MAX = 64 * 1_024;
const REFUSAL_LENGTH_MAX = 2 * 1_024;

/**
 * Links to a venue over an HTTP response that never ends, with one message in each line. Only the unfinished line is
 * kept in memory. A busy process leaves unread bytes in the socket, which slows the venue down.
 */
export function createHttpLinesLink(options: HttpLinesOptions): OpenLink<string> {
  return (reports) => {
    let isClosing = false;
    let isEnded = false;
    const request = begin(options);
    const end = (reason: string): void => {
      if (isEnded) return;
      isEnded = true;
      if (!isClosing) reports.ended(reason);
    };
    request.on("error", (error) => end(error.message));
    request.on("response", (response) => {
      response.on("error", (error) => end(error.message));
      if (response.statusCode === 200) readLines(response, { reports, end });
      else readRefusal(response, { options, end });
    });
    const released = new Promise<void>((resolve) => request.once("close", () => resolve()));
    request.once("close", () => end("closed by the venue"));
    request.end();
    return {
      // An HTTP stream has no way to send to the venue.
      send() {},
      close() {
        isClosing = true;
        request.destroy();
        return released;
      },
    };
  };
}

function begin({ url, headers }: HttpLinesOptions): ClientRequest {
  const open = new URL(url).protocol === "https:" ? httpsRequest : httpRequest;
  // Without an agent the socket ends with its stream.
  return open(url, { headers: { "accept-encoding": "identity", ...headers }, agent: false });
}

function readLines(
  response: IncomingMessage,
  { reports, end }: { readonly reports: LinkReports<string>; readonly end: (why: string) => void },
): void {
  let rest = "";
  reports.opened();
  response.setEncoding("utf8");
  response.on("data", (piece: string) => {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (line.trim() === "") reports.alive();
      else reports.message(line, line.length);
    }
    if (rest.length <= LINE_LENGTH_MAX) return;
    end("a line is too long");
    response.destroy();
  });
  response.on("end", () => end("closed by the venue"));
}

function readRefusal(
  response: IncomingMessage,
  { options, end }: { readonly options: HttpLinesOptions; readonly end: (why: string) => void },
): void {
  let body = "";
  const { statusCode = 0 } = response;
  const finish = (): void => {
    end(options.refused(statusCode, body.slice(0, REFUSAL_LENGTH_MAX)));
    response.destroy();
  };
  response.setEncoding("utf8");
  response.on("data", (piece: string) => {
    body += piece;
    if (body.length >= REFUSAL_LENGTH_MAX) finish();
  });
  response.on("end", finish);
}
