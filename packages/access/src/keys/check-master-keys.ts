import { createHmac } from "node:crypto";
import { CannotStart, FIRST_KEY_VERSION, type MasterKeys } from "@propgate/base";
import { createSettingStore, type Database } from "@propgate/ledger";
import { createKeyStore } from "../storage/key-store.ts";
import type { SecretBox } from "./seal-secret.ts";

const FINGERPRINT = "master.key.";

/** How many secrets are tried. One that does not open may be damaged; the right key opens at least one of 20. */
const SECRETS_TRIED = 20;

/**
 * Compares each version of the master key with the key that this database was first used with, so that a wrong key
 * fails the start and not every request. Records new versions.
 * @throws CannotStart when the key of a version is not the one first used @rule D8.sealed
 */
export async function checkMasterKeys(options: {
  readonly database: Database;
  readonly masterKeys: MasterKeys;
  readonly box: SecretBox;
}): Promise<void> {
  const settings = createSettingStore(options.database);
  for (const [version, key] of options.masterKeys.byVersion) {
    const name = `${FINGERPRINT}${version}`;
    const mine = createHmac("sha256", key).update("propgate master key").digest("hex");
    const known = (await settings.get(name)) ?? (await firstSeen(version));
    if (known !== mine) throw otherKeyError(version);

    async function firstSeen(of: number): Promise<string> {
      // The database has no record of this key yet. Its stored secrets show whether this key sealed them.
      const sealed = await createKeyStore(options.database).findSealedWith(of, SECRETS_TRIED);
      const opens = sealed.some((one) => options.box.open(one.keyId, one.sealedSecret) !== null);
      if (sealed.length > 0 && !opens) throw otherKeyError(of);
      return settings.setOnce(name, mine);
    }
  }
}

/**
 * To be called before a master key is created. When the database was used with a master key, a new one would open none
 * of its secrets.
 * @throws CannotStart when the database was used with a master key
 */
export async function checkNeverSealed(database: Database, file: string): Promise<void> {
  const known = await createSettingStore(database).get(`${FINGERPRINT}${FIRST_KEY_VERSION}`);
  const sealed = await createKeyStore(database).countBySealVersion();
  if (known === null && sealed.size === 0) return;
  throw new CannotStart(`There is no master key in ${file}, and the database was used with one`, {
    fix: "Put the key back in that file, for its owner only, or set PROPGATE_MASTER_KEY. Another key opens none of the stored secrets.",
  });
}

function otherKeyError(version: number): CannotStart {
  return new CannotStart(
    `The master key, version ${version}, is not the one that this database was used with`,
    {
      fix: `Start with the key that this database and its other nodes have. To change it, configure the new key beside the old one as a version of its own (${version}:OLD,${version + 1}:NEW) and run propgate operator keys rekey.`,
    },
  );
}
