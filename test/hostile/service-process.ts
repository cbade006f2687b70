import { readSettings, startSandbox, startService } from "@propgate/server";

/**
 * Runs the real service in its own process, or a sandbox with the argument `sandbox`. Prints a line of JSON with its
 * addresses.
 */
if (process.argv[2] === "sandbox") {
  const sandbox = await startSandbox({
    port: 0,
    startMs: null,
    seed: "hostile",
    clock: "real",
    dataDir: null,
    networkTimeoutMs: 15_000,
  });
  process.stdout.write(`${JSON.stringify(sandbox.ready)}\n`);
} else {
  const reading = readSettings();
  if (!reading.ok) throw new Error(reading.problems.join("; "));
  const { baseUrl } = await startService(reading.settings);
  process.stdout.write(`${JSON.stringify({ baseUrl })}\n`);
}
