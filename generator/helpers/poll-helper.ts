import type { Operation } from '../../model/api.js';
import { findParameter } from '../../model/find-parameter.js';
import { printValue } from '../fixtures/print-value.js';
import { type HelperFunction, type HelperScope, memberOf, printCall } from './helper-scope.js';
import type { PollingValue } from '../../model/helper-values.js';
import { givesHeader, successOf } from './schema-at.js';

/** Reads `<operation>Changes`, the helper of an operation with `x-conditional-polling`. */
export function readPolling(operation: Operation, scope: HelperScope): HelperFunction | undefined {
  const value = scope.extension(operation, 'x-conditional-polling') as PollingValue | undefined;
  if (value === undefined) return undefined;
  const refuse = (problem: string, member = ''): undefined =>
    scope.refuse(operation, 'x-conditional-polling', problem, member);
  const { interval, validator = 'Last-Modified', condition = 'If-Modified-Since' } = value;
  if (operation.method !== 'get') return refuse('only a GET can be polled.');
  const missing = Object.entries({ interval, validator }).find(([, name]) => !givesHeader(operation, name));
  if (missing !== undefined)
    return refuse(`the response has no header ${JSON.stringify(missing[1])}.`, memberOf(value, missing[0]));
  const taken = findParameter(operation, 'header', condition);
  if (taken === undefined)
    return refuse(`the operation has no header parameter ${JSON.stringify(condition)}.`, memberOf(value, 'condition'));
  const plan = { interval: interval.toLowerCase(), validator: validator.toLowerCase(), condition: taken.name };
  const { response } = scope.typesOf(operation);
  const { imports } = scope;
  return {
    name: `${operation.name}Changes`,
    summary: `polls \`${operation.name}\` as often as the server allows, and yields each new response`,
    doc: '@throws Everything that the call throws. Pass `since` to continue.',
    parameters: [
      scope.requestParameter(operation),
      { name: 'options', type: imports.use('PollOptions'), isOptional: true },
    ],
    returnType: `AsyncGenerator<Extract<${scope.namespace}.${response}, { readonly status: ${successOf(operation)?.status === '200' ? '200' : 'number'} }>, void, undefined>`,
    code: `${imports.use('pollChanges')}(${printCall(operation)}, ${printValue(plan, '')}, { request, options })`,
  };
}
