import type {
  AddressRules,
  AfterAttempt,
  DeliveryResult,
  WebhookAddress,
  WebhookSender,
} from "@propgate/server";
import { CliError, EXIT } from "../../cli-error.ts";

/** The service's own webhooks, as far as this process delivers with them. */
export interface Post extends WebhookSender {
  readonly judge: (url: string) => WebhookAddress;
  readonly isSecret: (text: string) => boolean;
  /** `attempts`: how many the event has had, from 1. */
  readonly afterAttempt: (result: DeliveryResult, attempts: number) => AfterAttempt;
  /** Calls once, unless the function that it returns is called before. */
  readonly after: (ms: number, call: () => void) => () => void;
  readonly now: () => number;
  /** 32 hexadecimal digits. */
  readonly drawId: () => string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Opened for the first subscription, because the service takes long to load. */
export async function openPost(environment: Environment): Promise<Post> {
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
    judge: (url) => server.parseWebhookAddress(url, rules),
    isSecret: server.isWebhookSecret,
    afterAttempt: (result, attempts) => server.afterAttempt(result, attempts, chance),
    after: (ms, call) => timer.after(ms, call),
    now: () => clock.now(),
    drawId: () => Buffer.from(chance.bytes(16)).toString("hex"),
  };
}

const VARIABLES = ["PROPGATE_WEBHOOKS_PORTS", "PROPGATE_WEBHOOKS_PRIVATE"] as const;

/** Judges the settings of addresses when one is given. Without them the service is not loaded. */
export async function checkPostSettings(environment: Environment): Promise<void> {
  if (VARIABLES.some((variable) => (environment[variable] ?? "") !== "")) {
    await readRules(environment);
  }
}

/** The rules of the service's own webhooks, by this process's environment. */
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
