import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  createRemoteControl,
  type StandInControl,
  type StandInOptions,
} from "../packages/stand-in/src/index.ts";
import { bareEnvironment } from "./environment/bare-environment.ts";
import { builtProgramPath } from "./environment/built-program.ts";

/** The stand-in for a validator, in a process of its own. */
export interface StandInProcess {
  readonly control: StandInControl;
  readonly validatorUrl: string;
  readonly gatewayUrl: string;
  readonly keys: { readonly validator: string; readonly gateway: string };
  readonly entity: string;
  /** The settings of a service that is to be connected to this stand-in. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

type Ready = Omit<StandInProcess, "control" | "settings" | "stop"> & {
  readonly controlUrl: string;
};

export async function startStandInProcess(options: StandInOptions = {}): Promise<StandInProcess> {
  const child = spawn(
    process.execPath,
    [
      "--conditions=@propgate/source",
      builtProgramPath("packages/stand-in/src/main.ts"),
      JSON.stringify(options),
    ],
    { stdio: ["ignore", "pipe", "inherit"], env: bareEnvironment() },
  );
  const ended = once(child, "exit");
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (said.includes("\n")) resolve();
    });
    void ended.then(() => reject(new Error(`the stand-in ended before it was ready: ${said}`)));
  });
  const { controlUrl, ...ready } = JSON.parse(said) as Ready;
  return {
    ...ready,
    control: createRemoteControl(controlUrl),
    settings: {
      PROPGATE_NETWORK: "vanta",
      PROPGATE_NETWORK_URL: ready.validatorUrl,
      PROPGATE_GATEWAY_URL: ready.gatewayUrl,
      PROPGATE_NETWORK_KEY: ready.keys.validator,
      PROPGATE_GATEWAY_KEY: ready.keys.gateway,
      PROPGATE_NETWORK_ENTITY: ready.entity,
    },
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
