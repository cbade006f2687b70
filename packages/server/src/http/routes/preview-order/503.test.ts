import { describe } from "vitest";
import { unreachableSuite } from "../../../testing/endpoint-statuses.suite.ts";

describe("POST preview answers 503", () => unreachableSuite("previewOrder"));
