import { fromBase62, toBase62 } from "@propgate/contract";
import { type AccountId, accountId } from "@propgate/core";

/** An account id that names a database other than the first, which has number 0. */
const OTHER_DATABASE = /^[0-9a-f]{8}-[0-9a-f]{4}-8([0-9a-f]{3})-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** A key id that names a database other than the first: two digits of the number follow the 20 random characters. */
const KEY_ON_OTHER = /^pk_[0-9A-Za-z]{20}([0-9A-Za-z]{2})$/;
const NUMBER_DIGITS = 2; // 62 ** 2 is far above the maximum number of databases

/** The number of the account's database: the 12 bits behind the version digit of a UUID v8; 0 for every other id. */
export function shardNumberOf(account: AccountId): number {
  // A shortcut for the ids of the first database, almost all of which are UUIDs v4.
  if (account.charCodeAt(14) !== VERSION_8) return 0;
  const found = OTHER_DATABASE.exec(account)?.[1];
  return found === undefined ? 0 : Number.parseInt(found, 16);
}

const VERSION_8 = "8".charCodeAt(0);

/**
 * The number of the key's database: the last two digits, in base 62, of an id with 22 characters; 0 for every other id.
 */
export function shardNumberOfKey(keyId: string): number {
  const found = KEY_ON_OTHER.exec(keyId)?.[1];
  return found === undefined ? 0 : fromBase62(found);
}

/** The id of an account on this database, from a random UUID v4. */
export function accountIdOnShard(database: number, uuid: string): AccountId {
  if (database === 0) return accountId(uuid);
  const number = database.toString(16).padStart(3, "0");
  return accountId(`${uuid.slice(0, 14)}8${number}${uuid.slice(18)}`);
}

/**
 * The id of a key on this database: `pk_` and 20 random letters and digits. On a database other than the first, the two
 * characters of its number follow. @rule D8.keys decides
 */
export function keyIdOnShard(database: number, random: string): string {
  return database === 0 ? `pk_${random}` : `pk_${random}${toBase62(database, NUMBER_DIGITS)}`;
}
