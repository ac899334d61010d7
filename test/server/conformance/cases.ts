import { RESPONSE_CASES } from './response-cases.js';
import { BODY_CASES } from './body-cases.js';
import type { ConformanceCase } from './conformance-case.js';
import { PARAMETER_CASES } from './parameter-cases.js';
import { ROUTING_CASES } from './routing-cases.js';
import { SCHEMA_CASES } from './schema-cases.js';
import { SECURITY_CASES } from './security-cases.js';

/** All that both transports must do right, and plain Prism does not. `bench/` prints the difference. */
export const CONFORMANCE_CASES: readonly ConformanceCase[] = [
  ...ROUTING_CASES,
  ...PARAMETER_CASES,
  ...BODY_CASES,
  ...SCHEMA_CASES,
  ...SECURITY_CASES,
  ...RESPONSE_CASES,
];
