/** The SQL condition of lines whose event puts an account on a program. An index has the same condition. */
export const SETS_PROGRAM_SQL = `(event like '{"type":"accountOpened"%' or event like '{"type":"proStarted"%')`;

/** The SQL expression of the program on which a line of `SETS_PROGRAM_SQL` puts its account. */
export const PROGRAM_ID_SQL = `substring(event from '"programId":"([^"]*)"')`;

/**
 * The SQL expression of the program that an account is on after the line `seq`; null before its first line. Both
 * parameters are SQL too.
 */
export function programAfterLineSql(account: string, seq: string): string {
  return `(
  select ${PROGRAM_ID_SQL} from journal
  where account_id = ${account} and seq <= ${seq} and ${SETS_PROGRAM_SQL} order by seq desc limit 1)`;
}
