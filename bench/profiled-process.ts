import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";

/**
 * The service of `service-process.ts` with a profiler. A first SIGUSR2 starts a profile; the next one ends it and
 * writes it as JSON to the file in `PROPGATE_BENCH_PROFILE`.
 */
await import("./service-process.ts");
const session = new Session();
session.connect();
await session.post("Profiler.enable");
const INTERVAL_MICROSECONDS = 200;
await session.post("Profiler.setSamplingInterval", { interval: INTERVAL_MICROSECONDS });
let isRunning = false;
process.on("SIGUSR2", () => void turn());

async function turn(): Promise<void> {
  isRunning = !isRunning;
  if (isRunning) {
    await session.post("Profiler.start");
    return;
  }
  const { profile } = await session.post("Profiler.stop");
  writeFileSync(process.env.PROPGATE_BENCH_PROFILE ?? "", JSON.stringify(profile));
}
