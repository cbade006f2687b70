import { readSettings, startService } from "@propgate/server";

/**
 * Runs the real service in its own process and prints its address. The first argument is the maximum number of commands
 * per transaction; 0 keeps the default of the service.
 */
const batchMax = Number(process.argv[2] ?? "0");
const reading = readSettings();
if (!reading.ok) throw new Error(reading.problems.join("; "));
// The address must be the first line, so no warning may be printed before it.
const settings = { ...reading.settings, logLevel: "error" } as const;
const service = await startService(settings, batchMax > 0 ? { batchMax } : {});
process.stdout.write(`${service.baseUrl}\n`);
