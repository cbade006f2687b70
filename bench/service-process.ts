import { readSettings, startService } from "@propgate/server";

/** The real service as a process of its own; the first argument is the most commands of one transaction. */
const batchMax = Number(process.argv[2] ?? "0");
const reading = readSettings();
if (!reading.ok) throw new Error(reading.problems.join("; "));
const service = await startService(reading.settings, batchMax > 0 ? { batchMax } : {});
process.stdout.write(`${service.baseUrl}\n`);
