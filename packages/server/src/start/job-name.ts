/**
 * The name of a job that runs once for each database. The first database, which is usually the only one, has no number.
 */
export function jobName(name: string, database: number): string {
  return database === 0 ? name : `${name}, database ${database}`;
}
