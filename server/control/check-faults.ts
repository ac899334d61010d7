import type { Api, Operation } from '../../model/api.js';
import { appendPointer } from '../../model/document/pointer.js';
import { suggestName } from '../../model/diagnostics/closest-name.js';
import { findResponse } from '../../http/response/response-spec.js';
import type { Fault } from '../sandbox/sandbox.js';
import { badInput } from './control-error.js';

/** Every member, so that the compiler finds one that is missing. */
const MEMBERS: Readonly<Record<keyof Fault, true>> = {
  operationId: true,
  status: true,
  headers: true,
  body: true,
  example: true,
  latencyMs: true,
  abort: true,
  times: true,
};

/** Checks that the operations and examples of faults exist, which their schema cannot. @throws ControlError 422 */
export function checkFaults(faults: readonly Fault[], { operations }: Api): void {
  const ids = operations.map(({ id }) => id);
  for (const [index, fault] of faults.entries()) {
    const { operationId, example } = fault;
    const unknown = Object.keys(fault).find((name) => !Object.hasOwn(MEMBERS, name));
    if (unknown !== undefined)
      throw badInput(
        `A fault has no member ${JSON.stringify(unknown)}.${suggestName(unknown, Object.keys(MEMBERS))}`,
        appendPointer(`/${index}`, unknown),
      );
    const meant = operations.filter(({ id }) => operationId === undefined || id === operationId);
    if (operationId !== undefined && meant.length === 0)
      throw badInput(
        `The API has no operation ${JSON.stringify(operationId)}.${suggestName(operationId, ids)}`,
        `/${index}/operationId`,
      );
    if (example !== undefined && !meant.some((operation) => hasExample(operation, fault)))
      throw badInput(`There is no response with the example ${JSON.stringify(example)}.`, `/${index}/example`);
  }
}

function hasExample(operation: Operation, { example, status }: Fault): boolean {
  const wanted = status === undefined ? operation.responses : [findResponse(operation, status) ?? []].flat();
  return wanted.some(({ content }) => content.some(({ examples }) => examples.some(({ name }) => name === example)));
}
