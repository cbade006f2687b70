/** The name of a job that runs once for each database; the first one, mostly the only one, has no number. */
export function jobName(name: string, database: number): string {
  return database === 0 ? name : `${name}, database ${database}`;
}
