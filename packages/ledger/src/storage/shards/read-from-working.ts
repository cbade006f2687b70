/**
 * The answers of the databases that work, for work that is repeated until none is left. Rejects when no database
 * answers.
 */
export async function readFromWorking<Store, Value>(
  stores: readonly Store[],
  read: (store: Store) => Promise<Value>,
): Promise<readonly Value[]> {
  const ends = await Promise.allSettled(stores.map(read));
  const answers = ends.flatMap((end) => (end.status === "fulfilled" ? [end.value] : []));
  const failed = ends.find((end) => end.status === "rejected");
  if (answers.length === 0 && failed !== undefined) throw failed.reason;
  return answers;
}
