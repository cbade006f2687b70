import { createSecretBox } from "@propgate/access";
import {
  type Job,
  type ListenAddress,
  type Settings,
  systemClock,
  systemStopwatch,
  systemTimer,
} from "@propgate/base";
import type { AccountId, Instruments, OwnerId } from "@propgate/core";
import type { Shards } from "@propgate/ledger";
import type { ProgramDesk } from "@propgate/market";
import {
  type AddressRules,
  createEndpointDesk,
  createLaneDelivery,
  createLaneDesk,
  createWebhookLanes,
  createWebhookSender,
  createWebhookViews,
  type EndpointDesk,
  type LaneDesk,
  openWebhookStores,
  type StoredEndpoint,
  type WebhookLanes,
  type WebhookScope,
  type WebhookSender,
} from "@propgate/push";
import type { FastifyInstance } from "fastify";
import type { Engine } from "./engine.ts";
import type { Keyring } from "./keyring.ts";
import { ALWAYS_DELIVERS, type WebhookDelivery } from "./nodes/node-work.ts";
import type { ServiceOptions } from "./service.ts";

/** The addresses to which webhooks may be sent, whether this node delivers webhooks, and a wrapper of their sender. */
export interface WebhookOptions {
  /** The rules for addresses of the operator's webhooks, and for those of owners' webhooks. */
  readonly rules: Readonly<Record<WebhookScope["by"], AddressRules>>;
  /** The listeners of this process besides those of the API and the operator. No webhook may be sent to any of them. */
  readonly ownListeners: () => readonly ListenAddress[];
  /** Whether this node delivers. Absent when the process has its databases for itself, so that it always delivers. */
  readonly turn?: WebhookDelivery;
  readonly wrapSender?: (sender: WebhookSender) => WebhookSender;
}

/** The composed webhooks: their desks for operators and owners, their deliveries and their jobs. */
export interface Webhooks {
  readonly desk: EndpointDesk & LaneDesk;
  /** The webhooks that an owner has made for one account. */
  readonly deskOfOwner: (owner: OwnerId, account: AccountId) => EndpointDesk & LaneDesk;
  readonly lanes: Pick<WebhookLanes, "waitUntilSettled" | "nextRetryMs">;
  readonly jobs: readonly Job[];
  /** Cuts the deliveries under way. Their events are sent again after the next start. */
  stop(): Promise<void>;
}

const TICK_MS = 1_000;
const HOUR_MS = 3_600_000;

/** The rules of a service to which no others are passed: only public addresses, on the ports 443 and 8443. */
const PUBLIC: AddressRules = { ports: new Set([443, 8443]), allowsPrivate: false };
const PUBLIC_ONLY: WebhookOptions = {
  rules: { operator: PUBLIC, owner: PUBLIC },
  ownListeners: () => [],
};

/**
 * Composes the webhooks. Deliveries run in real time, also in a sandbox; the waits between them follow the service's
 * clock.
 */
export function composeWebhooks(
  options: Pick<
    ServiceOptions,
    "clock" | "chance" | "masterKeys" | "log" | "webhooks" | "dataLife"
  >,
  parts: {
    readonly instruments: Instruments;
    readonly databases: Shards;
    readonly engine: Pick<Engine, "executor" | "accountStore">;
    readonly programs: Pick<ProgramDesk, "list">;
    readonly keyring: Pick<Keyring, "evidence">;
    /** The listener of the API, and the operator's own listener if there is one. */
    readonly apps: readonly FastifyInstance[];
    /** Whether the database with this number fails. */
    readonly isAtFault: (database: number) => boolean;
    readonly onFault: (cause: unknown) => void;
  },
): Webhooks {
  const { clock, chance, log } = options;
  const { databases, engine, onFault } = parts;
  const {
    rules,
    ownListeners,
    turn = ALWAYS_DELIVERS,
    wrapSender,
  } = options.webhooks ?? PUBLIC_ONLY;
  const box = createSecretBox(options.masterKeys, chance);
  const openSender = (of: AddressRules): WebhookSender => {
    const plain = createWebhookSender({
      rules: of,
      clock: systemClock,
      stopwatch: systemStopwatch,
      timer: systemTimer,
      ownListeners: () => [...parts.apps.flatMap(addressesOf), ...ownListeners()],
    });
    return wrapSender?.(plain) ?? plain;
  };
  const senders = { operator: openSender(rules.operator), owner: openSender(rules.owner) };
  const senderOf = ({ ownerId }: StoredEndpoint): WebhookSender =>
    ownerId === null ? senders.operator : senders.owner;
  const { instruments, keyring, programs } = parts;
  const { evidence } = keyring;
  const sending = { senderOf, instruments, box, evidence, clock, chance };
  const common = { ...openWebhookStores(databases, parts.isAtFault), ...sending };
  // Restored data may be a copy of a service that still runs, so no event is sent before an operator has confirmed the
  // restore.
  const mayDeliver = (): boolean => turn.mayDeliver() && options.dataLife?.isReadOnly() !== true;
  const lanes = createWebhookLanes({
    ...common,
    delivery: createLaneDelivery({ ...common, log }),
    executor: engine.executor,
    steadyClock: systemStopwatch,
    mayDeliver,
    log,
    onFault,
  });
  const hasAccount = async (account: AccountId): Promise<boolean> =>
    (await engine.accountStore.find(account)) !== null;
  const hasProgram = async (id: string): Promise<boolean> =>
    (await programs.list()).some(({ program }) => program.id === id);
  const deskOf = (scope: WebhookScope): EndpointDesk & LaneDesk => {
    const views = createWebhookViews({ ...common, scope });
    const known = { hasAccount, hasProgram };
    const own = { ...common, ...known, scope, views, delivery: lanes, rules: rules[scope.by] };
    return { ...createEndpointDesk(own), ...createLaneDesk(own) };
  };
  const desk = deskOf({ by: "operator" });
  return {
    desk,
    deskOfOwner: (ownerId, accountId) => deskOf({ by: "owner", ownerId, accountId }),
    lanes,
    jobs: [
      ...turn.jobs,
      { name: "webhooks", everyMs: TICK_MS, run: () => lanes.tick() },
      { name: "old webhook attempts", everyMs: HOUR_MS, run: () => desk.deleteOldAttempts() },
    ],
    async stop() {
      await Promise.all([lanes.stop(), senders.operator.close(), senders.owner.close()]);
      await turn.stop();
    },
  };
}

/**
 * The addresses to which the settings allow webhooks. `ownListeners` does not have the actual port of a listener for
 * which the system chose a free port.
 */
export function webhookAddresses({
  webhookPorts,
  webhooksPrivate,
  metricsListen,
  pushListen,
}: Settings): Omit<WebhookOptions, "turn"> {
  const ports = new Set(webhookPorts);
  return {
    rules: {
      operator: { ports, allowsPrivate: webhooksPrivate !== "none" },
      owner: { ports, allowsPrivate: webhooksPrivate === "all" },
    },
    ownListeners: () => [metricsListen, pushListen].filter((one) => one !== null),
  };
}

/** The address of a listener; empty before it listens. */
function addressesOf({ server }: FastifyInstance): readonly ListenAddress[] {
  const address = server.address();
  return address === null || typeof address === "string"
    ? []
    : [{ host: address.address, port: address.port }];
}
