/** A JSON object that edits are made to. */
export type Draft = Record<string, unknown>;

const MONEY = {
  type: 'object',
  description: 'An amount of money.',
  required: ['amount', 'currency'],
  properties: {
    amount: { type: 'number', minimum: 0, multipleOf: 0.01, description: 'How much.' },
    currency: { type: 'string', pattern: '^[A-Z]{3}$', title: 'Currency' },
    roundedTo: { type: 'string', enum: ['cent', 'unit', 'hundred'] },
  },
};

/** A spec in which one thing depends on another in every way that the generator knows. */
export function changingSpec(): Draft {
  return {
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1.0.0', description: 'A shop.' },
    servers: [{ url: 'https://{place}.example.com', variables: { place: { default: 'eu', description: 'Where.' } } }],
    tags: [{ name: 'pets', description: 'All of them.' }],
    security: [{ key: [] }],
    paths: {
      '/pets/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } }],
        get: {
          operationId: 'getPet',
          tags: ['pets'],
          summary: 'One pet.',
          parameters: [
            {
              name: 'fields',
              in: 'query',
              schema: { type: 'string', enum: ['all', 'few'], 'x-enum-any-case': true },
              example: 'ALL',
            },
          ],
          responses: {
            200: {
              description: 'The pet.',
              headers: { 'X-Count': { schema: { type: 'integer' }, description: 'How many.' } },
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' }, examples: PETS } },
            },
            404: { $ref: '#/components/responses/Problem' },
          },
        },
        put: {
          operationId: 'putPet',
          tags: ['pets'],
          requestBody: {
            content: {
              'application/json': {
                schema: { type: 'object', properties: { name: { type: 'string', description: 'Its name.' } } },
                example: { name: 'Rex', source: 'here', schema: 'none' },
              },
            },
          },
          responses: { 204: { description: 'Done.' }, default: { $ref: '#/components/responses/Problem' } },
          callbacks: {
            changed: { '{$request.body#/url}': { post: { responses: { 200: { description: 'Seen.' } } } } },
          },
        },
      },
      '/owners': {
        post: {
          operationId: 'addOwner',
          tags: ['owners'],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Owner' } } },
          },
          responses: { 201: { description: 'Made.', content: { 'application/json': { schema: MONEY } } } },
        },
      },
    },
    webhooks: { petSold: { post: { operationId: 'petSold', responses: { 200: { description: 'Seen.' } } } } },
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key', description: 'The key.' } },
      responses: {
        Problem: {
          description: 'What is wrong.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
      schemas: {
        Pet: {
          type: 'object',
          description: 'A pet.',
          required: ['id', 'name'],
          properties: {
            id: { type: 'string', readOnly: true },
            name: { type: 'string', minLength: 1, description: 'Its name.' },
            kind: { $ref: '#/components/schemas/Kind' },
            price: MONEY,
            owner: { $ref: '#/components/schemas/Owner' },
            parent: { $ref: '#/components/schemas/Pet' },
          },
        },
        Owner: {
          type: 'object',
          properties: { name: { type: 'string', default: 'Ann' }, password: { type: 'string', writeOnly: true } },
        },
        Kind: { type: 'string', enum: ['cat', 'dog', 'fish'], title: 'Kind' },
        Problem: { type: 'object', properties: { message: { type: 'string', format: 'strange' }, cost: MONEY } },
        Animal: {
          oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
          discriminator: { propertyName: 'is' },
        },
        Cat: { type: 'object', required: ['is'], properties: { is: { const: 'Cat' }, lives: { type: 'integer' } } },
        Dog: { type: 'object', required: ['is'], properties: { is: { const: 'Dog' }, price: MONEY } },
      },
    },
  };
}

const PETS = {
  rex: { summary: 'A dog.', value: { id: '1', name: 'Rex', kind: 'dog' } },
  odd: { value: { id: 2, source: 'a list', description: 'Not a pet.' } },
};

export const EDIT_KINDS: readonly [
  ...['text', 'leaf', 'ref', 'enum', 'example', 'constraint'],
  ...['property', 'remove', 'reorder', 'rename', 'operation'],
] = ['text', 'leaf', 'ref', 'enum', 'example', 'constraint', 'property', 'remove', 'reorder', 'rename', 'operation'];

/** One change of a spec. `at` chooses where, `value` what stands there then; any whole numbers will do. */
export interface SpecEdit {
  readonly kind: EditKind;
  readonly at: number;
  readonly value: number;
}

type EditKind = (typeof EDIT_KINDS)[number];

/** Makes a change. A spec without the place stays as it is. */
export function editSpec(spec: Draft, { kind, at, value }: SpecEdit): void {
  EDITS[kind](spec, at, value);
}

const WORDS = ['one', 'Two words', '*/ */', 'x', '', 'Pet', 'ALL'];
const TEXTS: ReadonlySet<string> = new Set(['description', 'summary', 'title']);
const REFS = ['Pet', 'Owner', 'Kind', 'Problem', 'Cat', 'Dog', 'Renamed'];
const CONSTRAINTS: readonly Draft[] = [
  { readOnly: true },
  { writeOnly: true },
  { deprecated: true },
  { default: 'x' },
  { examples: ['given'] },
  { format: 'date' },
  { type: 'integer' },
  { 'x-enum-any-case': true },
  { 'x-vendor-note': { anything: 1 } },
  { minLength: 3 },
  { unevaluatedProperties: false },
];

const EDITS: Readonly<Record<EditKind, (spec: Draft, at: number, value: number) => void>> = {
  text: (spec, at, value) => changeMember(spec, (key) => TEXTS.has(key), { at, to: `${pick(WORDS, value)} ${value}` }),
  leaf: (spec, at, value) =>
    changeMember(spec, (key, old) => ['string', 'number', 'boolean'].includes(typeof old) && key !== '$ref', {
      at,
      to: pick([...WORDS, value, true], value),
    }),
  ref: (spec, at, value) =>
    changeMember(spec, (key) => key === '$ref', { at, to: `#/components/schemas/${pick(REFS, value)}` }),
  enum: (spec, at, value) =>
    changeMember(spec, (key) => key === 'enum', { at, to: [pick(WORDS, value), 'cat', 'dog'] }),
  example: (spec, at, value) =>
    changeMember(spec, (key) => key === 'source' || key === 'schema', { at, to: pick(['a', 'b', 'c'], value) }),
  constraint: (spec, at, value) => {
    const schema = pick(findSchemas(spec), at);
    const [key = '', member] = Object.entries(pick(CONSTRAINTS, value))[0] ?? [];
    if (key in schema) delete schema[key];
    else schema[key] = member;
  },
  property: (spec, at, value) => {
    const owner = pick(findSchemas(spec), at);
    owner['properties'] = { [pick(WORDS, value)]: { type: 'string' }, ...Object(owner['properties']) };
  },
  remove: (spec, at) => {
    const { holder, key } = pick(listMembers(spec), at);
    if (holder !== spec) delete holder[key];
  },
  reorder: (spec, at) => {
    const holder = pick(listMembers(spec), at).holder;
    const [first] = Object.keys(holder);
    if (first === undefined) return;
    const member = holder[first];
    delete holder[first];
    holder[first] = member;
  },
  rename: (spec, at) => {
    const schemas = schemasOf(spec);
    const name = pick(Object.keys(schemas), at);
    const to = name === 'Renamed' ? 'renamed' : 'Renamed';
    const text = JSON.stringify(spec).replaceAll(`schemas/${name}"`, `schemas/${to}"`);
    Object.assign(spec, JSON.parse(text));
    schemasOf(spec)[to] = schemasOf(spec)[name];
    delete schemasOf(spec)[name];
  },
  operation: (spec, at, value) => {
    const schema = { $ref: `#/components/schemas/${pick(REFS, value)}` };
    const response = { description: 'ok', content: { 'application/json': { schema } } };
    const added = { operationId: pick(['getPet', 'Pet', 'new', 'delete'], value), responses: { 200: response } };
    Object.assign(Object(spec['paths']), { [`/added/${at % 3}`]: { get: { ...added, tags: [pick(WORDS, at)] } } });
  },
};

function pick<T>(list: readonly T[], at: number): T {
  const found = list[at % list.length];
  if (found === undefined) throw new RangeError('There is nothing to choose from.');
  return found;
}

interface Member {
  readonly holder: Draft;
  readonly key: string;
}

function listMembers(node: unknown): Member[] {
  if (typeof node !== 'object' || node === null) return [];
  const holder = node as Draft;
  return Object.keys(holder).flatMap((key) => [{ holder, key }, ...listMembers(holder[key])]);
}

function changeMember(
  spec: Draft,
  fits: (key: string, value: unknown) => boolean,
  { at, to }: { readonly at: number; readonly to: unknown },
): void {
  const found = listMembers(spec).filter(({ holder, key }) => fits(key, holder[key]));
  if (found.length === 0) return;
  const { holder, key } = pick(found, at);
  holder[key] = to;
}

function findSchemas(spec: Draft): Draft[] {
  const found = listMembers(spec).filter(({ holder, key }) => key === 'type' && holder['in'] === undefined);
  return found.map(({ holder }) => holder);
}

function schemasOf(spec: Draft): Draft {
  const components = Object(spec['components']) as Draft;
  components['schemas'] ??= { Pet: {} };
  return components['schemas'] as Draft;
}
