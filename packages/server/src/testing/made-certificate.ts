import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** A self-signed certificate for these names; null when the machine has no openssl. */
export function makeCertificate(names: string, days: string): Certificate | null {
  const folder = mkdtempSync(join(tmpdir(), "propgate-test-"));
  const key = join(folder, "key.pem");
  const cert = join(folder, "cert.pem");
  const run = spawnSync("openssl", [
    ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
    ...["-subj", "/CN=propgate test", "-addext", `subjectAltName=${names}`, "-days", days],
    ...["-keyout", key, "-out", cert],
  ]);
  if (run.error !== undefined) return null;
  if (run.status !== 0) throw new Error(`openssl failed: ${run.stderr.toString()}`);
  const made = { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  rmSync(folder, { recursive: true });
  return made;
}
