import type { Clock, Timer } from "@propgate/base";
import {
  createGatewayClient,
  createTextCleaner,
  createValidatorClient,
  type OrderTimes,
  type UpstreamLimits,
} from "@propgate/vanta";
import { composeVanta, type VantaUpstream } from "./compose-vanta.ts";
import type { VantaSettings } from "./vanta-settings.ts";

/** Makes the clients of the validator and the gateway. They send no request yet. @throws CannotStart */
export function openVanta(
  { validator, gateway, entity }: VantaSettings,
  {
    clock,
    timer,
    orderTimes = {},
    upstreamLimits: limits = {},
  }: {
    readonly clock: Clock;
    readonly timer: Timer;
    readonly orderTimes?: Partial<OrderTimes> | undefined;
    readonly upstreamLimits?: Partial<UpstreamLimits> | undefined;
  },
): VantaUpstream {
  const clients = {
    validator: createValidatorClient({ ...validator, clock, timer, limits }),
    gateway: createGatewayClient({ ...gateway, clock, timer, limits }),
  };
  const cleaners = [validator, gateway].map(({ url, key }) => {
    const { host, hostname } = new URL(url);
    return createTextCleaner({ key, hosts: [host, hostname] });
  });
  const upstream: VantaUpstream = {
    entity,
    orderTimes,
    ...clients,
    clean: (text) => cleaners.reduce((left, cleaner) => cleaner.cleanUpstreamText(left), text),
    compose: (options) => composeVanta({ ...options, upstream }),
    close() {
      clients.validator.close();
      clients.gateway.close();
    },
  };
  return upstream;
}
