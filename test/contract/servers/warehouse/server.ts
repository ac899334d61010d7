import { createServer } from 'node:http';
import path from 'node:path';

import express, { type NextFunction, type Request, type Response } from 'express';

import { type ForeignApi, listen } from '../foreign-api.js';

interface Supplier {
  id: number;
  name: string;
  email: string;
  country: string;
}

interface Product {
  id: number;
  createdAt: string;
  sku: string;
  name: string;
  description: string | null;
  price: number;
  category: string;
  supplierId: number;
  tags: string[];
  active: boolean;
  version: number;
}

interface Movement {
  id: number;
  productId: number;
  quantity: number;
  reason: string;
  note?: string;
}

interface FieldError {
  type: 'field';
  location: 'body' | 'query' | 'params';
  path: string;
  msg: string;
}

class HttpError extends Error {
  readonly status: number;
  readonly errors: FieldError[] | undefined;

  constructor(status: number, message: string, errors?: FieldError[]) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

type Body = Record<string, unknown>;
type Rule = (value: unknown) => boolean;

const COUNTRIES = ['CZ', 'DE', 'SK', 'PL'];
const CATEGORIES = ['tools', 'garden', 'paint', 'other'];
const REASONS = ['delivery', 'sale', 'correction'];

const length = (text: string): number => [...text].length;
const isText =
  (min: number, max: number): Rule =>
  (value) =>
    typeof value === 'string' && length(value) >= min && length(value) <= max;
const isInteger =
  (min: number, max = Number.MAX_VALUE): Rule =>
  (value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
const isOneOf =
  (values: string[]): Rule =>
  (value) =>
    typeof value === 'string' && values.includes(value);

const BUGS = {
  'unknown-id-500': 'GET of an unknown product fails with 500',
  'put-merges': 'PUT keeps the description that was left out',
  'patch-resets-tags': 'PATCH without tags empties the tags',
  'null-keeps': 'PATCH with description null keeps the old one',
  'if-match-ignored': 'PUT with an old ETag overwrites a newer version',
  'etag-frozen': 'The ETag stays the same after a change',
  'total-short': 'The total is one too small',
  'category-ignored': 'The filter by category does nothing',
  'sort-descending': 'sort=-price sorts upwards',
  'page-skips': 'From page 2 on one product is skipped',
  'per-page-max': 'perPage=100 is refused',
  'deleted-listed': 'A deleted product stays in the list',
  'delete-siblings': 'Deleting a product deletes all products of its supplier',
  'price-zero': 'A price of 0 is refused as missing',
  'default-inactive': 'A product without active is inactive',
  'sku-pattern': 'The pattern of sku is not anchored',
  'name-length': 'A name of any length is accepted',
  'date-format': 'createdAt is no RFC 3339 date',
  'empty-tags': 'PATCH with tags [] keeps the old tags',
  'movements-mixed': 'The movements of all products are listed below each',
  'location-wrong': 'The Location of a new product leads nowhere',
  'latin1-names': 'Names beyond Latin-1 are garbled',
} as const;

type Bug = keyof typeof BUGS;

class Warehouse {
  readonly suppliers = new Map<number, Supplier>();
  readonly products = new Map<number, Product>();
  readonly deleted: Product[] = [];
  readonly movements: Movement[] = [];
  #id = 100;

  constructor() {
    for (const [name, country] of [
      ['Bosna Tools', 'CZ'],
      ['Garten Meyer', 'DE'],
    ] as const) {
      const id = this.nextId();
      this.suppliers.set(id, { id, name, country, email: `${name.split(' ')[0]!.toLowerCase()}@example.com` });
    }
    const seeds: [string, string, number, string][] = [
      ['HAM-0001', 'Hammer', 12.5, 'tools'],
      ['RAK-0002', 'Rake', 19.9, 'garden'],
      ['PNT-0003', 'White paint', 8, 'paint'],
      ['SAW-0004', 'Saw', 22, 'tools'],
    ];
    for (const [sku, name, price, category] of seeds) {
      const id = this.nextId();
      const supplierId = category === 'garden' ? 102 : 101;
      this.products.set(id, {
        id, createdAt: '2026-01-05T10:00:00Z', sku, name, description: null,
        price, category, supplierId, tags: [], active: true, version: 1,
      }); // prettier-ignore
    }
  }

  nextId(): number {
    this.#id += 1;
    return this.#id;
  }
}

function createApp(bug: string | undefined): express.Express {
  const has = (name: Bug): boolean => bug === name;
  const db = new Warehouse();
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  const api = express.Router();
  app.use('/api', api);

  api.use((request, response, next) => {
    if (request.get('x-api-key') === 'warehouse-key') return next();
    response.status(401).json({ message: 'A valid X-Api-Key is needed.' });
  });
  api.use((request, _response, next) => {
    const wantsBody = ['POST', 'PUT', 'PATCH'].includes(request.method);
    if (wantsBody && !request.is('application/json')) next(new HttpError(415, 'Send application/json.'));
    else next();
  });
  api.use(express.json({ strict: false }));

  const check = (location: FieldError['location'], source: Body, rules: Record<string, Rule>): void => {
    const errors = Object.entries(rules)
      .filter(([name, rule]) => !rule(source[name]))
      .map(([name]): FieldError => ({ type: 'field', location, path: name, msg: 'Invalid value' }));
    if (errors.length > 0) throw new HttpError(400, 'invalid', errors);
  };
  const optional =
    (rule: Rule): Rule =>
    (value) =>
      value === undefined || rule(value);
  const bodyOf = (request: Request): Body => {
    const body: unknown = request.body;
    if (typeof body !== 'object' || body === null || Array.isArray(body))
      throw new HttpError(400, 'invalid', [{ type: 'field', location: 'body', path: '', msg: 'Must be an object' }]);
    return body as Body;
  };
  const idOf = (request: Request, name: string): number => {
    const text = String(request.params[name]);
    const id = Number(text);
    if (!/^\d+$/.test(text) || id < 1)
      throw new HttpError(400, 'invalid', [{ type: 'field', location: 'params', path: name, msg: 'Invalid value' }]);
    return id;
  };
  const queryNumber = (request: Request, name: string, fallback: number, max: number): number => {
    const text = request.query[name];
    if (text === undefined) return fallback;
    const value = typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
    check('query', { [name]: value }, { [name]: isInteger(1, max) });
    return value;
  };

  const skuPattern = has('sku-pattern') ? /[A-Z]{3}-[0-9]{4}/ : /^[A-Z]{3}-[0-9]{4}$/;
  const productRules: Record<string, Rule> = {
    sku: (value) => typeof value === 'string' && skuPattern.test(value),
    name: isText(1, has('name-length') ? 1e9 : 120),
    description: optional((value) => value === null || isText(0, 1000)(value)),
    price: (value) => typeof value === 'number' && value >= 0 && value <= 100000 && !(has('price-zero') && value === 0),
    category: isOneOf(CATEGORIES),
    supplierId: isInteger(1),
    tags: optional((value) => Array.isArray(value) && value.length <= 5 && value.every(isText(1, 20))),
    active: optional((value) => typeof value === 'boolean'),
  };
  const patchRules = Object.fromEntries(Object.entries(productRules).map(([name, rule]) => [name, optional(rule)]));
  const show = ({ version: _version, ...product }: Product): object => ({
    ...product,
    createdAt: has('date-format') ? product.createdAt.replace('T', ' ').replace('Z', '') : product.createdAt,
  });
  const tagOf = (product: Product): string =>
    has('etag-frozen') ? `"${product.id}"` : `"${product.id}-${product.version}"`;
  const find = (id: number): Product => {
    const product = db.products.get(id);
    if (product === undefined && has('unknown-id-500'))
      throw new TypeError("Cannot read properties of undefined (reading 'id')");
    if (product === undefined) throw new HttpError(404, 'There is no such product.');
    return product;
  };
  const checkReferences = (body: Body, self?: number): void => {
    if (body.supplierId !== undefined && !db.suppliers.has(body.supplierId as number))
      throw new HttpError(400, 'invalid', [
        { type: 'field', location: 'body', path: 'supplierId', msg: 'No such supplier' },
      ]);
    if ([...db.products.values()].some((other) => other.sku === body.sku && other.id !== self))
      throw new HttpError(409, `The sku ${String(body.sku)} is taken.`);
  };
  const spoil = (text: string): string => (has('latin1-names') ? Buffer.from(text, 'latin1').toString('latin1') : text);

  api.get('/suppliers', (request, response) => {
    const { country } = request.query;
    check('query', request.query, { country: optional(isOneOf(COUNTRIES)) });
    response.json(
      [...db.suppliers.values()].filter((supplier) => country === undefined || supplier.country === country),
    );
  });
  api.post('/suppliers', (request, response) => {
    const body = bodyOf(request);
    check('body', body, {
      name: isText(1, 80),
      email: (value) => typeof value === 'string' && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(value),
      country: isOneOf(COUNTRIES),
    });
    if ([...db.suppliers.values()].some((other) => other.email === body.email))
      throw new HttpError(409, 'The email is taken.');
    const id = db.nextId();
    const supplier = { id, name: String(body.name), email: String(body.email), country: String(body.country) };
    db.suppliers.set(id, supplier);
    response.status(201).location(`/api/suppliers/${id}`).json(supplier);
  });
  api.get('/suppliers/:supplierId', (request, response) => {
    const supplier = db.suppliers.get(idOf(request, 'supplierId'));
    if (supplier === undefined) throw new HttpError(404, 'There is no such supplier.');
    response.json(supplier);
  });
  api.delete('/suppliers/:supplierId', (request, response) => {
    const id = idOf(request, 'supplierId');
    if (!db.suppliers.has(id)) throw new HttpError(404, 'There is no such supplier.');
    if ([...db.products.values()].some((product) => product.supplierId === id))
      throw new HttpError(409, 'The supplier has products.');
    db.suppliers.delete(id);
    response.status(204).end();
  });

  api.get('/products', (request, response) => {
    check('query', request.query, {
      category: optional(isOneOf(CATEGORIES)),
      q: optional(isText(0, 50)),
      sort: optional(isOneOf(['name', '-name', 'price', '-price'])),
    });
    const { category, q, sort } = request.query as Record<string, string | undefined>;
    const supplierId = queryNumber(request, 'supplierId', 0, Number.MAX_VALUE);
    const page = queryNumber(request, 'page', 1, Number.MAX_VALUE);
    const perPage = queryNumber(request, 'perPage', 20, has('per-page-max') ? 99 : 100);
    const all = [...db.products.values(), ...(has('deleted-listed') ? db.deleted : [])];
    const found = all.filter(
      (product) =>
        (category === undefined || has('category-ignored') || product.category === category) &&
        (supplierId === 0 || product.supplierId === supplierId) &&
        (q === undefined || product.name.toLowerCase().includes(q.toLowerCase())),
    );
    if (sort !== undefined) {
      const key = sort.replace('-', '') as 'name' | 'price';
      const sign = sort.startsWith('-') && !(has('sort-descending') && key === 'price') ? -1 : 1;
      found.sort((one, other) => (one[key] < other[key] ? -sign : one[key] > other[key] ? sign : one.id - other.id));
    }
    const offset = (page - 1) * perPage + (has('page-skips') && page > 1 ? 1 : 0);
    const total = found.length - (has('total-short') && found.length > 0 ? 1 : 0);
    response.json({ items: found.slice(offset, offset + perPage).map(show), total, page, perPage });
  });
  api.post('/products', (request, response) => {
    const body = bodyOf(request);
    check('body', body, productRules);
    checkReferences(body);
    const product: Product = {
      id: db.nextId(),
      createdAt: new Date().toISOString(),
      sku: String(body.sku),
      name: spoil(String(body.name)),
      description: (body.description as string | null | undefined) ?? null,
      price: body.price as number,
      category: String(body.category),
      supplierId: body.supplierId as number,
      tags: (body.tags as string[] | undefined) ?? [],
      active: (body.active as boolean | undefined) ?? !has('default-inactive'),
      version: 1,
    };
    db.products.set(product.id, product);
    const place = has('location-wrong') ? `/api/product/${product.id}` : `/api/products/${product.id}`;
    response.status(201).location(place).set('etag', tagOf(product)).json(show(product));
  });
  api.get('/products/:productId', (request, response) => {
    const product = find(idOf(request, 'productId'));
    response.set('etag', tagOf(product));
    if (request.get('if-none-match') === tagOf(product)) response.status(304).end();
    else response.json(show(product));
  });
  const change = (request: Request, response: Response, apply: (product: Product, body: Body) => void): void => {
    const product = find(idOf(request, 'productId'));
    const body = bodyOf(request);
    check('body', body, request.method === 'PUT' ? productRules : patchRules);
    if (Object.keys(body).length === 0)
      throw new HttpError(400, 'invalid', [{ type: 'field', location: 'body', path: '', msg: 'Nothing to change' }]);
    const tag = request.get('if-match');
    if (tag !== undefined && tag !== '*' && tag !== tagOf(product) && !has('if-match-ignored'))
      throw new HttpError(412, 'The product has changed meanwhile.');
    checkReferences(body, product.id);
    apply(product, body);
    product.version += 1;
    response.set('etag', tagOf(product)).json(show(product));
  };
  api.put('/products/:productId', (request, response) =>
    change(request, response, (product, body) => {
      product.sku = String(body.sku);
      product.name = spoil(String(body.name));
      product.description =
        (body.description as string | null | undefined) ?? (has('put-merges') ? product.description : null);
      product.price = body.price as number;
      product.category = String(body.category);
      product.supplierId = body.supplierId as number;
      product.tags = (body.tags as string[] | undefined) ?? [];
      product.active = (body.active as boolean | undefined) ?? true;
    }),
  );
  api.patch('/products/:productId', (request, response) =>
    change(request, response, (product, body) => {
      const before = product.tags;
      const oldText = product.description;
      for (const name of Object.keys(productRules))
        if (body[name] !== undefined) Object.assign(product, { [name]: body[name] });
      product.name = spoil(product.name);
      if (has('patch-resets-tags') && body.tags === undefined) product.tags = [];
      if (has('empty-tags') && product.tags.length === 0) product.tags = before;
      if (has('null-keeps')) product.description ??= oldText;
    }),
  );
  api.delete('/products/:productId', (request, response) => {
    const product = find(idOf(request, 'productId'));
    db.products.delete(product.id);
    db.deleted.push(product);
    if (has('delete-siblings'))
      for (const other of db.products.values())
        if (other.supplierId === product.supplierId) db.products.delete(other.id);
    response.status(204).end();
  });
  api.get('/products/:productId/movements', (request, response) => {
    const product = find(idOf(request, 'productId'));
    response.json(db.movements.filter((movement) => has('movements-mixed') || movement.productId === product.id));
  });
  api.post('/products/:productId/movements', (request, response) => {
    const product = find(idOf(request, 'productId'));
    const body = bodyOf(request);
    check('body', body, { quantity: isInteger(-1000, 1000), reason: isOneOf(REASONS), note: optional(isText(0, 200)) });
    const movement: Movement = {
      id: db.nextId(),
      productId: product.id,
      quantity: body.quantity as number,
      reason: String(body.reason),
      ...(body.note === undefined ? {} : { note: body.note as string }),
    };
    db.movements.push(movement);
    response.status(201).json(movement);
  });

  app.use((_request, response) => void response.status(404).json({ message: 'There is no such page.' }));
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const status = (error as { status?: number }).status ?? 500;
    const unreadable: FieldError = { type: 'field', location: 'body', path: '', msg: 'Not readable' };
    const errors = error instanceof HttpError ? error.errors : status === 400 ? [unreadable] : undefined;
    const message = error instanceof HttpError ? error.message : 'Something went wrong.';
    response.status(status).json(errors === undefined ? { message } : { errors });
  });
  return app;
}

/** Express with hand-written rules, unique keys and ETags. */
export const warehouse: ForeignApi = {
  name: 'warehouse',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  headers: { 'x-api-key': 'warehouse-key' },
  start: (bug) => listen(createServer(createApp(bug)), '/api'),
};
