import { expect, test } from 'vitest';

import { startMock } from '../../../entry/mock.js';
import { valueAtPath } from '../../../model/document/pointer.js';
import { describeMap } from '../../../resources/map/describe-map.js';
import { loadDocument } from '../../support/load-document.js';

type Json = Readonly<Record<string, unknown>>;

const TEXT: Json = { type: 'string' };
const object = (properties: Json, required: readonly string[] = []): Json => ({ type: 'object', required, properties });
const listOf = (items: Json): Json => ({ type: 'array', items });
const RECIPE: Json = { $ref: '#/components/schemas/Recipe' };
const ONE = object({ recipe: RECIPE }, ['recipe']);

/** Calls by their word: the body and the response. */
const CALLS: Readonly<Record<string, readonly [body: Json, response: Json]>> = {
  create: [object({ title: TEXT }, ['title']), ONE],
  info: [object({ recipeId: TEXT }, ['recipeId']), ONE],
  list: [object({}), object({ recipes: listOf(RECIPE) }, ['recipes'])],
  drafts: [object({}), object({ recipes: listOf(RECIPE) }, ['recipes'])],
  lookalikes: [object({ text: TEXT }), object({ hits: listOf(object({ score: { type: 'number' }, recipe: RECIPE })) })],
  import: [object({ url: TEXT }, ['url']), ONE],
  invite: [object({ entries: listOf(object({ title: TEXT })) }), object({ recipes: listOf(RECIPE) })],
  add_cook: [object({ recipeId: TEXT, cookId: TEXT }, ['recipeId']), object({ count: { type: 'integer' } })],
  tidy: [object({}), object({ count: { type: 'integer' } })],
};

const json = (schema: Json): Json => ({ content: { 'application/json': { schema } } });

function toDocument(): Json {
  const paths = Object.entries(CALLS).map(([word, [body, response]]) => {
    const responses = { 200: { description: 'ok', ...json(response) }, 404: { description: 'none' } };
    return [`/recipes.${word}`, { post: { operationId: word, requestBody: json(body), responses } }] as const;
  });
  return {
    openapi: '3.1.0',
    info: { title: 'Recipes', version: '1' },
    paths: Object.fromEntries(paths),
    components: { schemas: { Recipe: object({ id: TEXT, title: TEXT, url: TEXT }, ['id', 'title']) } },
  };
}

async function withMock(
  check: (call: (word: string, body: Json) => Promise<readonly [number, unknown]>) => Promise<void>,
): Promise<void> {
  const mock = await startMock(await loadDocument(toDocument()));
  const call = async (word: string, body: Json): Promise<readonly [number, unknown]> => {
    const response = await mock.fetch(`${mock.url}/recipes.${word}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const read: unknown = await response.json();
    return [response.status, read];
  };
  try {
    await check(call);
  } finally {
    await mock.close();
  }
}

test('the map names the folder of calls by word as the spec writes it, and the role of each call', async () => {
  const { resources, others } = describeMap(await loadDocument(toDocument()));
  const [recipes] = resources;
  expect(recipes?.path).toBe('/recipes');
  expect(recipes?.operations.map(({ role, operationId }) => `${role} ${operationId}`)).toEqual([
    'create create',
    'read info',
    'list list',
    'list drafts',
    'list lookalikes',
    'create import',
    'createMany invite',
  ]);
  expect(others.map(({ operationId, reason }) => `${operationId}: ${reason}`)).toEqual([
    'add_cook: it takes the id of an item of /recipes, but returns something else',
    'tidy: it takes no id of an item of /recipes, and its response is neither a new one nor a list of them',
  ]);
});

test('other lists of a folder show what was created, also inside of other objects', async () => {
  await withMock(async (call) => {
    const [, made] = await call('create', { title: 'Soup' });
    const recipe = valueAtPath(made, ['recipe']);
    expect((await call('drafts', {}))[1]).toEqual({ recipes: [recipe] });
    const [, found] = await call('lookalikes', {});
    expect(valueAtPath(found, ['hits', '0', 'recipe']) ?? found).toEqual(recipe);
  });
});

test('calls that create with other words create one item, or each of a list', async () => {
  await withMock(async (call) => {
    await call('import', { url: 'soup.txt' });
    await call('invite', { entries: [{ title: 'Bread' }, { title: 'Tea' }] });
    const [, list] = await call('list', {});
    expect(valueAtPath(list, ['recipes'])).toHaveLength(3);
  });
});

test('a call without a role is refused for the id of an item that does not exist', async () => {
  await withMock(async (call) => {
    const [, made] = await call('create', { title: 'Soup' });
    const recipeId = String(valueAtPath(made, ['recipe', 'id']));
    expect((await call('add_cook', { recipeId, cookId: 'c' }))[0]).toBe(200);
    expect((await call('add_cook', { recipeId: 'unknown', cookId: 'c' }))[0]).toBe(404);
  });
});
