import { readSettings, startService } from "@propgate/server";

/**
 * Runs the real service in its own process; the first argument is the maximum number of commands
 * per transaction.
 */
const batchMax = Number(process.argv[2] ?? "0");
const reading = readSettings();
if (!reading.ok) throw new Error(reading.problems.join("; "));
// The first line that it prints is its address, so no warning comes before.
const settings = { ...reading.settings, logLevel: "error" } as const;
const service = await startService(settings, batchMax > 0 ? { batchMax } : {});
process.stdout.write(`${service.baseUrl}\n`);
