import { CannotStart, SETTINGS, type Settings } from "@propgate/base";

/** The address of a host of the network, and the key that every call to it has. */
export interface UpstreamAccess {
  readonly url: string;
  readonly key: string;
}

/** The settings of the Vanta validator and its gateway. */
export interface VantaSettings {
  readonly validator: UpstreamAccess;
  readonly gateway: UpstreamAccess;
  /** The hotkey of the entity whose subaccounts can be linked. */
  readonly entity: string;
}

const NEEDED = ["networkUrl", "gatewayUrl", "networkEntity", "networkKey"] as const;

/**
 * The settings of the Vanta validator; null when the service runs without one.
 * @throws CannotStart naming every setting that is missing
 */
export function vantaSettings(settings: Settings): VantaSettings | null {
  if (settings.network !== "vanta") return null;
  const { networkUrl, gatewayUrl, networkEntity: entity, networkKey, gatewayKey } = settings;
  if (networkUrl === null || gatewayUrl === null || entity === null || networkKey === null) {
    const missing = NEEDED.filter((name) => settings[name] === null).map(variableOf);
    throw new CannotStart(`PROPGATE_NETWORK is vanta, which also needs ${missing.join(", ")}`, {
      fix: `Set ${missing.join(", ")}, or PROPGATE_NETWORK=embedded.`,
    });
  }
  return {
    validator: { url: networkUrl, key: networkKey },
    gateway: { url: gatewayUrl, key: gatewayKey ?? networkKey },
    entity,
  };
}

/** The variable to name in an error. For a key, it is the one with the key's file. */
function variableOf(name: (typeof NEEDED)[number]): string {
  const { variable, fileVariable } = SETTINGS[name];
  return fileVariable ?? variable;
}
