import type { MediaType, Operation } from '../../model/api.js';
import { toPointer } from '../../model/document/pointer.js';
import type { Schema } from '../../model/schema-types.js';
import { itemValue } from '../../schema/item-value.js';
import { failuresOf } from '../client/response-data.js';
import { printValue } from '../fixtures/print-value.js';
import { addMembers, type HelperFunction, type HelperScope, printCall } from './helper-scope.js';
import type { StreamingValue } from '../../model/helper-values.js';
import { querySchema, successOf } from './schema-at.js';

/** The schema of the messages of a stream of events; `undefined` if they are not JSON. */
function messageOf({ sequence, ...media }: MediaType, { api }: HelperScope, isDeclared: boolean): Schema | undefined {
  if (sequence?.framing !== 'event-stream') return undefined;
  const { message, plan } = itemValue(api, { ...media, sequence });
  return plan.format === 'event-text' && !isDeclared ? undefined : message;
}

/** Reads `<operation>Events`, the helper of an operation that responds with a stream of described events. */
export function readStream(operation: Operation, scope: HelperScope): HelperFunction | undefined {
  const declared = operation.extensions['x-streaming'];
  const message = successOf(operation)
    ?.content.map((media) => messageOf(media, scope, declared !== undefined))
    .find((schema) => schema !== undefined);
  const value = scope.extension(operation, 'x-streaming') as StreamingValue | undefined;
  if (message === undefined) {
    return value === undefined
      ? undefined
      : scope.refuse(
          operation,
          'x-streaming',
          'no success of the operation has a text/event-stream whose items are described, by itemSchema, an object or x-event-stream.',
        );
  }
  const unknown = Object.keys(value?.query ?? {}).find((name) => querySchema(operation, name) === undefined);
  if (unknown !== undefined)
    return scope.refuse(
      operation,
      'x-streaming',
      `the operation has no query parameter ${JSON.stringify(unknown)}.`,
      toPointer(['query', unknown]),
    );
  const { imports } = scope;
  const failures = failuresOf(operation);
  const id = operation.id === operation.name ? {} : { id: operation.id };
  const plan = { name: operation.name, ...id, ...value, ...(failures.length === 0 ? {} : { failures }) };
  return {
    name: `${operation.name}Events`,
    summary: `the messages of the stream of \`${operation.name}\``,
    doc: '@throws ApiError if the server refuses, or sends an error in the stream; BrokenStreamError if the stream breaks, with the received part of its last message; and everything that the call throws.',
    parameters: [
      scope.requestParameter(operation),
      { name: 'options', type: imports.use('StreamOptions'), isOptional: true },
    ],
    returnType: `AsyncGenerator<${scope.typeOf(message, 'output')}, void, undefined>`,
    code: `${imports.use('streamMessages')}(${printCall(operation)}, ${addMembers(printValue(plan, ''), scope.jsonFunctions({ read: message }))}, { request, options })`,
  };
}
