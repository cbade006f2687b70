import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../clock.ts";
import type { Answer } from "./answer.ts";

const MS_PER_SECOND = 1000;

/**
 * Writes an answer to the socket, with the service's own time in the Date header. A body that was
 * not read to its end closes the connection, since what is left of it cannot be told from a
 * request.
 */
export function answerSender(
  clock: Clock,
): (answer: Answer, message: IncomingMessage, response: ServerResponse) => void {
  const date = { second: Number.NaN, text: "" };
  const dateText = (): string => {
    const second = Math.floor(clock.now() / MS_PER_SECOND);
    if (second !== date.second) {
      date.second = second;
      date.text = new Date(second * MS_PER_SECOND).toUTCString();
    }
    return date.text;
  };
  return (answer, message, response) => {
    response.sendDate = false;
    const headers: Record<string, string | number> = {
      ...answer.headers,
      Date: dateText(),
      "Content-Length": Buffer.byteLength(answer.body),
    };
    if (!message.complete && hasBody(message)) headers["Connection"] = "close";
    response.writeHead(answer.status, headers);
    if (message.method === "HEAD") response.end();
    else response.end(answer.body);
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  const announced = headers["content-length"];
  return (
    headers["transfer-encoding"] !== undefined || (announced !== undefined && announced !== "0")
  );
}
