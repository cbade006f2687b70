import { describe } from "vitest";
import { forbiddenSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST preview answers 403", () => forbiddenSuite("previewOrder"));
