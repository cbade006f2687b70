/**
 * The variables for a program that a test starts: the path; the folder of Node's compile cache, without which each
 * start compiles the whole service; and the run's temporary folder, by which the end of the run finds processes that
 * are left.
 */
export function bareEnvironment(): Readonly<Record<string, string>> {
  const { PATH, NODE_COMPILE_CACHE, TMPDIR } = process.env;
  const given = Object.entries({ PATH, NODE_COMPILE_CACHE, TMPDIR });
  return Object.fromEntries(given.flatMap(([name, value]) => (value ? [[name, value]] : [])));
}
