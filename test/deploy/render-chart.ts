import { parse } from "yaml";
import { filesBelow, readText } from "../source-tree.ts";

const CHART = "deploy/helm/propgate";
const EXPRESSION = /\{\{-? *(.+?) *\}\}/g;
const PIPES: Readonly<Record<string, (value: unknown) => string>> = {
  quote: (value) => JSON.stringify(String(value)),
  toJson: (value) => JSON.stringify(value),
};

export interface ChartValues {
  readonly [name: string]: unknown;
}

export function chartValues(): ChartValues {
  return parse(readText(`${CHART}/values.yaml`)) as ChartValues;
}

/**
 * Renders the chart's templates without helm. It understands values, `quote`, `toJson` and a line with `if` or `end`,
 * and throws for everything else, so the chart stays as simple as that. As in helm, an empty string, zero and false
 * count as false.
 */
export function renderChart(values: ChartValues, release: string): readonly unknown[] {
  const { appVersion } = parse(readText(`${CHART}/Chart.yaml`)) as { readonly appVersion: string };
  const root = { Values: values, Release: { Name: release }, Chart: { AppVersion: appVersion } };
  return filesBelow(`${CHART}/templates`)
    .map((path) => parse(render(readText(path), root), { strict: true }) as unknown)
    .filter((one) => one !== null);
}

function render(template: string, root: object): string {
  const lines: string[] = [];
  const shown = [true];
  for (const line of template.split("\n")) {
    const [, condition] = /^ *\{\{- if (\S+) \}\}$/.exec(line) ?? [];
    if (condition !== undefined)
      shown.push(shown.at(-1) === true && Boolean(valueAt(root, condition)));
    else if (/^ *\{\{- end \}\}$/.test(line)) shown.pop();
    else if (shown.at(-1) === true) lines.push(filled(line, root));
  }
  if (shown.length !== 1) throw new Error("`if` and `end` do not match");
  return lines.join("\n");
}

function filled(line: string, root: object): string {
  return line.replaceAll(EXPRESSION, (_, expression: string) => {
    const [path = "", ...pipes] = expression.split(" | ");
    let value = valueAt(root, path);
    for (const name of pipes) {
      const pipe = PIPES[name];
      if (pipe === undefined) throw new Error(`unknown pipe ${name} in ${line}`);
      value = pipe(value);
    }
    return String(value);
  });
}

function valueAt(root: object, path: string): unknown {
  if (!/^(\.\w+)+$/.test(path)) throw new Error(`unknown expression ${path}`);
  return path
    .slice(1)
    .split(".")
    .reduce((value: unknown, name) => {
      if (typeof value !== "object" || value === null || !(name in value)) {
        throw new Error(`no value ${path}`);
      }
      return (value as Readonly<Record<string, unknown>>)[name];
    }, root);
}
