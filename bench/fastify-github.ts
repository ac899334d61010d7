import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type FastifyInstance, fastify } from 'fastify';

import { readSchemas } from './github-schemas.js';

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
// The example of the description lacks one member that its schema demands.
const issue = { assignee: null, ...get.example };
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
