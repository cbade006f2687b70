import type {
  AddressRules,
  AttemptConsequence,
  DeliveryResult,
  WebhookAddress,
  WebhookSender,
} from "@propgate/server";
import { CliError, EXIT } from "../../cli-error.ts";

/** The functions of the service's own webhooks that this process uses to deliver events. */
export interface DeliverySender extends WebhookSender {
  readonly judgeAddress: (url: string) => WebhookAddress;
  readonly isSecret: (text: string) => boolean;
  /** The next step after an attempt. `attempts` is the number of attempts that the event has had, from 1. */
  readonly afterAttempt: (result: DeliveryResult, attempts: number) => AttemptConsequence;
  /** Calls `call` once, after `ms` milliseconds. The function that it returns cancels this. */
  readonly callAfter: (ms: number, call: () => void) => () => void;
  readonly now: () => number;
  /** A random id of 32 hexadecimal digits. */
  readonly drawId: () => string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Loads the service's webhook code and returns the sender. This happens at the first subscription, because the code
 * takes long to load.
 */
export async function openDeliverySender(environment: Environment): Promise<DeliverySender> {
  const server = await import("@propgate/server");
  const rules = await readRules(environment);
  const { systemChance: chance, systemClock: clock, systemTimer: timer } = server;
  const sender = server.createWebhookSender({
    rules,
    clock,
    stopwatch: server.systemStopwatch,
    timer,
    ownListeners: () => [],
  });
  return {
    ...sender,
    judgeAddress: (url) => server.parseWebhookAddress(url, rules),
    isSecret: server.isWebhookSecret,
    afterAttempt: (result, attempts) => server.judgeAttempt(result, attempts, chance),
    callAfter: (ms, call) => timer.after(ms, call),
    now: () => clock.now(),
    drawId: () => Buffer.from(chance.bytes(16)).toString("hex"),
  };
}

const VARIABLES = ["PROPGATE_WEBHOOKS_PORTS", "PROPGATE_WEBHOOKS_PRIVATE"] as const;

/** Checks the settings of webhook addresses when one of them is set. Otherwise the service's code is not loaded. */
export async function checkWebhookSettings(environment: Environment): Promise<void> {
  if (VARIABLES.some((variable) => (environment[variable] ?? "") !== "")) {
    await readRules(environment);
  }
}

/** The addresses that webhooks may call, by the service's settings in this process's environment. */
async function readRules(environment: Environment): Promise<AddressRules> {
  const { SETTINGS } = await import("@propgate/server");
  const { webhookPorts, webhooksPrivate } = SETTINGS;
  const ports = new Set(readSetting(webhookPorts, environment));
  return { ports, allowsPrivate: readSetting(webhooksPrivate, environment) !== "none" };
}

function readSetting<Value>(
  row: {
    readonly variable: string;
    readonly fallback: Value;
    readonly parse: (text: string) => { readonly value: Value } | { readonly problem: string };
  },
  environment: Environment,
): Value {
  const text = environment[row.variable] ?? "";
  const read = text === "" ? { value: row.fallback } : row.parse(text);
  if ("value" in read) return read.value;
  const message = `${row.variable} ${read.problem}`;
  throw new CliError({ message, fix: null, exitCode: EXIT.usage });
}
