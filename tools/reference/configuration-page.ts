import type { Option } from "commander";
import { SETTINGS, type Settings } from "../../packages/base/src/config.ts";
import { propgateCommand } from "./cli-page.ts";
import { markdownPage, markdownTable, type ReferencePage } from "./markdown.ts";

/** The page of every setting of the service, from the table that reads the settings. */
export function configurationPage(): ReferencePage {
  const names = Object.keys(SETTINGS) as readonly (keyof Settings)[];
  const rows = names.map((name) => {
    const { variable, fileVariable, about, fallback } = SETTINGS[name];
    const text = fileVariable === undefined ? about : `${about} ${fileText(fileVariable)}`;
    return [`\`${variable}\``, fallbackText(fallback), flagText(name), text];
  });
  return {
    path: "docs/reference/configuration.md",
    content: markdownPage({
      title: "Configuration",
      source: "packages/base/src/config.ts",
      blocks: [
        "A setting is an environment variable; some are options of `propgate serve` as well, and an option wins. An empty variable counts as absent. A start lists all wrong settings together, before it opens anything; an unknown `PROPGATE_` variable gets a warning. `propgate sandbox` reads `PROPGATE_BRAND` and `PROPGATE_NETWORK_NAME` alone; `--brand` is an option of it too.",
        markdownTable(["Variable", "Default", "Option", "What it is for"], rows),
      ],
    }),
  };
}

function fallbackText(fallback: Settings[keyof Settings]): string {
  const isText = Array.isArray(fallback) || typeof fallback !== "object";
  const text = isText ? String(fallback) : "";
  return text === "" ? "none" : `\`${text}\``;
}

function fileText(variable: string): string {
  return `Or \`${variable}\`: a file with it that only its owner may read (mode 0600).`;
}

/** The option of `serve` for a setting, as its help spells it; empty without one. */
function flagText(setting: keyof Settings): string {
  const serve = propgateCommand().commands.find((command) => command.name() === "serve");
  const option = serve?.options.find((one: Option) => one.attributeName() === setting);
  return option === undefined ? "" : `\`${option.flags}\``;
}
