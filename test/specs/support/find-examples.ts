import type { Api, Example, Header, MediaType, Operation } from '../../../model/api.js';
import { childSchemas } from '../../../model/schema-survey.js';
import type { Schema } from '../../../model/schema-types.js';
import type { Direction } from '../../../schema/variants.js';

/** An example of a spec, and the schema that has to accept it in one of the directions. */
export interface PlacedExample {
  readonly place: string;
  readonly schema: Schema;
  readonly value: unknown;
  readonly directions: readonly Direction[];
  /** Member names as requests may also write them, to be turned into those of the schema first. */
  readonly snakeCase: boolean;
}

/** Every example of a spec: of bodies, parameters and headers, and the examples and defaults of schemas. */
export function findExamples(api: Api): PlacedExample[] {
  const operations = allOperations(api);
  return [
    ...operations.flatMap(operationExamples),
    ...[...api.schemas].flatMap(([name, { schema }]) => schemaExamples(schema, name)),
    ...operations.flatMap((operation) =>
      operationSchemas(operation).flatMap((schema) => schemaExamples(schema, operation.id)),
    ),
  ];
}

/** The operations of an API and of their callbacks. A callback that several operations have is there once. */
export function allOperations(api: Api): Operation[] {
  const callbacks = api.operations.flatMap((operation) =>
    operation.callbacks.flatMap((callback) => callback.operations),
  );
  const distinct = new Map(callbacks.map((operation) => [operation.source.pointer, operation]));
  return [...api.operations, ...api.webhooks, ...distinct.values()];
}

function operationExamples({ id, parameters, body, responses }: Operation): PlacedExample[] {
  return [
    ...parameters.flatMap((one) => place(one, `${id} ${one.in} ${one.name}`, 'request')),
    ...(body?.content ?? []).flatMap((one) => place(one, `${id} ${one.mediaType}`, 'request')),
    ...responses.flatMap(({ status, content, headers }) => [
      ...content.flatMap((one) => place(one, `${id} ${status} ${one.mediaType}`, 'response')),
      ...headers.flatMap((one) => place(one, `${id} ${status} ${one.name}`, 'response')),
    ]),
  ];
}

interface ExampleOwner {
  readonly schema?: Schema;
  readonly sequence?: { readonly schema: Schema };
  readonly examples: readonly Example[];
}

function place({ schema, sequence, examples }: ExampleOwner, owner: string, direction: Direction): PlacedExample[] {
  return examples.map((example) => ({
    place: `${owner} (${example.name})`,
    schema: sequence === undefined ? (schema ?? true) : { type: 'array', items: sequence.schema },
    value: example.value,
    directions: [direction],
    snakeCase: example.extensions['x-member-names'] === 'snake_case',
  }));
}

function operationSchemas({ parameters, body, responses }: Operation): Schema[] {
  const owners: readonly (MediaType | Header | Operation['parameters'][number])[] = [
    ...parameters,
    ...(body?.content ?? []),
    ...responses.flatMap(({ content, headers }) => [...content, ...headers]),
  ];
  return owners.flatMap(({ schema }) => (schema === undefined ? [] : [schema]));
}

/** The examples and defaults that stand in a schema. They can show what is sent or what is received. */
function schemaExamples(schema: Schema, owner: string): PlacedExample[] {
  if (typeof schema === 'boolean') return [];
  const own = [...(schema.examples ?? []), ...('default' in schema ? [schema.default] : [])];
  const placed = own.map((value): PlacedExample => ({
    place: `${owner}: ${JSON.stringify(value)}`,
    schema,
    value,
    directions: ['request', 'response'],
    snakeCase: false,
  }));
  return [...placed, ...childSchemas(schema).flatMap((child) => schemaExamples(child, owner))];
}
