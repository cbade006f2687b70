import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { PushAccess } from "./push-access.ts";
import type { PushForm, PushIntake } from "./push-intake.ts";
import {
  answerPush,
  type PushHttpExchange,
  type PushRefusal,
  refusePush,
  UNAUTHORIZED,
} from "./push-refusal.ts";
import { createPushTally, type PushTally } from "./push-tally.ts";

export const PUSH_PATH = "/prices/v1/quotes";

/** The limits of one request. */
const PUSH_LIMITS = {
  /** The maximum number of bytes of a JSON body with a bearer token. NDJSON is a stream without a limit. */
  jsonBytesMax: 8 * 1_024 * 1_024,
  /** The maximum number of bytes of a signed body, which is kept until its end. */
  signedBytesMax: 1_024 * 1_024,
  /** The time in which a JSON body or a signed body must arrive, in milliseconds. */
  bodyMs: 30_000,
} as const;

const FORMS: Readonly<Record<string, PushForm>> = {
  "application/json": "json",
  "application/x-ndjson": "ndjson",
  "application/ndjson": "ndjson",
  "application/jsonl": "ndjson",
};

const TOO_LARGE: PushRefusal = {
  status: 413,
  message: "the body is too large: send fewer quotes, or NDJSON with a bearer token",
};

/** The parts of the source that requests use. */
export interface PushServices {
  readonly access: PushAccess;
  readonly intake: PushIntake;
  /** Called for each client without the right token or signature. */
  readonly unauthorized: () => void;
  /** Called with an unexpected error of this service. */
  readonly failed: (cause: unknown) => void;
}

/** Answers one request with quotes. */
export async function servePush(exchange: PushHttpExchange, services: PushServices): Promise<void> {
  const { request } = exchange;
  const form = formOf(request);
  const refusal = typeof form === "string" ? null : form;
  const isSigned = services.access.isSigned(request);
  if (!isSigned && !services.access.isBearer(request)) {
    services.unauthorized();
    refusePush(exchange, UNAUTHORIZED);
  } else if (refusal !== null) refusePush(exchange, refusal);
  else if (typeof form === "string") {
    if (isSigned) await serveSigned(exchange, services, form);
    else await serveBearer(exchange, services, form);
  }
}

/** The form of the body, or why the request is refused. */
function formOf({ headers, method, url }: IncomingMessage): PushForm | PushRefusal {
  if (url !== PUSH_PATH) return { status: 404, message: `quotes go to POST ${PUSH_PATH}` };
  if (method !== "POST") return { status: 405, message: `use POST, not ${method}` };
  return pushForm(headers);
}

/** The form that the headers of a request name, or a refusal of a form that the service does not support. */
export function pushForm(
  headers: Pick<IncomingHttpHeaders, "content-encoding" | "content-type">,
): PushForm | PushRefusal {
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity")
    return { status: 415, message: "compressed bodies are not accepted: omit Content-Encoding" };
  const [type = ""] = (headers["content-type"] ?? "").toLowerCase().split(";");
  const form = FORMS[type.trim()];
  return (
    form ?? {
      status: 415,
      message: "Content-Type must be application/json or application/x-ndjson",
    }
  );
}

/** Takes each quote as it arrives. The quotes count even when the client never reads the answer. */
async function serveBearer(
  exchange: PushHttpExchange,
  { intake }: PushServices,
  form: PushForm,
): Promise<void> {
  const tally = createPushTally();
  const texts = intake.read(form, tally);
  const isBounded = form === "json";
  const received = await receiveBody(exchange, {
    bytesMax: isBounded ? PUSH_LIMITS.jsonBytesMax : Number.POSITIVE_INFINITY,
    isTimed: isBounded,
    take: (piece) => texts.write(piece),
  });
  if (received === "tooLarge") refusePush(exchange, TOO_LARGE);
  if (received !== "complete") return;
  texts.end();
  answerTally(exchange, tally);
}

/** Keeps the whole body, because its signature must be checked before its first quote is taken. */
async function serveSigned(
  exchange: PushHttpExchange,
  services: PushServices,
  form: PushForm,
): Promise<void> {
  const pieces: Buffer[] = [];
  const received = await receiveBody(exchange, {
    bytesMax: PUSH_LIMITS.signedBytesMax,
    isTimed: true,
    take: (piece) => pieces.push(piece),
  });
  if (received === "tooLarge") refusePush(exchange, TOO_LARGE);
  if (received !== "complete") return;
  const body = Buffer.concat(pieces);
  const problem = services.access.signedRequestProblem(exchange.request, body);
  if (problem !== null) {
    services.unauthorized();
    refusePush(exchange, { status: 401, message: problem });
    return;
  }
  const tally = createPushTally();
  const splitter = services.intake.read(form, tally);
  splitter.write(body);
  splitter.end();
  answerTally(exchange, tally);
}

/** Answers with the counts of the request's quotes: 200, or 400 when no quote was taken. */
function answerTally({ response }: PushHttpExchange, tally: PushTally): void {
  answerPush(response, tally.taken > 0 ? 200 : 400, tally.answer());
}

type Received = "complete" | "tooLarge" | "cutOff";

/** Reads the body chunk by chunk. The socket is paused while a chunk is processed, so no unread chunk is kept. */
async function receiveBody(
  { request, timer }: PushHttpExchange,
  options: {
    readonly bytesMax: number;
    readonly isTimed: boolean;
    readonly take: (piece: Buffer) => void;
  },
): Promise<Received> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > options.bytesMax) return "tooLarge";
  const cancel = options.isTimed
    ? timer.after(PUSH_LIMITS.bodyMs, () => request.destroy())
    : () => undefined;
  let bytes = 0;
  try {
    for await (const piece of pieces(request)) {
      bytes += piece.length;
      if (bytes > options.bytesMax) return "tooLarge";
      options.take(piece);
    }
    return "complete";
  } catch (cause) {
    if (!request.destroyed) throw cause;
    // The client is gone, so no answer is needed.
    return "cutOff";
  } finally {
    cancel();
  }
}

/** The chunks of the body. The request stays open when reading stops early, so that it can still be answered. */
function pieces(request: IncomingMessage): AsyncIterable<Buffer> {
  return request.iterator({ destroyOnReturn: false });
}
