/** The milliseconds of processor time that this process has used since `start`. */
export function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return Math.round((user + system) / 1_000);
}
