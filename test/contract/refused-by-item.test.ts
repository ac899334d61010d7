import { expect, test } from 'vitest';

import { type Finding, runContract } from '../../entry/contract.js';
import { loadDocument } from '../support/load-document.js';

const json = (schema: object): object => ({ 'application/json': { schema } });
const ROBOT = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const TASK = {
  type: 'object',
  required: ['metres'],
  properties: { metres: { type: 'integer', minimum: 1, maximum: 90 }, arm: { enum: ['left', 'right'] } },
};
const SPEC = {
  openapi: '3.1.0',
  info: { title: 'Robots', version: '1' },
  paths: {
    '/robots': {
      get: {
        operationId: 'listRobots',
        responses: { 200: { description: 'x', content: json({ type: 'array', items: ROBOT }) } },
      },
    },
    '/robots/{robotId}': {
      parameters: [{ name: 'robotId', in: 'path', required: true, schema: { type: 'string' } }],
      get: {
        operationId: 'getRobot',
        responses: { 200: { description: 'x', content: json(ROBOT) }, 404: { description: 'x' } },
      },
    },
    '/robots/{robotId}/plans': {
      parameters: [{ name: 'robotId', in: 'path', required: true, schema: { type: 'string' } }],
      post: {
        operationId: 'planTask',
        requestBody: { required: true, content: json(TASK) },
        responses: {
          200: { description: 'x', content: json({ type: 'object' }) },
          400: { description: 'x', content: json({ type: 'object' }) },
          404: { description: 'x' },
        },
      },
    },
  },
};

const ROBOTS = ['cart', 'drone', 'rover', 'loader', 'welder'];

/** Fixed robots; those without an arm take no task for one. */
function serveRobots(withArm: readonly string[]): { readonly fetch: typeof fetch; readonly planned: Set<string> } {
  const planned = new Set<string>();
  const refuse = (pointer: string, message: string): Response =>
    Response.json({ error: { violations: [{ in: 'body', pointer, message }] } }, { status: 400 });
  const plan = (robot: string, text: string): Response => {
    planned.add(robot);
    const { metres, arm } = parse(text);
    if (!Number.isInteger(metres) || Number(metres) < 1 || Number(metres) > 90) return refuse('/metres', 'is wrong');
    if (arm === undefined) return Response.json({});
    if (arm !== 'left' && arm !== 'right') return refuse('/arm', 'must be left or right');
    return withArm.includes(robot) ? Response.json({}) : refuse('/arm', 'needs an arm');
  };
  return {
    planned,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const [, , robot, more] = new URL(request.url).pathname.split('/');
      const method = more === undefined ? 'GET' : 'POST';
      if (robot !== undefined && !ROBOTS.includes(robot)) return new Response(null, { status: 404 });
      if (request.method !== method) return new Response(null, { status: 405, headers: { allow: method } });
      if (robot === undefined) return Response.json(ROBOTS.map((id) => ({ id })));
      return more === undefined ? Response.json({ id: robot }) : plan(robot, await request.text());
    },
  };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

async function findingsWith(server: { readonly fetch: typeof fetch }): Promise<readonly Finding[]> {
  const { findings } = await runContract({
    api: await loadDocument(SPEC),
    url: 'http://robots.test',
    fetch: server.fetch,
    phases: ['examples', 'boundary'],
    seed: 1,
    // The robots were there before the run.
    touchExisting: true,
  });
  return findings;
}

test.each([
  ['all items take it', ROBOTS],
  ['the item in the first call does not take it, and another one does', ['cart']],
  ['only an item far down the list takes it', ['welder']],
])('an optional value is no finding if %s', async (_case, withArm) => {
  expect(await findingsWith(serveRobots(withArm))).toEqual([]);
});

test('an optional value that no item takes is a finding, after it was tried on others', async () => {
  const server = serveRobots([]);
  const findings = await findingsWith(server);
  expect(findings.map(({ check, pointer }) => [check, pointer])).toEqual([['valid input accepted', '/arm']]);
  expect([...server.planned].toSorted()).toEqual(ROBOTS.toSorted());
});
