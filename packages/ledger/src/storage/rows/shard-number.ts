import { fromBase62, toBase62 } from "@propgate/contract";
import { type AccountId, accountId } from "@propgate/core";

/** The number of an account's database; 0 is the first one. New ids name any other database. */
const OTHER_DATABASE = /^[0-9a-f]{8}-[0-9a-f]{4}-8([0-9a-f]{3})-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** 20 random characters and two of the number, which ids of the first database do not have. */
const KEY_ON_OTHER = /^pk_[0-9A-Za-z]{20}([0-9A-Za-z]{2})$/;
const NUMBER_DIGITS = 2; // 62 ** 2 is far above the most databases

/** By the account's id: 12 bits behind the version digit of a UUID v8; 0 for every other id. */
export function shardNumberOf(account: AccountId): number {
  // Almost every id of an installation with one database is a v4.
  if (account.charCodeAt(14) !== VERSION_8) return 0;
  const found = OTHER_DATABASE.exec(account)?.[1];
  return found === undefined ? 0 : Number.parseInt(found, 16);
}

const VERSION_8 = "8".charCodeAt(0);

/** By the key's id: its last two digits of base 62 when it has 22 characters; 0 for every other id. */
export function shardNumberOfKey(keyId: string): number {
  const found = KEY_ON_OTHER.exec(keyId)?.[1];
  return found === undefined ? 0 : fromBase62(found);
}

/** The id of an account on this database, from a random UUID v4. */
export function accountIdOn(database: number, uuid: string): AccountId {
  if (database === 0) return accountId(uuid);
  const number = database.toString(16).padStart(3, "0");
  return accountId(`${uuid.slice(0, 14)}8${number}${uuid.slice(18)}`);
}

/** The id of a key on this database, from 20 random letters and digits. @rule D8.keys decides */
export function keyIdOn(database: number, random: string): string {
  return database === 0 ? `pk_${random}` : `pk_${random}${toBase62(database, NUMBER_DIGITS)}`;
}
