import { describe } from "vitest";
import { notFoundSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST preview answers 404", () => notFoundSuite("previewOrder"));
