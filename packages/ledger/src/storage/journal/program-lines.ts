/** The stored events that put an account on a program, which is in their terms; a part of an index. */
export const SETS_PROGRAM = `(event like '{"type":"accountOpened"%' or event like '{"type":"proStarted"%')`;

/** The program that such an event puts the account on. */
export const PROGRAM_SET = `substring(event from '"programId":"([^"]*)"')`;

/** The program that an account is on after the line `seq`, both given as SQL; null before its first line. */
export function programAfter(account: string, seq: string): string {
  return `(
  select ${PROGRAM_SET} from journal
  where account_id = ${account} and seq <= ${seq} and ${SETS_PROGRAM} order by seq desc limit 1)`;
}
