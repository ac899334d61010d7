import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Tool } from '../../../generated/generation/types.js';
import { ask, generate, start, textOf, type GenerationMock } from './calls.js';

let mock: GenerationMock;
beforeAll(async () => {
  mock = await start({});
});
afterAll(() => mock.close());

async function structured(config: object, text = 'boats'): Promise<unknown> {
  const generationConfig = { responseMimeType: 'application/json', ...config };
  const { status, body } = await generate(mock, { ...ask(text), generationConfig });
  expect(body.error).toBeUndefined();
  expect(status).toBe(200);
  return JSON.parse(textOf(body));
}

describe('structured responses', () => {
  test('structured responses follow a schema with upper-case types, in its order of members', async () => {
    const value = (await structured({
      responseSchema: {
        type: 'ARRAY',
        minItems: '2',
        maxItems: '2',
        items: {
          type: 'OBJECT',
          properties: {
            boat_name: { type: 'STRING' },
            length: { type: 'INTEGER', minimum: 3, maximum: 5 },
            flag: { type: 'STRING', enum: ['SE', 'FR'], nullable: true },
          },
          required: ['length', 'boat_name', 'flag'],
          propertyOrdering: ['length', 'boat_name', 'flag'],
        },
      },
    })) as Record<string, unknown>[];
    expect(value).toHaveLength(2);
    for (const boat of value) {
      expect(Object.keys(boat)).toEqual(['length', 'boat_name', 'flag']);
      expect([3, 4, 5]).toContain(boat['length']);
      expect(['SE', 'FR', null]).toContain(boat['flag']);
    }
  });

  test('structured responses follow references, anchors and alternatives', async () => {
    const responseJsonSchema = {
      $defs: {
        boat: {
          type: 'object',
          properties: { name: { type: 'string' }, next: { $ref: '#/$defs/boat' }, kind: { $ref: '#kind' } },
          required: ['name', 'kind'],
        },
        kind: { $anchor: 'kind', enum: ['sail', 'motor', 3] },
      },
      type: 'object',
      properties: {
        first: { $ref: '#/$defs/boat' },
        pair: { prefixItems: [{ type: 'integer' }, { type: 'boolean' }], type: 'array', minItems: 2, maxItems: 2 },
        either: { oneOf: [{ type: 'string' }, { type: 'null' }] },
      },
      required: ['first', 'pair', 'either'],
      additionalProperties: false,
    };
    const value = (await structured({ responseJsonSchema })) as {
      first: { kind: unknown };
      pair: unknown[];
      either: unknown;
    };
    expect(['sail', 'motor', 3]).toContain(value.first.kind);
    expect(value.pair.map((one) => typeof one)).toEqual(['number', 'boolean']);
    expect(value.either === null || typeof value.either === 'string').toBe(true);
  });

  test.each([
    [{ $ref: '#/$defs/none' }],
    [{ type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }],
    [false],
  ])('refuses a response schema that no value satisfies: %j', async (responseJsonSchema) => {
    const { status, body } = await generate(mock, {
      ...ask('x'),
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema },
    });
    expect([status, body.error?.violations?.[0]?.pointer]).toEqual([400, '/generationConfig/responseJsonSchema']);
  });

  test.each([
    [{ type: 'papa' }, '/type'],
    [{ type: ['string', 5] }, '/type/1'],
    [{ type: [] }, '/type'],
    [{ $ref: '#/%zz' }, ''],
    [{ anyOf: [] }, '/anyOf'],
    [{ required: ['a', 'a'] }, '/required'],
    [{ properties: { 'a/b': { type: 'nope' } } }, '/properties/a~1b/type'],
    [{ properties: { a: { $ref: '#/$defs/x' } }, $defs: { x: { items: { type: 'any' } } } }, '/$defs/x/items/type'],
    [{ type: 'object', minItems: -1 }, '/minItems'],
  ])('a responseJsonSchema that is no JSON Schema is refused with 400: %j', async (schema, place) => {
    const base = '/generationConfig/responseJsonSchema';
    const generationConfig = { responseMimeType: 'application/json', responseJsonSchema: schema };
    const { status, body } = await generate(mock, { ...ask('x'), generationConfig });
    expect(body.error).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
    expect([status, body.error?.violations?.[0]?.pointer]).toEqual([400, base + place]);
  });

  test.each([[{ type: 'papa' }], [{ required: 'a' }], [{ properties: [] }], [{ enum: 5 }], [{ items: 'a' }]])(
    'parameters of a function that are no JSON Schema are refused with 400: %j',
    async (schema) => {
      const { status, body } = await generate(mock, {
        ...ask('x'),
        tools: [{ functionDeclarations: [{ name: 'f', description: 'F', parametersJsonSchema: schema }] }],
        toolConfig: { functionCallingConfig: { mode: 'ANY' } },
      });
      expect([status, body.error?.violations?.[0]?.pointer.startsWith('/tools/0/')]).toEqual([400, true]);
    },
  );

  const names = (count: number): string[] => Array.from({ length: count }, (_none, index) => `text${index}`);
  test.each([
    ['values of an enum', { enum: names(60_000) }],
    ['members', { properties: Object.fromEntries(names(5_000).map((name) => [name, { type: 'string' }])) }],
    ['alternatives', { anyOf: names(5_000).map((name) => ({ enum: [name] })) }],
    [
      'references',
      { $defs: Object.fromEntries(names(5_000).map((name, index) => [name, { $ref: `#/$defs/text${index + 1}` }])) },
    ],
    ['lists in lists', { type: 'array', minItems: 500, items: { type: 'array', minItems: 500, items: { enum: [1] } } }],
  ])('a responseJsonSchema of a great many %s is refused with 400', async (_what, responseJsonSchema) => {
    const generationConfig = { responseMimeType: 'application/json', responseJsonSchema };
    const { status, body } = await generate(mock, { ...ask('x'), generationConfig });
    expect([status, body.error?.violations?.[0]?.pointer]).toEqual([400, '/generationConfig/responseJsonSchema']);
  });

  test('a responseJsonSchema may have many values in an enum and many anchors', async () => {
    const values = names(19_000);
    expect(values).toContain(await structured({ responseJsonSchema: { type: 'string', enum: values } }));
    const $defs = Object.fromEntries(names(450).map((name) => [name, { $anchor: name, enum: [name] }]));
    const properties = Object.fromEntries(names(450).map((name) => [name, { $ref: `#${name}` }]));
    const value = await structured({ responseJsonSchema: { $defs, type: 'object', properties, required: ['text7'] } });
    expect(value).toMatchObject({ text7: 'text7' });
  });

  test('a structured response with an enum is the choice that the prompt names', async () => {
    const values = ['calm', 'rough'];
    for (const schema of [
      { responseSchema: { type: 'STRING', enum: values } },
      { responseJsonSchema: { type: 'string', enum: values } },
    ]) {
      const generationConfig = { responseMimeType: 'text/x.enum', ...schema };
      const said = async (text: string): Promise<string> =>
        textOf((await generate(mock, { ...ask(text), generationConfig })).body);
      expect(await said('Is it rough?')).toBe('rough');
      expect(values).toContain(await said('?'));
    }
    const without = await generate(mock, { ...ask('x'), generationConfig: { responseMimeType: 'text/x.enum' } });
    expect(without.status).toBe(400);
  });

  test('a structured response without a schema is JSON', async () => {
    expect(await structured({})).toEqual({ response: 'You said: boats' });
  });
});

const TOOLS: Tool[] = [
  {
    functionDeclarations: [
      {
        name: 'harbour.find_berth',
        description: 'Finds free berths.',
        parameters: {
          type: 'OBJECT',
          properties: { boat_length: { type: 'NUMBER', minimum: 1, maximum: 60 } },
          required: ['boat_length'],
        },
      },
      {
        name: 'log_visit',
        description: 'Writes a visit.',
        parametersJsonSchema: { type: 'object', properties: { boat: { enum: ['Ada'] } }, required: ['boat'] },
      },
      { name: 'ping', description: 'Says so.' },
    ],
  },
];

describe('function calls', () => {
  test.each([
    ['Is a berth free?', undefined, 'harbour.find_berth'],
    ['Write down this visit', 'AUTO', 'log_visit'],
    ['Hello', 'AUTO', undefined],
    ['Hello', 'ANY', 'harbour.find_berth'],
    ['Is a berth free?', 'NONE', undefined],
    ['Is a berth free?', 'VALIDATED', 'harbour.find_berth'],
  ])('a function call with %s in mode %s', async (text, mode, name) => {
    const toolConfig = mode === undefined ? {} : { functionCallingConfig: { mode } };
    const { body } = await generate(mock, { ...ask(text), tools: TOOLS, toolConfig });
    const { functionCall } = body.candidates?.[0]?.content?.parts?.[0] ?? {};
    expect(functionCall?.name).toBe(name);
    if (name === 'harbour.find_berth') expect(functionCall?.args?.['boat_length']).toBeGreaterThanOrEqual(1);
    if (name === 'log_visit') expect(functionCall?.args).toEqual({ boat: 'Ada' });
  });

  test('function calls use only the allowed names, which must be declared', async () => {
    const config = (names: string[]): object => ({
      functionCallingConfig: { mode: 'ANY', allowedFunctionNames: names },
    });
    const { body } = await generate(mock, { ...ask('a berth'), tools: TOOLS, toolConfig: config(['ping']) });
    expect(body.candidates?.[0]?.content?.parts?.[0]?.functionCall).toMatchObject({ name: 'ping', args: {} });
    expect((await generate(mock, { ...ask('x'), tools: TOOLS, toolConfig: config(['none']) })).status).toBe(400);
    expect((await generate(mock, { ...ask('x'), toolConfig: config([]) })).status).toBe(400);
  });

  test('after a function result the model responds with a text', async () => {
    const contents = [
      { role: 'user', parts: [{ text: 'a berth' }] },
      { role: 'model', parts: [{ functionCall: { name: 'ping', args: {} } }] },
      { role: 'function', parts: [{ functionResponse: { name: 'ping', response: { free: 3 } } }] },
    ];
    expect(textOf((await generate(mock, { contents, tools: TOOLS })).body)).toBe('ping answered {"free":3}.');
  });

  test.each([['a'.repeat(129)], ['with space']])('a declaration named %s is refused', async (name) => {
    expect(
      (await generate(mock, { ...ask('x'), tools: [{ functionDeclarations: [{ name, description: 'd' }] }] })).status,
    ).toBe(400);
  });
});

test('tools of the server add grounding to a response', async () => {
  const { body } = await generate(
    mock,
    ask('tides at https://example.com/tides.', {
      tools: [{ vendorSearch: {} }, { urlContext: {} }, { codeExecution: {} }, { vendorMaps: { enableWidget: true } }],
    }),
  );
  const [candidate = {}] = body.candidates ?? [];
  expect(candidate.groundingMetadata?.groundingChunks).toHaveLength(2);
  expect(candidate.groundingMetadata?.vendorMapsWidgetContextToken).toBeDefined();
  expect(candidate.urlContextMetadata?.urlMetadata).toEqual([
    { retrievedUrl: 'https://example.com/tides', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' },
  ]);
  expect(candidate.content?.parts?.map((part) => Object.keys(part)[0])).toEqual([
    'executableCode',
    'codeExecutionResult',
    'text',
  ]);
});

test('a search adds its queries and sources to the text part', async () => {
  const { body } = await generate(
    mock,
    ask('Where is the lighthouse?', {
      tools: [{ vendorSearch: { searchTypes: { imageSearch: {} } } }, { codeExecution: {} }],
      generationConfig: { thinkingConfig: { includeThoughts: true } },
    }),
  );
  const { content, groundingMetadata = {} } = body.candidates?.[0] ?? {};
  expect(groundingMetadata.imageSearchQueries).toEqual(['Where is the lighthouse?']);
  expect(groundingMetadata.webSearchQueries).toBeUndefined();
  const { partIndex = 0, text } = groundingMetadata.groundingSupports?.[0]?.segment ?? {};
  expect(content?.parts?.[partIndex]?.text).toBe(text);
});

test.each([
  ['always', 'The tide', {}, 1, undefined],
  ['always, where the mode is not said', 'The tide', { mode: 'MODE_UNSPECIFIED' }, 1, undefined],
  ['when it is needed', 'When is the tide?', { mode: 'MODE_DYNAMIC' }, 1, 0.9],
  ['not when it is not needed', 'The tide', { mode: 'MODE_DYNAMIC' }, 0, 0.1],
  ['from the threshold on', 'The tide', { mode: 'MODE_DYNAMIC', dynamicThreshold: 0.1 }, 1, 0.1],
] as const)('retrieval searches %s', async (_name, text, dynamicRetrievalConfig, chunks, score) => {
  const { body } = await generate(mock, ask(text, { tools: [{ vendorSearchRetrieval: { dynamicRetrievalConfig } }] }));
  const { groundingChunks = [], retrievalMetadata } = body.candidates?.[0]?.groundingMetadata ?? {};
  expect(groundingChunks).toHaveLength(chunks);
  expect(retrievalMetadata?.vendorSearchDynamicRetrievalScore).toBe(score);
});

describe('what tools cost and show', () => {
  const search = [{ vendorSearch: {} }] as Tool[];

  test('tokens of tool results are counted apart from the total', async () => {
    const { body } = await generate(mock, { ...ask('boats'), tools: search });
    const { usageMetadata } = body;
    expect(usageMetadata?.toolUsePromptTokenCount).toBeGreaterThan(0);
    expect(usageMetadata?.toolUsePromptTokensDetails).toEqual([
      { modality: 'TEXT', tokenCount: usageMetadata?.toolUsePromptTokenCount },
    ]);
    expect(usageMetadata?.totalTokenCount).toBe(
      (usageMetadata?.promptTokenCount ?? 0) + (usageMetadata?.candidatesTokenCount ?? 0),
    );
    expect((await generate(mock, ask('boats'))).body.usageMetadata?.toolUsePromptTokenCount).toBeUndefined();
  });

  test('invocations of server tools are parts if the request asks for them', async () => {
    const toolConfig = { includeServerSideToolInvocations: true };
    const { body } = await generate(mock, { ...ask('boats'), tools: search, toolConfig });
    const [call, response] = body.candidates?.[0]?.content?.parts ?? [];
    expect(call?.toolCall?.toolType).toBe('VENDOR_SEARCH_WEB');
    expect(response?.toolResponse?.id).toBe(call?.toolCall?.id);
    const plain = await generate(mock, { ...ask('boats'), tools: search });
    expect(plain.body.candidates?.[0]?.content?.parts?.some(({ toolCall }) => toolCall !== undefined)).toBe(false);
  });

  test('a search result has a blob, and a document its address, page and media type', async () => {
    const { body } = await generate(mock, {
      ...ask('boats'),
      tools: [...search, { fileSearch: { fileSearchStoreNames: ['fileSearchStores/a'] } }] as Tool[],
    });
    const { searchEntryPoint, groundingChunks = [] } = body.candidates?.[0]?.groundingMetadata ?? {};
    expect(JSON.parse(Buffer.from(searchEntryPoint?.sdkBlob ?? '', 'base64').toString())).toMatchObject([
      { searchTerm: 'boats' },
    ]);
    expect(
      groundingChunks.find(({ retrievedContext }) => retrievedContext !== undefined)?.retrievedContext,
    ).toMatchObject({
      pageNumber: 1,
      mediaId: expect.stringMatching(/^fileSearchStores\/a\/media\//),
      customMetadata: [{ key: 'origin', stringValue: 'mock' }],
    });
  });
});

describe('triggers', () => {
  test('the trigger [finish:MAX_TOKENS] cuts the text in half', async () => {
    const whole = textOf((await generate(mock, ask('one two three four'))).body);
    const { body } = await generate(mock, ask('one two three four [finish:MAX_TOKENS]'));
    expect(body.candidates?.[0]?.finishReason).toBe('MAX_TOKENS');
    const half = textOf(body);
    expect([whole.startsWith(half), half.length > 0 && half.length < whole.length]).toEqual([true, true]);
  });

  test('the trigger [finish:RECITATION] names the source', async () => {
    const { body } = await generate(mock, ask('[finish:RECITATION]'));
    expect(body.candidates?.[0]?.citationMetadata?.citationSources).toMatchObject([
      { uri: 'https://example.com/source' },
    ]);
  });

  test.each(['[finish:BOGUS]', '[block:NOTHING]', '[error:418]'])(
    '%s is refused: it would do nothing',
    async (text) => {
      expect((await generate(mock, ask(text))).status).toBe(400);
    },
  );

  test('the trigger [finish:STOP] changes nothing', async () => {
    expect((await generate(mock, ask('a [finish:STOP]'))).body.candidates?.[0]?.finishReason).toBe('STOP');
  });
});

test('types of schemas are accepted in any letter case', async () => {
  const responseSchema = { type: 'object', properties: { n: { type: 'Integer' } }, required: ['n'] };
  expect(Number.isInteger(((await structured({ responseSchema })) as { n: number }).n)).toBe(true);
});

test('a union of a schema needs no type beside anyOf', async () => {
  const anyOf = [{ type: 'STRING' }, { type: 'NUMBER' }];
  const responseSchema = { type: 'OBJECT', properties: { v: { anyOf } }, required: ['v'] };
  expect(['string', 'number']).toContain(typeof ((await structured({ responseSchema })) as { v: unknown }).v);
});
