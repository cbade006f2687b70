import { type AccountId, accountId } from "@propgate/core";

/** The number of an account's database; 0 is the first one. New ids name any other database. */
const OTHER_DATABASE = /^[0-9a-f]{8}-[0-9a-f]{4}-8([0-9a-f]{3})-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** 22 characters of random bytes and of the number, where keys of the first database have 20. */
const KEY_ON_OTHER = /^pk_[\w-]{20}([\w-]{2})$/;

/** By the account's id: 12 bits behind the version digit of a UUID v8; 0 for every other id. */
export function databaseOf(account: AccountId): number {
  // Almost every id of an installation with one database is a v4.
  if (account.charCodeAt(14) !== VERSION_8) return 0;
  const found = OTHER_DATABASE.exec(account)?.[1];
  return found === undefined ? 0 : Number.parseInt(found, 16);
}

const VERSION_8 = "8".charCodeAt(0);

/** By the key's id: its last two base64url characters when it has 22; 0 for every other id. */
export function databaseOfKey(keyId: string): number {
  const found = KEY_ON_OTHER.exec(keyId)?.[1];
  if (found === undefined) return 0;
  const [high = 0, low = 0] = Buffer.from(`${found}AA`, "base64url");
  return (high << 4) | (low >> 4);
}

/** The id of an account on this database, from a random UUID v4. */
export function accountIdOn(database: number, uuid: string): AccountId {
  if (database === 0) return accountId(uuid);
  const number = database.toString(16).padStart(3, "0");
  return accountId(`${uuid.slice(0, 14)}8${number}${uuid.slice(18)}`);
}

/** The id of a key on this database, from 20 random url-safe characters. */
export function keyIdOn(database: number, random: string): string {
  if (database === 0) return `pk_${random}`;
  const number = Buffer.from([database >> 4, (database & 15) << 4]);
  return `pk_${random}${number.toString("base64url").slice(0, 2)}`;
}
