import { readSettings, startService } from "@propgate/server";

/**
 * Runs the real service in its own process. The first argument is the number of milliseconds that it waits for an
 * order's answer.
 */
const callMs = Number(process.argv[2]);
const reading = readSettings();
if (!reading.ok) throw new Error(reading.problems.join("; "));
await startService(reading.settings, {
  // In this proof faults follow each other, so pauses as long as in production would fill most of the run.
  upstreamLimits: { pausesMs: [100, 200, 400] },
  orderTimes: {
    callMs,
    // This is longer than a busy machine can delay an order that reaches the validator late.
    resolveMs: 2_500,
    firstCheckMs: 100,
    lastCheckMs: 1_000,
    overdueCheckMs: 2_000,
    leaseMs: 2_000,
    drainMs: 1_000,
  },
});
