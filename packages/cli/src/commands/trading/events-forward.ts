import { eventCursor, type Linked } from "@propgate/contract";
import type { AccountEvent } from "@propgate/sdk";
import type { AttemptConsequence, DeliveryResult } from "@propgate/server";
import type { Command } from "commander";
import { CliError, EXIT, usageError } from "../../cli-error.ts";
import { printResult } from "../../output.ts";
import {
  addConnectionOptions,
  type ConnectionOptions,
  readCredentials,
} from "../../profile/connection.ts";
import type { Terminal } from "../../terminal.ts";
import { openTradingService, type TradingService } from "../../trading/service.ts";
import { HEAD_QUERY } from "./events-tail.ts";

interface ForwardOptions extends ConnectionOptions {
  readonly to: string;
  readonly secret?: string;
}

/** `propgate events forward` and `events replay`: deliver events to an address as a webhook of the service does. */
export function addEventsForward(events: Command, terminal: Terminal): void {
  const forward = forwardCommand(events, "forward")
    .summary("deliver the events to an address as a webhook does")
    .description(
      "Deliver each event to an address as a webhook of the service does, from now on, until Ctrl-C. " +
        "Any http or https address is called. One that takes no event in four attempts ends the command.",
    );
  forward.action(async () => {
    const options = forward.optsWithGlobals<ForwardOptions>();
    await deliverAll(terminal, options, {
      begin: async (service) => {
        const { head } = await service.events(HEAD_QUERY);
        return eventCursor(head.sequence, head.hash);
      },
    });
  });
  const replay = forwardCommand(events, "replay")
    .summary("deliver past events to an address as a webhook does")
    .description(
      "Deliver the events after a cursor up to the newest one, as `events forward` does.",
    )
    .requiredOption("--from <cursor>", "the cursor or sequence before the first one; 0 for all");
  replay.action(async () => {
    const options = replay.optsWithGlobals<ForwardOptions & { readonly from: string }>();
    const { from } = options;
    if (!/^\d+(-[0-9a-f]{32})?$/.test(from)) {
      throw usageError(`--from must be a cursor or a sequence, not ${from}`);
    }
    await deliverAll(terminal, options, { begin: async () => from, until: "head" });
  });
}

function forwardCommand(events: Command, name: string): Command {
  return addConnectionOptions(events.command(name))
    .requiredOption("--to <url>", "the receiver's address")
    .option("--secret <whsec>", "the secret that signs; without it one is made and printed");
}

interface DeliveryRange {
  /** Finds the cursor after which the delivery begins. */
  readonly begin: (service: TradingService) => Promise<string>;
  /**
   * With `head`, the delivery ends at the head of the journal. Without it, the delivery goes on until a signal stops
   * the command. In both cases a failure ends it.
   */
  readonly until?: "head";
}

async function deliverAll(
  terminal: Terminal,
  options: ForwardOptions,
  { begin, ...until }: DeliveryRange,
): Promise<void> {
  if (options.csv === true) throw usageError("a delivery has no --csv; use --json");
  const url = readAddress(options.to);
  const server = await import("@propgate/server");
  const { secret = server.generateWebhookSecret(server.systemChance) } = options;
  if (!server.isWebhookSecret(secret)) throw usageError("--secret must be whsec_ and base64");
  const credentials = await readCredentials(terminal, options);
  const service = openTradingService(credentials, () => terminal.now());
  const { accountId } = await service.account();
  let after = await begin(service);
  if (options.secret === undefined) terminal.error(`The secret is ${secret}\n`);

  const stop = new AbortController();
  const sender = server.createWebhookSender({
    rules: null,
    clock: server.systemClock,
    stopwatch: server.systemStopwatch,
    timer: server.systemTimer,
    ownListeners: () => [],
  });
  const stopped = terminal.untilStopped().then(async () => {
    stop.abort();
    await sender.close();
  });
  const receiver: Receiver = {
    afterAttempt: (result, attempts) => server.judgeAttempt(result, attempts, server.systemChance),
    send: (event, body) => sender.send({ url, id: event.id, body, secrets: [secret], sign: null }),
    async wait(ms) {
      const endMs = terminal.now() + ms;
      while (!stop.signal.aborted && terminal.now() < endMs) {
        const stepMs = Math.min(STEP_MS, endMs - terminal.now());
        await Promise.race([terminal.wait(stepMs), stopped]);
      }
    },
    signal: stop.signal,
    show: (attempt) => printResult(terminal, options, { value: attempt, lines: [lineOf(attempt)] }),
  };
  try {
    let previous: number | null = null;
    for await (const event of service.eventStream({ after }, { ...until, signal: stop.signal })) {
      const body = server.webhookBody(event, {
        accountId,
        ownerId: null,
        externalId: null,
        previous,
      });
      if (!(await deliver(receiver, { event, body, after, url }))) return;
      ({ sequence: previous, cursor: after } = event);
    }
  } finally {
    await sender.close();
  }
}

/**
 * The command makes only the first attempts of the service's schedule of retries, because the later ones are more than
 * half an hour apart.
 */
const ATTEMPTS_MAX = 4;
/** A wait consists of steps of this length, so that it keeps the process alive for at most one step after a stop. */
const STEP_MS = 1_000;

interface Attempt extends Pick<DeliveryResult, "status" | "error" | "latencyMs"> {
  readonly sequence: number;
  readonly type: string;
  readonly attempt: number;
}

interface Receiver {
  readonly send: (event: AccountEvent<Linked>, body: string) => Promise<DeliveryResult>;
  readonly afterAttempt: (result: DeliveryResult, attempts: number) => AttemptConsequence;
  readonly wait: (ms: number) => Promise<void>;
  /** Aborts when the command is stopped. */
  readonly signal: AbortSignal;
  readonly show: (attempt: Attempt) => void;
}

/** An event that is being delivered. */
interface Delivery {
  readonly event: AccountEvent<Linked>;
  readonly body: string;
  /** The cursor of the previous event, after which a failed delivery can be continued. */
  readonly after: string;
  readonly url: string;
}

/**
 * Delivers one event. True when the receiver has accepted the event, false when the command was stopped before that.
 * Throws when the receiver does not accept it.
 */
async function deliver(receiver: Receiver, delivery: Delivery): Promise<boolean> {
  const { event, body } = delivery;
  const { sequence, type } = event;
  for (let attempt = 1; ; attempt += 1) {
    const result = await receiver.send(event, body);
    const { status, error, latencyMs } = result;
    if (receiver.signal.aborted && status === null) return false;
    receiver.show({ sequence, type, attempt, status, error, latencyMs });
    const after = receiver.afterAttempt(result, attempt);
    if (after.is === "taken") return true;
    if (after.is !== "again" || attempt === ATTEMPTS_MAX)
      throw notDeliveredError(delivery, result, after);
    await receiver.wait(after.waitMs);
    if (receiver.signal.aborted) return false;
  }
}

function notDeliveredError(
  { event: { sequence }, after, url }: Delivery,
  { status, error }: DeliveryResult,
  { is }: AttemptConsequence,
): CliError {
  return new CliError({
    message: `${url} does not take event ${sequence}: ${status ?? error}`,
    fix: `Nothing was skipped. Go on with: propgate events replay --from ${after} --to ${url}`,
    exitCode: is === "gone" ? EXIT.refused : EXIT.unreachable,
  });
}

function readAddress(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw usageError(`--to must be an address with http or https, not ${text}`);
  }
  // A delivery is sent without the credentials of the URL, so a receiver that needs them would reject every event.
  if (url.username !== "" || url.password !== "") {
    throw usageError("--to must be an address without a user name and a password");
  }
  return url.href;
}

function lineOf({ sequence, type, attempt, status, error, latencyMs }: Attempt): string {
  const again = attempt === 1 ? "" : `  attempt ${attempt}`;
  return `${sequence}  ${type}  ${status ?? error}  ${latencyMs} ms${again}`;
}
