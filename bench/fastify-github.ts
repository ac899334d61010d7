import { readFileSync } from 'node:fs';

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type FastifyInstance, fastify } from 'fastify';

import type { Api, Operation } from '../model/api.js';
import { loadApi } from '../model/load-api.js';
import { type Schema, refName } from '../model/schema-types.js';

/**
 * Bare Fastify with the two operations of GitHub's description that the benchmark calls, validated both ways by the schemas
 * of that description. It knows nothing of the other 1,221.
 */
const [port, spec = ''] = process.argv.slice(2);
const [get, create] = await readSchemas(spec, ['issues/get', 'issues/create']);
if (get === undefined || create === undefined) throw new Error('The schemas are not there.');

const ajv = new Ajv2020({ strict: false, coerceTypes: true });
addFormats.default(ajv);
const app: FastifyInstance = fastify();
app.setValidatorCompiler(({ schema }) => ajv.compile(schema as object));
const isIssue = ajv.compile(get.response);
app.addHook('preSerialization', (_request, _reply, response, done) =>
  isIssue(response) ? done(null, response) : done(new Error('The response breaks its schema.')),
);
// The example of the description lacks members that its schema demands.
const issue = { assignee: null, closed_at: null, ...readExample(spec) };
if (!isIssue(issue)) throw new Error(`The example is no issue: ${ajv.errorsText(isIssue.errors)}.`);
const text = { type: 'string' };
const params = {
  type: 'object',
  required: ['owner', 'repo'],
  properties: { owner: text, repo: text, number: { type: 'integer' } },
};
app.get('/repos/:owner/:repo/issues/:number', { schema: { params } }, () => issue);
app.post<{ Body: Readonly<Record<string, unknown>> }>(
  '/repos/:owner/:repo/issues',
  { schema: { params, body: create.body } },
  (request, response) => response.code(201).send({ ...issue, title: request.body['title'] }),
);
await app.listen({ port: Number(port), host: '127.0.0.1' });

/** What a server must know to validate one operation by hand: plain JSON Schema that refers to nothing outside of itself. */
interface OperationSchemas {
  readonly body: object;
  readonly response: object;
}

/** The example of an issue. Operations refer to it in a form that the standard does not know. */
function readExample(file: string): object {
  const { components } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly components: { readonly examples: { readonly issue: { readonly value: object } } };
  };
  return components.examples.issue.value;
}

/** The schemas of two operations of a large spec, as our own model reads them. */
async function readSchemas(spec: string, ids: readonly string[]): Promise<readonly OperationSchemas[]> {
  const api = await loadApi(spec);
  return ids.map((id) => {
    const operation = api.operations.find((one) => one.id === id);
    if (operation === undefined) throw new Error(`The spec has no operation ${id}.`);
    return schemasOf(operation, api);
  });
}

function schemasOf({ body, responses }: Operation, api: Api): OperationSchemas {
  const media = responses.find(({ status }) => status.startsWith('2'))?.content[0];
  return {
    body: standAlone(body?.content[0]?.schema ?? true, api),
    response: standAlone(media?.schema ?? true, api),
  };
}

/** A schema with all that it refers to. */
function standAlone(schema: Schema, api: Api): object {
  const needed = new Map<string, unknown>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, member] of Object.entries(value)) {
      const name = key === '$ref' && typeof member === 'string' ? refName(member) : undefined;
      if (name === undefined) collect(member);
      else if (!needed.has(name)) {
        const found = api.schemas.get(name)?.schema ?? true;
        needed.set(name, found);
        collect(found);
      }
    }
  };
  collect(schema);
  // The extensions of our model and of the spec mean nothing to others.
  const plain = JSON.stringify({ ...(schema as object), $defs: Object.fromEntries(needed) });
  return JSON.parse(plain, (key, value: unknown) =>
    /^x-|^(?:discriminator|examples?)$/.test(key) ? undefined : value,
  ) as object;
}
