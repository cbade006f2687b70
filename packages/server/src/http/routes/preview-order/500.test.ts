import { describe } from "vitest";
import { faultSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST preview answers 500", () => faultSuite("previewOrder"));
