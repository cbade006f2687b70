import { execFile, spawnSync } from "node:child_process";
import { withoutPropgateVariables } from "../../packages/cli/src/testing/run-cli.ts";
import { ROOT } from "../source-tree.ts";

/** A signer of `examples/`, with the commands that build and run it. */
export interface SignerProgram {
  readonly language: string;
  readonly files: readonly string[];
  /** A command that succeeds when the tools are installed. */
  readonly probe: readonly string[];
  /**
   * The command that builds the signer before its first run, with its output in `folder`; null when it needs no build.
   */
  readonly build: (folder: string) => readonly string[] | null;
  readonly command: (folder: string) => readonly string[];
}

const AS_IT_IS = (): null => null;

export const SIGNERS: readonly SignerProgram[] = [
  {
    language: "Shell",
    files: ["examples/curl/propgate-curl.sh"],
    probe: ["openssl", "version"],
    build: AS_IT_IS,
    command: () => ["sh", "examples/curl/propgate-curl.sh"],
  },
  {
    language: "Python",
    files: ["examples/python/propgate_sign.py"],
    probe: ["python3", "--version"],
    build: AS_IT_IS,
    command: () => ["python3", "examples/python/propgate_sign.py"],
  },
  {
    language: "TypeScript",
    files: ["examples/typescript/sign.ts"],
    probe: [process.execPath, "--version"],
    build: AS_IT_IS,
    command: () => [process.execPath, "examples/typescript/sign.ts"],
  },
  {
    language: "Go",
    files: ["examples/go/sign.go"],
    probe: ["go", "version"],
    build: (folder) => ["go", "build", "-o", `${folder}/sign-go`, "examples/go/sign.go"],
    command: (folder) => [`${folder}/sign-go`],
  },
  {
    language: "Rust",
    files: ["examples/rust/sign.rs", "examples/rust/digest.rs"],
    probe: ["rustc", "--version"],
    build: (folder) => ["rustc", "-o", `${folder}/sign-rust`, "examples/rust/sign.rs"],
    command: (folder) => [`${folder}/sign-rust`],
  },
  {
    language: "Java",
    files: ["examples/java/Sign.java"],
    probe: ["javac", "-version"],
    build: (folder) => ["javac", "-d", folder, "examples/java/Sign.java"],
    command: (folder) => ["java", "-XX:TieredStopAtLevel=1", "-cp", folder, "Sign"],
  },
  {
    language: "C#",
    files: ["examples/csharp/Sign.cs"],
    probe: ["mcs", "--version"],
    build: (folder) => [
      ...["mcs", "-r:System.Net.Http", `-out:${folder}/sign.exe`],
      "examples/csharp/Sign.cs",
    ],
    command: (folder) => ["mono", `${folder}/sign.exe`],
  },
  {
    language: "PHP",
    files: ["examples/php/sign.php"],
    probe: ["php", "--version"],
    build: AS_IT_IS,
    command: () => ["php", "examples/php/sign.php"],
  },
  {
    language: "Ruby",
    files: ["examples/ruby/sign.rb"],
    probe: ["ruby", "--version"],
    build: AS_IT_IS,
    command: () => ["ruby", "examples/ruby/sign.rb"],
  },
];

/** Whether the tools of the language are installed. If not, reports on standard error that the signer is not tested. */
export function hasTools({ language, probe: [program = "", ...words] }: SignerProgram): boolean {
  const there = spawnSync(program, words).status === 0;
  if (!there) {
    process.stderr.write(`\nSKIPPED: ${language} is not installed, so its signer is not tested\n`);
  }
  return there;
}

export interface ProgramOutcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program at the root of the checkout. Of the PROPGATE_ variables it gets only those in `env`. */
export function runProgram(
  [program = "", ...words]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramOutcome> {
  return new Promise((resolve) => {
    const ours = { ...withoutPropgateVariables(process.env), LC_ALL: "C.UTF-8", ...env };
    execFile(program, words, { cwd: ROOT, env: ours }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
  });
}
