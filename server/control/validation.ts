import path from 'node:path';

import type { Api } from '../../model/api.js';
import { packageRoot } from '../../model/package-info.js';
import { refTo } from '../../model/schema-types.js';
import { compileValidator } from '../../schema/compile-validator.js';
import type { Fault } from '../sandbox/sandbox.js';
import type { StateSnapshot } from '../sandbox/state-snapshot.js';
import { ControlError } from './control-error.js';

/** A change of the clock; see `ClockChange` in specs/control/openapi.yaml. */
interface ClockChange {
  readonly now?: string;
  readonly advance?: string;
  readonly frozen?: boolean;
}

/** The types of the schemas of specs/control/openapi.yaml, by their names. */
export interface ControlTypes {
  readonly State: StateSnapshot;
  readonly ClockChange: ClockChange;
  readonly Faults: readonly Fault[];
}

let spec: Promise<Api> | undefined;

/**
 * Checks a value against the spec of the control interface, which is read when it is first needed.
 *
 * @throws ControlError 422 with the violations.
 */
export async function checkControlInput<Name extends keyof ControlTypes>(
  name: Name,
  value: unknown,
): Promise<ControlTypes[Name]> {
  spec ??= loadControlSpec();
  const validate = compileValidator(await spec, { $ref: refTo(name) }, { direction: 'request' });
  const [first, ...others] = validate(value);
  if (first === undefined) return value as ControlTypes[Name];
  const violations = [first, ...others].map(({ pointer, message }) => ({ in: 'body' as const, pointer, message }));
  const place = first.pointer === '' ? 'the body' : first.pointer;
  throw new ControlError(
    422,
    `The request breaks the description of the control interface: ${place} ${first.message}.`,
    { violations },
  );
}

async function loadControlSpec(): Promise<Api> {
  const { loadApi } = await import('../../model/load-api.js');
  return loadApi(path.join(packageRoot, 'specs/control/openapi.yaml'));
}
