import { getOrInsert } from '../../model/maps.js';
import type { Api, ApiResponse, MediaType, Operation } from '../../model/api.js';
import { NameAllocator, splitWords, upperFirst } from '../../model/identifiers.js';
import { refName, refTo } from '../../model/schema-types.js';
import { followRefs, isMarked } from '../../schema/facts/parts.js';
import { acceptedContent, bodyForm, isItemStream, orderContent } from '../media-kind.js';
import { basePaths } from '../../model/base-url.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { pathRules } from '../../schema/path-rules.js';
import { failuresOf, successesOf } from '../operation-results.js';
import { groupParameters, needsRequest } from '../request-values.js';
import { nameVariants } from '../../schema/variant-names.js';
import { allOperations, nameOperationTypes, schemaTypeNames } from '../type-names.js';
import type { BodySchema, EmitterApi, EmitterOperation, OperationResult } from './contract.js';
import { orderSchemas } from './order-schemas.js';
import { projectSchema } from './project-schema.js';
import { visitSchema } from './visit-schema.js';
import { bodyShape, textShape } from './wire.js';

/** The operations of the model by those that emitters receive. */
const originals = new WeakMap<Operation, Operation>();

/** The operation of the model, whose identity the names and helpers of the generator are kept by. */
export function originalOf(operation: Operation): Operation {
  return originals.get(operation) ?? operation;
}

const known = new WeakMap<Api, EmitterApi>();

/** What emitters see of an API. The same API gives the same object. */
export function emitterApi(api: Api, apiName: string): EmitterApi {
  return getOrInsert(known, api, () => {
    const order = orderSchemas(api);
    const variants = nameVariants(api).request;
    // A validator may treat requests differently although their type is the same: enums in any letter case.
    const ordered = order.schemas.map((one) => ({ ...one, hasInput: one.hasInput || variants.has(one.name) }));
    const bodies = new Map<Operation, readonly BodySchema[]>();
    const names = new NameAllocator({ taken: takenNames(api, apiName) });
    for (const operation of allOperations(api)) bodies.set(operation, nameBodies(operation, names, api));
    return {
      ...api,
      operations: api.operations.map(describeOperation),
      schemasInOrder: () => ordered,
      cycles: order.cycles,
      refName,
      refTo,
      resolve: (schema) => (typeof schema === 'boolean' ? schema : (followRefs(schema, api) ?? true)),
      visitSchema,
      projectSchema: (schema, direction) => projectSchema(schema, api, direction),
      accepts: (schema, value, direction) => compileValidator(api, schema, { direction })(value).length === 0,
      travels: (member, direction) => !isMarked(member, direction === 'request' ? 'readOnly' : 'writeOnly', api),
      bodySchemas: (operation) => bodies.get(originalOf(operation)) ?? [],
      bodyShape: (media, content) => bodyShape(media, content, api),
      textShape: (schema) => textShape(schema, api),
      ...{ pathRules, basePaths },
    };
  });
}

function takenNames(api: Api, apiName: string): string[] {
  const types = [...nameOperationTypes(api, apiName).values()];
  return [...schemaTypeNames(api), ...types.flatMap((names) => [names.request, names.response, names.failure])];
}

function describeOperation(operation: Operation): EmitterOperation {
  const [success] = successesOf(operation).map(describeResult);
  const described: EmitterOperation = {
    ...operation,
    ...(success === undefined ? {} : { success }),
    failures: failuresOf(operation).map(describeResult),
    groups: groupParameters(operation),
    needsRequest: needsRequest(operation),
    isStream: successesOf(operation).some(({ content }) => acceptedContent(content).some(isItemStream)),
  };
  originals.set(described, operation);
  return described;
}

function describeResult(response: ApiResponse): OperationResult {
  const [content] = orderContent(response.content);
  return { status: response.status, response, ...(content === undefined ? {} : { content }) };
}

function nameBodies(operation: Operation, names: NameAllocator, api: Api): BodySchema[] {
  const base = upperFirst(operation.name);
  const received = operation.responses.flatMap((response) =>
    listBodies(response.content, `${base}Response${upperFirst(response.status)}`, {
      direction: 'response' as const,
      status: response.status,
      api,
    }),
  );
  const bodies = [
    ...listBodies(operation.body?.content ?? [], `${base}Body`, { direction: 'request', api }),
    ...received,
  ];
  return bodies.map((body) => (body.isNamed ? body : { ...body, name: names.take(body.name) }));
}

/** The schemas of some content. The preferred one has the plain name, the others add the words of their media type. */
function listBodies(
  content: readonly MediaType[],
  base: string,
  { api, ...side }: Pick<BodySchema, 'direction' | 'status'> & { readonly api: Api },
): BodySchema[] {
  return orderContent(content).flatMap((media, index): BodySchema[] => {
    const { schema, mediaType } = media;
    if (schema === undefined) return [];
    const isNamed = typeof schema === 'object' && schema.$ref !== undefined && Object.keys(schema).length === 1;
    const words = index === 0 ? [] : splitWords(mediaType.split(';')[0]?.split('/').at(-1) ?? '').map(upperFirst);
    const name = isNamed ? refName(schema.$ref) : [base, ...words].join('');
    return [{ ...side, name, isNamed, mediaType, form: bodyForm(media, content, api).kind, schema }];
  });
}
