import { describe } from "vitest";
import { conflictSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST preview answers 409", () => conflictSuite("previewOrder"));
