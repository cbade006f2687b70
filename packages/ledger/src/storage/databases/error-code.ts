/** Whether the error has this code of the operating system, such as `ENOENT`. */
export function hasCode(cause: unknown, code: string): boolean {
  return cause instanceof Error && "code" in cause && cause.code === code;
}
