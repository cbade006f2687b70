import { type Clock, createAddressFilter, type Timer } from "@propgate/base";
import type { UnixMs } from "@propgate/core";
import { type ApiKey, isActiveKey } from "../storage/api-key.ts";
import type { KeyCache } from "./key-cache.ts";

/** A key and the client's address, as a request uses them. */
interface AddressedKey {
  readonly keyId: string;
  readonly address: string;
}

/** Why a key is not allowed any more. `address`: its list of addresses does not contain the client's. */
export type KeyEnding = "revoked" | "expired" | "paused" | "address";

/** The key of a request that waits. Meanwhile any node may revoke or pause the key, or it may expire. */
export interface KeyInUse {
  /** Calls the listener once, when the key is not allowed any more. The returned function removes the listener. */
  readonly onEnded: (listener: () => void) => () => void;
  /**
   * Whether the database has the key at this moment as neither revoked, expired nor paused, and as allowed from the
   * address.
   */
  isAllowed(): Promise<boolean>;
  /** Why the key is not allowed at this moment; null while it is. A deleted key counts as revoked. */
  ending(): Promise<KeyEnding | null>;
}

/** Watches the key of a request that waits. */
export type KeyWatch = (use: AddressedKey) => KeyInUse;

/** How often the keys of waiting requests are looked up, with one statement per database. */
const CHECK_MS = 1_000;

/** Makes a watch that looks up the keys of waiting requests, while there are any. @rule D12.waitEnds */
export function createKeyWatch(options: {
  readonly keys: Pick<KeyCache, "stored" | "forget">;
  readonly clock: Clock;
  readonly timer: Timer;
  /** Called when keys cannot be looked up. They stay allowed until they can be. */
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
  if (!isActiveKey(key, now)) return "expired";
  return createAddressFilter(key.addresses)(address) ? null : "address";
}
