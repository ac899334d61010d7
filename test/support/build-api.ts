import type { Api, NamedSchema, Operation } from '../../model/api.js';
import { nameInputVariants } from '../../model/schema-survey.js';
import type { Schema } from '../../model/schema-types.js';

export const TEST_SOURCE = { file: 'test.yaml', pointer: '' } as const;

interface ApiParts {
  readonly schemas?: Readonly<Record<string, Schema>>;
  readonly operations?: readonly Partial<Operation>[];
}

/** A small API out of normalised parts, as the model would give it. */
export function buildApi({ schemas = {}, operations = [] }: ApiParts): Api {
  const named = new Map(
    Object.entries(schemas).map(([name, schema]): [string, NamedSchema] => {
      return [name, { name, originalName: name, schema, source: { ...TEST_SOURCE, pointer: `/$defs/${name}` } }];
    }),
  );
  nameInputVariants(named, (name) => name);
  return {
    dialect: 'openapi-3.1',
    title: 'Test',
    version: '1',
    schemas: named,
    operations: operations.map(buildOperation),
    webhooks: [],
    securitySchemes: new Map(),
    servers: [],
    tags: [],
    extensions: {},
    extensionNames: [],
    files: [{ path: TEST_SOURCE.file, text: '', hash: '' }],
    diagnostics: [],
  };
}

function buildOperation(parts: Partial<Operation>): Operation {
  return {
    id: parts.name ?? 'get',
    name: 'get',
    method: 'get',
    path: '/',
    deprecated: false,
    tags: [],
    parameters: [],
    responses: [],
    security: [],
    servers: [],
    callbacks: [],
    extensions: {},
    source: TEST_SOURCE,
    ...parts,
  };
}
