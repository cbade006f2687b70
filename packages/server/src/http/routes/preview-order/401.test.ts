import { describe } from "vitest";
import { unauthorizedSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST preview answers 401", () => unauthorizedSuite("previewOrder"));
