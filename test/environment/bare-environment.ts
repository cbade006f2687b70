/**
 * The variables of a program that a test starts: the path, and the folder of Node's compiled files, without which each
 * start compiles the whole service.
 */
export function bareEnvironment(): Readonly<Record<string, string | undefined>> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
}
