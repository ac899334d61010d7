import { createHash } from 'node:crypto';

import type { Api, NamedSchema } from '../../model/api.js';
import type { Diagnostic } from '../../model/diagnostics/diagnostic.js';
import { NameAllocator, toFileName } from '../../model/identifiers.js';
import { findUnchecked } from '../../schema/find-unchecked-schemas.js';
import type { EmitOptions, Emitter, GeneratedFile } from '../emitter.js';
import { runtimeFiles } from '../runtime-files.js';
import { jsonTypesModule } from '../types/value-types.js';
import { MAX_OPERATIONS, MAX_SCHEMAS, UNCHECKED, groupByTag } from '../split-output.js';
import { allOperations } from '../type-names.js';
import type { ModulePlan } from './print-entry.js';
import { printValidatorModules } from './validator-modules.js';

/** Above these limits, validators are split into several modules. */
export interface ModuleLimits {
  readonly operations: number;
  readonly schemas: number;
}

const LIMITS: ModuleLimits = { operations: MAX_OPERATIONS, schemas: MAX_SCHEMAS };

/**
 * Emits `validators.ts`: `isCase`, `assertCase` and `validateCase` for each named schema, `validateGetcaseRequest` and
 * `validateGetcaseResponse` for each operation, and `responseValidators` for the client. The functions of a large API
 * are in modules below `validators/`, which `validators.ts` exports. docs/adr/0014-validator-compiler.md describes the
 * code.
 */
export const validatorsEmitter: Emitter = {
  name: 'validators',
  emit(api, options) {
    reportUnchecked(api, options.report);
    return [
      ...emitValidatorModules(api, options.apiName, LIMITS, jsonTypesModule(options)),
      ...runtimeFiles(['checks', 'formats', 'validation']),
    ];
  },
};

/** The modules of validators of an API, without the runtime. */
export function emitValidatorModules(
  api: Api,
  apiName: string,
  limits: ModuleLimits = LIMITS,
  types = 'types',
): GeneratedFile[] {
  const texts = printValidatorModules(api, apiName, { plans: planModules(api, limits), entry: ENTRY, types });
  return [...texts].map(([path, contents]) => ({
    path: `${path}.ts`,
    contents: path === ENTRY ? contents : `${UNCHECKED}${contents}`,
  }));
}

/** The module that users import from. */
const ENTRY = 'validators';
const DIGITS = '0123456789abcdef';

/**
 * Plans one module, or several: one for each tag of operations, and one for each first digit of the hash of schemas and
 * shared parts.
 */
function planModules(api: Api, limits: ModuleLimits): readonly ModulePlan[] {
  const operations = allOperations(api);
  const schemas = [...api.schemas.values()];
  if (operations.length <= limits.operations && schemas.length <= limits.schemas)
    return [{ path: ENTRY, schemas, operations, shared: DIGITS }];
  const names = new NameAllocator({ fold: true });
  const byDigit = new Map<string, NamedSchema[]>([...DIGITS].map((digit) => [digit, []]));
  for (const schema of schemas) byDigit.get(hashOf(schema.name).charAt(0))?.push(schema);
  const ofSchemas = [...byDigit].map(([digit, own]) => {
    return { path: `${ENTRY}/${names.take(`schemas-${digit}`)}`, schemas: own, operations: [], shared: digit };
  });
  const ofOperations = [...groupByTag(operations)].map(([tag, tagged]) => {
    return { path: `${ENTRY}/${names.take(toFileName(tag))}`, schemas: [], operations: tagged, shared: '' };
  });
  return [...ofSchemas, ...ofOperations];
}

function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex');
}

/** Reports what cannot be checked exactly, each problem once, because operations share parts. */
function reportUnchecked(api: Api, report: EmitOptions['report']): void {
  const problems = new Map<string, Diagnostic>();
  for (const found of findUnchecked(api, allOperations(api)))
    for (const diagnostic of found) problems.set(JSON.stringify(diagnostic), diagnostic);
  for (const diagnostic of problems.values()) report(diagnostic);
}
