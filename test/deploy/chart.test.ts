import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ServiceMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1";
import { Ajv } from "ajv";
import { StatefulSet } from "kubernetes-models/apps/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service } from "kubernetes-models/v1";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { ROOT, readText } from "../source-tree.ts";
import { type ChartValues, chartValues, renderChart } from "./render-chart.ts";

/**
 * For each kind of resource in the chart, the model that checks required fields and types by the schema of Kubernetes.
 */
const RESOURCE_MODELS = {
  ConfigMap: {
    module: "kubernetes-models/v1",
    validate: (one: never) => new ConfigMap(one).validate(),
  },
  NetworkPolicy: {
    module: "kubernetes-models/networking.k8s.io/v1",
    validate: (one: never) => new NetworkPolicy(one).validate(),
  },
  PodDisruptionBudget: {
    module: "kubernetes-models/policy/v1",
    validate: (one: never) => new PodDisruptionBudget(one).validate(),
  },
  Service: {
    module: "kubernetes-models/v1",
    validate: (one: never) => new Service(one).validate(),
  },
  ServiceMonitor: {
    module: "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1",
    validate: (one: never) => new ServiceMonitor(one).validate(),
  },
  StatefulSet: {
    module: "kubernetes-models/apps/v1",
    validate: (one: never) => new StatefulSet(one).validate(),
  },
} as const;
type Kind = keyof typeof RESOURCE_MODELS;

const VALUES = chartValues();
const FULL: ChartValues = {
  ...VALUES,
  role: "engine",
  settings: { PROPGATE_PUBLIC_URL: "https://trade.example.com" },
  storage: { size: "1Gi", className: "fast" },
  serviceMonitor: { enabled: true, interval: "30s" },
};
const isValid = new Ajv({ allErrors: true }).compile(
  JSON.parse(readText("deploy/helm/propgate/values.schema.json")) as object,
);

function kindOf(resource: unknown): Kind {
  const { kind } = resource as { readonly kind: string };
  if (!Object.hasOwn(RESOURCE_MODELS, kind)) throw new Error(`no model of ${kind}`);
  return kind as Kind;
}

/** The errors of the compiler for the resources as object literals, in which it rejects unknown fields. */
async function compilerErrors(resources: readonly unknown[]): Promise<readonly string[]> {
  const folder = await mkdtemp(join(ROOT, "node_modules", ".chart-"));
  try {
    const text = resources
      .map((one, index) => {
        const kind = kindOf(one);
        const module = RESOURCE_MODELS[kind].module;
        return `export const r${index}: import("${module}").I${kind} = ${JSON.stringify(one)};`;
      })
      .join("\n");
    const file = join(folder, "resources.ts");
    await writeFile(file, text);
    const program = ts.createProgram([file], {
      noEmit: true,
      strict: true,
      skipLibCheck: true,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
    });
    const source = program.getSourceFile(file);
    return [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe("the Helm chart", () => {
  test.each([
    ["its own values", VALUES, 6],
    ["every part switched on", FULL, 7],
    [
      "no NetworkPolicy",
      { ...VALUES, networkPolicy: { enabled: false, clients: [], monitoring: [] } },
      5,
    ],
  ])("the chart renders resources that Kubernetes accepts, with %s", async (_, values, count) => {
    expect(isValid(values)).toBe(true);
    const resources = renderChart(values, "firm");
    expect(resources).toHaveLength(count);
    for (const one of resources) RESOURCE_MODELS[kindOf(one)].validate(one as never);
    expect(await compilerErrors(resources)).toEqual([]);
  });

  test("the check of resources rejects a field that Kubernetes does not know", async () => {
    const [one] = renderChart(VALUES, "firm").filter((each) => kindOf(each) === "StatefulSet");
    const wrong = { ...(one as object), spce: {} };
    expect(await compilerErrors([wrong])).toHaveLength(1);
  });

  test.each([
    ["another role", { ...VALUES, role: "reader" }],
    ["an unknown value", { ...VALUES, replicaCount: 3 }],
    ["no replica", { ...VALUES, replicas: 0 }],
    ["a setting that is a number", { ...VALUES, settings: { PROPGATE_PORT: 1 } }],
  ])("the schema of the chart rejects %s", (_, values) => {
    expect(isValid(values)).toBe(false);
  });

  test("the Helm chart gives each pod the time of a stop, its role, probes and a read-only root", () => {
    const rendered = JSON.stringify(renderChart(FULL, "firm"));
    const grace = Number(VALUES.terminationGracePeriodSeconds);
    expect(grace).toBeGreaterThanOrEqual(Number(VALUES.stopDelaySeconds) + 30);
    for (const part of [
      '{"name":"PROPGATE_ROLE","value":"engine"}',
      '"PROPGATE_NATS_URL","valueFrom":{"secretKeyRef":{"name":"propgate","key":"nats-url"}}',
      '"readinessProbe":{"httpGet":{"path":"/ready","port":"http"}',
      '"livenessProbe":{"httpGet":{"path":"/health","port":"http"}',
      '"readOnlyRootFilesystem":true',
      '"runAsUser":65532',
    ]) {
      expect(rendered).toContain(part);
    }
  });
});
