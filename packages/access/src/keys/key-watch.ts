import { addressFilter, type Clock, type Timer } from "@propgate/base";
import type { UnixMs } from "@propgate/core";
import { type ApiKey, isActive } from "../storage/api-key.ts";
import type { KeyCache } from "./key-cache.ts";

/** A key and the client's address, as a request uses them. */
interface AddressedKey {
  readonly keyId: string;
  readonly address: string;
}

/** Why a key is no longer allowed. `address`: its list of addresses no longer has the client's. */
export type KeyEnding = "revoked" | "expired" | "paused" | "address";

/** The key of a request that waits. It may end meanwhile, on any node. */
export interface KeyInUse {
  /** Calls the listener once when the key is no longer allowed; the returned function removes the listener. */
  readonly onEnded: (listener: () => void) => () => void;
  /** By the database, at this moment: neither revoked, expired nor paused, and allowed from the address. */
  isAllowed(): Promise<boolean>;
  /** The same with the reason; null while it is allowed. A deleted key counts as revoked. */
  ending(): Promise<KeyEnding | null>;
}

export type KeyWatch = (use: AddressedKey) => KeyInUse;

/** Interval at which the keys of waiting requests are looked up, in one statement for all. */
const CHECK_MS = 1_000;

/** Looks at the keys of waiting requests while there are any. @rule D12.waitEnds */
export function createKeyWatch(options: {
  readonly keys: Pick<KeyCache, "stored" | "forget">;
  readonly clock: Clock;
  readonly timer: Timer;
  /** A key that cannot be looked up stays allowed until it can. */
  readonly onFault: (cause: unknown) => void;
}): KeyWatch {
  const { keys, clock, timer, onFault } = options;
  const watched = new Set<{ readonly use: AddressedKey; readonly end: () => void }>();
  let isLooping = false;

  const ending = async (use: AddressedKey): Promise<KeyEnding | null> => {
    const ended = endingOf(await keys.stored(use.keyId), use.address, clock.now());
    if (ended !== null) keys.forget(use.keyId);
    return ended;
  };
  const check = async (): Promise<void> => {
    await Promise.all(
      [...watched].map(async ({ use, end }) => {
        if ((await ending(use)) !== null) end();
      }),
    );
  };
  const loop = (): void => {
    isLooping = watched.size > 0;
    if (!isLooping) return;
    timer.after(CHECK_MS, () => {
      check().catch(onFault).finally(loop);
    });
  };

  return (use) => ({
    onEnded(listener) {
      const mine = {
        use,
        end: () => {
          if (watched.delete(mine)) listener();
        },
      };
      watched.add(mine);
      if (!isLooping) loop();
      return () => void watched.delete(mine);
    },
    isAllowed: async () => (await ending(use)) === null,
    ending: () => ending(use),
  });
}

function endingOf(key: ApiKey | null, address: string, now: UnixMs): KeyEnding | null {
  if (key === null || key.revokedAtMs !== null) return "revoked";
  if (key.pausedAtMs !== null) return "paused";
  if (!isActive(key, now)) return "expired";
  return addressFilter(key.addresses)(address) ? null : "address";
}
