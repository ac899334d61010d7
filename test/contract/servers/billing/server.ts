import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import path from 'node:path';

import express, { type Express, type NextFunction, type Request, type Response } from 'express';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'has-more-false': 'has_more is always false',
  'has-more-forever': 'has_more is true on the last page',
  'cursor-inclusive': 'The page begins with the item of starting_after',
  'ending-before-ignored': 'ending_before does nothing',
  'limit-plus-one': 'A page has one item more than the limit',
  'limit-hundred': 'limit=100 is refused',
  'limit-unbounded': 'limit=101 is accepted',
  'email-ignored': 'The filter by email does nothing',
  'status-ignored': 'The filter by status does nothing',
  'customer-ignored': 'The filter of invoices by customer does nothing',
  'created-text': 'created of listed invoices is an ISO text',
  'deleted-listed': 'Deleted customers are still listed',
  'deleted-readable': 'Deleted invoices can still be read',
  'deleted-flag': 'The deletion of a customer lacks deleted: true',
  'update-clears': 'An update of a customer clears the description that is not sent',
  'address-city': 'An update of the address keeps the old city',
  'metadata-dropped': 'The metadata of a new customer is lost',
  'phone-missing': 'A customer without a phone has no member phone',
  'name-latin': 'Names beyond ASCII are garbled',
  'memo-truncated': 'Memos are cut after 255 characters',
  'email-any': 'Any text is accepted as an email',
  'country-lower': 'A country in lower case is accepted',
  'idempotency-ignored': 'A repeated Idempotency-Key creates another customer',
  'currency-upper': 'Invoices show the currency in upper case',
  'quantity-zero': 'A quantity of 0 is accepted',
  'quantity-default': 'A line without quantity has the quantity 0',
  'unit-amount-free': 'A unit_amount of 0 is refused',
  'amount-text': 'The amount of a line with several pieces is a text',
  'total-stale': 'The total of an invoice is not updated by a new line',
  'taxable-false': 'taxable=false is stored as true',
  'lines-mixed': 'The lines of all invoices are listed below each',
  'line-stays': 'A deleted line is still listed',
  'finalize-lost': 'The finalised invoice is shown open, but stays a draft',
  'void-status': 'A void invoice has the status voided',
  'expand-500': 'expand[]=customer fails with 500',
  'invoices-open': 'Invoices are listed without a credential',
  'error-type': 'Errors about unknown invoices lack the type',
  'delete-unknown': 'The deletion of an unknown customer succeeds',
} as const;

type Bug = keyof typeof BUGS;
type Json = Record<string, unknown>;
type Form = Record<string, unknown>;

interface Line extends Json {
  id: string;
  amount: number;
}

interface Invoice extends Json {
  id: string;
  customer: string;
  status: string;
  created: number;
  lines: Line[];
}

const CURRENCIES = ['eur', 'usd', 'gbp', 'czk'];
const STATUSES = ['draft', 'open', 'void'];
const SECRET = 'sk_test_4eC39Hq';

class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly param: string | undefined;
  constructor(status: number, message: string, param?: string) {
    super(message);
    this.status = status;
    this.type = status === 401 ? 'authentication_error' : 'invalid_request_error';
    this.param = param;
  }
}

const newId = (prefix: string): string => {
  const id = randomBytes(16)
    .toString('base64')
    .replaceAll(/[^A-Za-z0-9]/g, '');
  return `${prefix}_${id.slice(0, 14).padEnd(14, 'x')}`;
};
const now = (): number => Math.floor(Date.now() / 1000);
const isMap = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads the parameters of forms, where each value is a text. */
class Parameters {
  readonly #form: Form;
  constructor(form: unknown) {
    this.#form = isMap(form) ? form : {};
  }

  has(name: string): boolean {
    return this.#form[name] !== undefined;
  }

  text(name: string, max: number, min = 0): string | undefined {
    const value = this.#form[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || [...value].length > max || [...value].length < min)
      throw new ApiError(400, `Invalid ${name}`, name);
    return value;
  }

  integer(name: string, min: number, max: number): number | undefined {
    const value = this.#form[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || !/^-?\d+$/.test(value) || Number(value) < min || Number(value) > max)
      throw new ApiError(400, `Invalid integer: ${name}`, name);
    return Number(value);
  }

  boolean(name: string): boolean | undefined {
    const value = this.#form[name];
    if (value === undefined) return undefined;
    if (value !== 'true' && value !== 'false') throw new ApiError(400, `Invalid boolean: ${name}`, name);
    return value === 'true';
  }

  choice(name: string, values: readonly string[]): string | undefined {
    const value = this.#form[name];
    if (value === undefined) return undefined;
    if (typeof value !== 'string' || !values.includes(value)) throw new ApiError(400, `Invalid ${name}`, name);
    return value;
  }

  map(name: string): Json | undefined {
    const value = this.#form[name];
    if (value === undefined) return undefined;
    if (!isMap(value)) throw new ApiError(400, `Invalid object: ${name}`, name);
    return value;
  }
}

function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new ApiError(400, `Missing required param: ${name}`, name);
  return value;
}

/** Turns a[b]=c into { a: { b: 'c' } }, and a[]=b into { a: ['b'] }. */
function parseForm(text: string): Form {
  const form: Form = Object.create(null) as Form;
  for (const [key, value] of new URLSearchParams(text)) {
    const [, name = key, inner] = /^([^[\]]+)(?:\[([^[\]]*)\])?$/.exec(key) ?? [];
    const before = form[name];
    if (Array.isArray(before) && (inner === undefined || inner === '')) before.push(value);
    else if (inner === undefined) form[name] = before === undefined ? value : [before, value];
    else if (inner === '') form[name] = [value];
    else form[name] = Object.assign(isMap(before) ? before : Object.create(null), { [inner]: value });
  }
  return form;
}

function createApp(bug: string | undefined): Express {
  const has = (name: Bug): boolean => bug === name;
  const customers: Json[] = [];
  const gone: Json[] = [];
  const invoices: Invoice[] = [];
  const replies = new Map<string, { print: string; body: unknown }>();

  const readAddress = (sent: Json | undefined): Json | undefined => {
    if (sent === undefined) return undefined;
    const fields = new Parameters(sent);
    const country = fields.text('country', 2);
    if (country !== undefined && !(has('country-lower') ? /^[a-z]{2}$/i : /^[A-Z]{2}$/).test(country))
      throw new ApiError(400, 'Invalid country', 'address[country]');
    const [line1, city] = [fields.text('line1', 100), fields.text('city', 60)];
    return {
      ...(line1 === undefined ? {} : { line1 }),
      ...(city === undefined ? {} : { city }),
      ...(country === undefined ? {} : { country }),
    };
  };
  const readCustomer = (form: unknown): Json => {
    const fields = new Parameters(form);
    const email = fields.text('email', 200);
    if (email !== undefined && !has('email-any') && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
      throw new ApiError(400, `Invalid email address: ${email}`, 'email');
    const metadata = fields.map('metadata');
    const entries = Object.entries(metadata ?? {});
    if (entries.length > 10 || entries.some(([, value]) => typeof value !== 'string' || [...value].length > 100))
      throw new ApiError(400, 'Invalid metadata', 'metadata');
    let name = fields.text('name', 100);
    if (has('name-latin') && name !== undefined) name = Buffer.from(name, 'utf8').toString('latin1');
    const values = {
      name,
      email,
      phone: fields.text('phone', 20),
      description: fields.text('description', 300),
      address: readAddress(fields.map('address')),
      metadata,
    };
    return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  };
  const showCustomer = ({ phone, ...customer }: Json): Json =>
    phone === null && has('phone-missing') ? customer : { ...customer, phone };
  const findCustomer = (id: unknown, param = 'customer'): Json => {
    const customer = customers.find((one) => one.id === id);
    if (customer === undefined)
      throw new ApiError(param === 'id' ? 404 : 400, `No such customer: ${String(id)}`, param);
    return customer;
  };
  const findInvoice = (id: unknown): Invoice => {
    const invoice = invoices.find((one) => one.id === id && one.gone !== true);
    if (invoice === undefined) throw new ApiError(404, `No such invoice: ${String(id)}`, 'id');
    return invoice;
  };
  const findDraft = (id: unknown): Invoice => {
    const invoice = findInvoice(id);
    if (invoice.status !== 'draft') throw new ApiError(400, 'The invoice is not a draft');
    return invoice;
  };
  const showInvoice = (stored: Invoice): Json => {
    const { lines, ...invoice } = stored;
    delete invoice.gone;
    delete invoice.removed;
    return {
      ...invoice,
      currency: has('currency-upper') ? String(invoice.currency).toUpperCase() : invoice.currency,
      total: has('total-stale') ? 0 : lines.reduce((sum, line) => sum + line.amount, 0),
      due_date: invoice.status === 'open' ? invoice.created + 86_400 * Number(invoice.days_until_due) : null,
    };
  };
  const showLine = (line: Line): Json =>
    has('amount-text') && Number(line.quantity) > 1 ? { ...line, amount: String(line.amount) } : line;

  const listOf = (request: Request, items: readonly Json[], url: string): Json => {
    const query = new Parameters(request.query);
    const limit = query.integer('limit', 1, has('limit-hundred') ? 99 : has('limit-unbounded') ? 1e6 : 100) ?? 10;
    const [after, before] = [query.text('starting_after', 60), query.text('ending_before', 60)];
    const indexOf = (id: string, param: string): number => {
      const index = items.findIndex((item) => item.id === id);
      if (index === -1) throw new ApiError(400, `No such item: ${id}`, param);
      return index;
    };
    let rows = [...items];
    if (after !== undefined) rows = rows.slice(indexOf(after, 'starting_after') + (has('cursor-inclusive') ? 0 : 1));
    const end = before === undefined ? undefined : indexOf(before, 'ending_before');
    if (end !== undefined && !has('ending-before-ignored')) rows = items.slice(Math.max(0, end - limit), end);
    const data = rows.slice(0, has('limit-plus-one') ? limit + 1 : limit);
    const left = end === undefined ? rows.length > data.length : end > limit;
    return { object: 'list', data, has_more: has('has-more-forever') || (left && !has('has-more-false')), url };
  };
  /** Responds to a repeated key with the first response. */
  const once = (request: Request, create: () => Json): Json => {
    const key = request.get('idempotency-key');
    if (key !== undefined && (key.length === 0 || key.length > 255)) throw new ApiError(400, 'Invalid Idempotency-Key');
    if (key === undefined || has('idempotency-ignored')) return create();
    const print = `${request.path} ${JSON.stringify(request.body)}`;
    const known = replies.get(key);
    if (known !== undefined && known.print !== print)
      throw Object.assign(new ApiError(409, 'The key was used for another request'), { type: 'idempotency_error' });
    const body = (known?.body as Json | undefined) ?? create();
    replies.set(key, { print, body });
    return body;
  };

  const app = express();
  app.set('query parser', parseForm);
  app.disable('x-powered-by');
  app.use((request, _response, next) => {
    const isOpen = has('invoices-open') && request.method === 'GET' && request.path === '/v1/invoices';
    if (request.get('authorization') !== `Bearer ${SECRET}` && !isOpen)
      throw new ApiError(401, 'Send your secret key as a bearer token');
    next();
  });
  app.use(express.text({ type: 'application/x-www-form-urlencoded', limit: '1mb' }), (request, _response, next) => {
    const hasBody = Number(request.get('content-length') ?? 0) > 0 || request.get('transfer-encoding') !== undefined;
    if (request.method === 'POST' && hasBody && typeof request.body !== 'string')
      throw new ApiError(415, 'Send application/x-www-form-urlencoded');
    request.body = parseForm(typeof request.body === 'string' ? request.body : '');
    next();
  });

  const v1 = express.Router();
  v1.get('/customers', (request, response) => {
    const email = new Parameters(request.query).text('email', 200);
    const all = has('deleted-listed') ? [...customers, ...gone] : customers;
    const rows = all.filter((customer) => email === undefined || has('email-ignored') || customer.email === email);
    response.json(listOf(request, rows.map(showCustomer), '/v1/customers'));
  });
  v1.post('/customers', (request, response) => {
    const input = readCustomer(request.body);
    const customer = once(request, () => {
      const empty = { name: null, email: null, phone: null, description: null, address: null, metadata: {} };
      const created = { id: newId('cus'), object: 'customer', created: now(), ...empty, ...input };
      if (has('metadata-dropped')) created.metadata = {};
      customers.unshift(created);
      return { ...created };
    });
    response.json(showCustomer(customer));
  });
  v1.get('/customers/:id', (request, response) => {
    response.json(showCustomer(findCustomer(request.params.id, 'id')));
  });
  v1.post('/customers/:id', (request, response) => {
    const customer = findCustomer(request.params.id, 'id');
    const input = readCustomer(request.body);
    if (has('update-clears') && input.description === undefined) input.description = null;
    if (has('address-city') && isMap(input.address) && isMap(customer.address) && customer.address.city !== undefined)
      input.address.city = customer.address.city;
    response.json(showCustomer(Object.assign(customer, input)));
  });
  v1.delete('/customers/:id', (request, response) => {
    const { id } = request.params;
    const index = customers.findIndex((customer) => customer.id === id);
    if (index === -1 && !has('delete-unknown')) throw new ApiError(404, `No such customer: ${id}`, 'id');
    if (index !== -1) gone.push(...customers.splice(index, 1));
    response.json({ id, object: 'customer', ...(has('deleted-flag') ? {} : { deleted: true }) });
  });

  v1.get('/invoices', (request, response) => {
    const query = new Parameters(request.query);
    const status = query.choice('status', STATUSES);
    const customer = query.text('customer', 60);
    const range = new Parameters(query.map('created') ?? {});
    const [gte, lt] = [range.integer('gte', -Infinity, Infinity), range.integer('lt', -Infinity, Infinity)];
    const rows = invoices.filter(
      (invoice) =>
        invoice.gone !== true &&
        (status === undefined || has('status-ignored') || invoice.status === status) &&
        (customer === undefined || has('customer-ignored') || invoice.customer === customer) &&
        (gte === undefined || invoice.created >= gte) &&
        (lt === undefined || invoice.created < lt),
    );
    const shown = rows
      .map(showInvoice)
      .map((invoice) =>
        has('created-text') ? { ...invoice, created: new Date(Number(invoice.created) * 1000).toISOString() } : invoice,
      );
    response.json(listOf(request, shown, '/v1/invoices'));
  });
  v1.post('/invoices', (request, response) => {
    const fields = new Parameters(request.body);
    const customer = required(fields.text('customer', 60), 'customer');
    const currency = required(fields.choice('currency', CURRENCIES), 'currency');
    const memo = fields.text('memo', 500) ?? null;
    const days = fields.integer('days_until_due', 1, 365) ?? 30;
    findCustomer(customer);
    const created = once(request, () => {
      const invoice: Invoice = {
        id: newId('in'),
        object: 'invoice',
        created: now(),
        customer,
        currency,
        status: 'draft',
        memo: has('memo-truncated') && memo !== null ? [...memo].slice(0, 255).join('') : memo,
        days_until_due: days,
        lines: [],
      };
      invoices.unshift(invoice);
      return showInvoice(invoice);
    });
    response.json(created);
  });
  v1.get('/invoices/:id', (request, response) => {
    const { id } = request.params;
    const kept = has('deleted-readable') ? invoices.find((one) => one.id === id) : undefined;
    const invoice = kept ?? findInvoice(id);
    const expand = request.query['expand'];
    const names = Array.isArray(expand) ? expand : expand === undefined ? [] : [expand];
    if (names.length > 4 || names.some((name) => name !== 'customer'))
      throw new ApiError(400, 'This property cannot be expanded', 'expand');
    if (names.length > 0 && has('expand-500')) throw new TypeError('customer is not loaded');
    const customer = customers.find((one) => one.id === invoice.customer);
    const isExpanded = names.length > 0 && customer !== undefined;
    response.json({ ...showInvoice(invoice), ...(isExpanded ? { customer: showCustomer(customer) } : {}) });
  });
  v1.post('/invoices/:id', (request, response) => {
    const invoice = findInvoice(request.params.id);
    const fields = new Parameters(request.body);
    const memo = fields.text('memo', 500);
    const days = fields.integer('days_until_due', 1, 365);
    if (invoice.status !== 'draft') throw new ApiError(400, 'The invoice is not a draft');
    if (memo !== undefined) invoice.memo = has('memo-truncated') ? [...memo].slice(0, 255).join('') : memo;
    if (days !== undefined) invoice.days_until_due = days;
    response.json(showInvoice(invoice));
  });
  v1.delete('/invoices/:id', (request, response) => {
    const invoice = findDraft(request.params.id);
    invoice.gone = true;
    response.json({ id: invoice.id, object: 'invoice', deleted: true });
  });
  v1.get('/invoices/:id/lines', (request, response) => {
    const invoice = findInvoice(request.params.id);
    const lines = has('lines-mixed') ? invoices.flatMap((one) => one.lines) : invoice.lines;
    const rows = [...lines, ...(has('line-stays') ? ((invoice.removed as Line[] | undefined) ?? []) : [])];
    response.json(listOf(request, rows.map(showLine), `/v1/invoices/${invoice.id}/lines`));
  });
  v1.post('/invoices/:id/lines', (request, response) => {
    const invoice = findInvoice(request.params.id);
    const fields = new Parameters(request.body);
    const description = required(fields.text('description', 250, 1), 'description');
    const unit = required(fields.integer('unit_amount', has('unit-amount-free') ? 1 : 0, 99_999_999), 'unit_amount');
    const quantity =
      fields.integer('quantity', has('quantity-zero') ? 0 : 1, 1000) ?? (has('quantity-default') ? 0 : 1);
    const taxable = has('taxable-false') || (fields.boolean('taxable') ?? true);
    if (invoice.status !== 'draft') throw new ApiError(400, 'The invoice is not a draft');
    const amount = unit * quantity;
    const line: Line = {
      id: newId('il'),
      object: 'line_item',
      description,
      unit_amount: unit,
      quantity,
      amount,
      taxable,
    };
    invoice.lines.push(line);
    response.json(showLine(line));
  });
  v1.delete('/invoices/:id/lines/:line', (request, response) => {
    const invoice = findInvoice(request.params.id);
    const index = invoice.lines.findIndex((line) => line.id === request.params.line);
    if (index === -1) throw new ApiError(404, `No such line: ${request.params.line}`, 'id');
    if (invoice.status !== 'draft') throw new ApiError(400, 'The invoice is not a draft');
    const removed = invoice.lines.splice(index, 1);
    if (has('line-stays')) invoice.removed = [...((invoice.removed as Line[] | undefined) ?? []), ...removed];
    response.json({ id: request.params.line, object: 'line_item', deleted: true });
  });
  v1.post('/invoices/:id/finalize', (request, response) => {
    const invoice = findDraft(request.params.id);
    if (has('finalize-lost')) response.json(showInvoice({ ...invoice, status: 'open' }));
    else {
      invoice.status = 'open';
      response.json(showInvoice(invoice));
    }
  });
  v1.post('/invoices/:id/void', (request, response) => {
    const invoice = findInvoice(request.params.id);
    if (invoice.status !== 'open') throw new ApiError(400, 'The invoice is not open');
    invoice.status = 'void';
    const shown = showInvoice(invoice);
    response.json(has('void-status') ? { ...shown, status: 'voided' } : shown);
  });
  v1.get('/balance', (_request, response) => {
    response.json({ object: 'balance', available: [{ amount: 0, currency: 'eur' }] });
  });

  app.use('/v1', v1);
  app.use((request) => {
    throw new ApiError(404, `Unrecognized request URL (${request.method}: ${request.path})`);
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    if (error instanceof ApiError) {
      const { type, message, param } = error;
      const isTyped = !(has('error-type') && message.startsWith('No such invoice'));
      const details = { ...(isTyped ? { type } : {}), message, ...(param === undefined ? {} : { param }) };
      response.status(error.status).json({ error: details });
      return;
    }
    const { status } = error as { status?: number };
    const isClient = typeof status === 'number' && status < 500;
    const type = isClient ? 'invalid_request_error' : 'api_error';
    response.status(isClient ? status : 500).json({ error: { type, message: 'The request failed' } });
  });
  return app;
}

export const billing: ForeignApi = {
  name: 'billing',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  headers: { authorization: `Bearer ${SECRET}` },
  start: (bug) => listen(createServer(createApp(bug)), '/v1'),
};
