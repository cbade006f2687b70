/**
 * Runs the stand-in as a process of its own until it is stopped. Options are one JSON argument; the
 * first line of the output is JSON with its URLs, keys and entity.
 */
import process from "node:process";
import { openStandIn, type StandInOptions } from "./stand-in.ts";

const options: StandInOptions = JSON.parse(process.argv[2] ?? "{}");
const standIn = await openStandIn(options);
const { validatorUrl, gatewayUrl, controlUrl, keys, entity } = standIn;
process.stdout.write(`${JSON.stringify({ validatorUrl, gatewayUrl, controlUrl, keys, entity })}\n`);
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void standIn.close().then(() => process.exit(0));
  });
}
