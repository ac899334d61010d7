import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import path from 'node:path';

import { fullFormats } from 'ajv-formats/dist/formats.js';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'country-of-tax': 'The filter by country compares the country of taxes',
  'min-rating-exclusive': 'MinRating leaves out suppliers with exactly this rating',
  'rating-lexical': 'OrderBy=Rating sorts the numbers as text',
  'next-link-without-filter': 'nextLink forgets the filters, so the next page has other suppliers',
  'next-link-early': 'nextLink is null if only one item is left',
  'count-unfiltered': 'count counts all suppliers, whatever the filter is',
  'bulk-drops-last': 'A bulk creation shows all suppliers, but does not store the last one',
  'bulk-unbounded': 'A bulk creation of more than 20 suppliers is accepted',
  'put-keeps-notes': 'PUT of a supplier without Notes keeps the old ones',
  'patch-null-ignored': 'PATCH with null does not remove the value',
  'patch-resets-rating': 'PATCH of a supplier without Rating sets it to 50',
  'patch-created-on': 'PATCH with CreatedOn changes it',
  'if-match-ignored': 'DELETE of a supplier accepts an outdated ETag',
  'if-match-optional': 'PUT of a supplier without If-Match is accepted',
  'etag-of-name': 'The ETag of a supplier changes only with its name',
  'never-not-modified': 'If-None-Match is ignored',
  'location-below-root': 'Location of a new supplier lacks /odata',
  'created-on-local': 'CreatedOn of a supplier has no time zone',
  'name-latin': 'Letters beyond Latin-1 in the name of a supplier are replaced by question marks',
  'contact-of-others': 'The contacts of other companies can be read',
  'contact-of-any-supplier': 'A contact can be read below each supplier',
  'email-lower-case': 'The email of a contact is stored in lower case',
  'primary-false-ignored': 'IsPrimary=false lists all contacts',
  'cancel-of-others': 'The orders of other companies can be cancelled',
  'order-without-token': 'A purchase order can be read without a token',
  'problem-as-json': 'Errors have the content type application/json',
  'supplier-unknown-500': 'An order for an unknown supplier fails with 500',
  'total-as-text': 'TotalAmount is a text',
  'currency-default': 'An order without a currency is in USD',
  'lines-reversed': 'The lines of an order come back in reverse order',
  'delivery-with-time': 'DeliveryDate comes back with a time',
  'min-total-ignored': 'MinTotal does nothing',
  'order-supplier-ignored': 'The filter of orders by supplier does nothing',
  'submit-again': 'An order can be submitted twice',
  'submit-lost': 'A submitted order is shown as submitted, but stays a draft',
  'approve-status': 'An approved order has the status Released',
  'deleted-order-listed': 'A deleted order is still listed',
  // Only the descriptions tell that these are bugs.
  'supplier-with-orders': 'A supplier with purchase orders can be deleted',
  'total-without-quantity': 'TotalAmount adds up the prices without the quantities',
  'total-stays': 'TotalAmount is not computed again when the lines change',
  'oldest-first': 'The oldest orders come first',
  'approve-draft': 'A draft can be approved',
  'cancel-approved': 'An approved order can be cancelled',
  'patch-submitted': 'A submitted order can be changed',
} as const;

type Bug = keyof typeof BUGS;
type Json = Record<string, unknown>;

interface Supplier extends Json {
  SupplierId: string;
  Name: string;
  CountryCode: string;
  TaxCountryCode: string | null;
  Status: string;
  Rating: number;
  CreatedOn: string;
}

interface Contact extends Json {
  ContactId: number;
  SupplierId: string;
  IsPrimary: boolean;
}

interface Line {
  readonly Quantity: number;
  readonly UnitPrice: number;
}

interface Order extends Json {
  OrderNumber: string;
  SupplierId: string;
  Status: string;
  TotalAmount: number;
  DeliveryDate: string | null;
  Lines: readonly Line[];
}

/** What a company has stored, with the version that its ETag shows. */
interface Entry<T> {
  readonly company: string;
  readonly value: T;
  version: number;
  isDeleted?: boolean;
}

class Problem extends Error {
  readonly status: number;
  readonly errors: readonly Json[] | undefined;
  constructor(status: number, title: string, errors?: readonly Json[]) {
    super(title);
    this.status = status;
    this.errors = errors;
  }
}

const TOKENS: ReadonlyMap<string, string> = new Map([
  ['Bearer contoso-4711', 'contoso'],
  ['Bearer fabrikam-0815', 'fabrikam'],
]);
const SUPPLIER_MEMBERS = ['Name', 'CountryCode', 'TaxCountryCode', 'Status', 'Rating', 'Website', 'Notes'];
const STATUSES = ['Prospect', 'Active', 'Blocked'];
const ORDER_STATUSES = new Set(['Draft', 'Submitted', 'Approved', 'Cancelled']);

function createValidators(has: (bug: Bug) => boolean): Record<string, ValidateFunction> {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, formats: fullFormats });
  const text = (minLength: number, maxLength: number): Json => ({ type: 'string', minLength, maxLength });
  const country = { type: 'string', pattern: '^[A-Z]{2}$' };
  const supplierMembers = {
    Name: text(1, 100),
    CountryCode: country,
    TaxCountryCode: { ...country, type: ['string', 'null'] },
    Status: { enum: STATUSES },
    Rating: { type: 'integer', minimum: 0, maximum: 100 },
    Website: { type: ['string', 'null'], format: 'uri', maxLength: 200 },
    Notes: { type: ['string', 'null'], maxLength: 500 },
  };
  const supplier = { type: 'object', required: ['Name', 'CountryCode'], properties: supplierMembers };
  const line = {
    type: 'object',
    required: ['Sku', 'Quantity', 'UnitPrice'],
    properties: {
      Sku: { type: 'string', pattern: '^[A-Z0-9-]{3,20}$' },
      Description: text(0, 200),
      Quantity: { type: 'integer', minimum: 1, maximum: 10_000 },
      UnitPrice: { type: 'number', minimum: 0, maximum: 100_000 },
    },
  };
  const orderMembers = {
    SupplierId: { type: 'string', format: 'uuid' },
    Reference: text(1, 40),
    Currency: { enum: ['EUR', 'USD', 'CZK', 'GBP'] },
    DeliveryDate: { type: ['string', 'null'], format: 'date' },
    Lines: { type: 'array', minItems: 1, maxItems: 20, items: line },
  };
  const { SupplierId: _supplierId, Currency: _currency, ...orderChanges } = orderMembers;
  const maxItems = has('bulk-unbounded') ? 1_000 : 20;
  const contactMembers = {
    Name: text(1, 80),
    Email: { type: 'string', format: 'email', maxLength: 120 },
    Phone: { type: ['string', 'null'], pattern: '^\\+[0-9]{6,15}$' },
    IsPrimary: { type: 'boolean' },
  };
  const schemas: Record<string, Json> = {
    supplier,
    supplierChanges: { type: 'object', minProperties: 1, properties: supplierMembers },
    bulk: {
      type: 'object',
      required: ['Suppliers'],
      properties: { Suppliers: { type: 'array', minItems: 1, maxItems, items: supplier } },
    },
    contact: { type: 'object', required: ['Name', 'Email'], properties: contactMembers },
    order: { type: 'object', required: ['SupplierId', 'Reference', 'Lines'], properties: orderMembers },
    orderChanges: { type: 'object', minProperties: 1, properties: orderChanges },
    cancellation: { type: 'object', required: ['Reason'], properties: { Reason: text(1, 200) } },
  };
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, ajv.compile(schema)]));
}

/** One parameter of the query, which may be sent once. */
function queryOf(request: Request, name: string, isValid: (text: string) => boolean): string | undefined {
  const value: unknown = request.query[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && isValid(value)) return value;
  throw new Problem(400, 'Invalid query', [{ pointer: `/${name}`, detail: 'is not valid' }]);
}

function integerOf(request: Request, name: string, min: number, max: number): number | undefined {
  const isValid = (text: string): boolean => /^-?\d+$/.test(text) && Number(text) >= min && Number(text) <= max;
  const value = queryOf(request, name, isValid);
  return value === undefined ? undefined : Number(value);
}

function isDate(text: string): boolean {
  const time = new Date(text);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
const isCountry = (text: string): boolean => /^[A-Z]{2}$/.test(text);
const isBoolean = (text: string): boolean => text === 'true' || text === 'false';
const isAmount = (text: string): boolean => /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) && Number(text) >= 0;
const compare = (one: string | number, other: string | number): number => (one < other ? -1 : Number(one > other));
const now = (): string => new Date().toISOString();

/** Express and its body parser throw errors with a status. */
function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  return status < 500 ? new Problem(status, 'Bad request') : new Problem(500, 'Internal error');
}

function createApp(bug: string | undefined): Express {
  const has = (name: Bug): boolean => bug === name;
  const validators = createValidators(has);
  const suppliers = new Map<string, Entry<Supplier>>();
  const contacts = new Map<number, Contact>();
  const orders = new Map<string, Entry<Order>>();
  let lastContact = 0;
  let lastOrder = 100_000;

  const companyOf = (request: Request): string => TOKENS.get(request.get('authorization') ?? '') ?? '';
  const bodyOf = (request: Request, schema: string): Json => {
    if (!/^application\/json\b/i.test(request.get('content-type') ?? '')) throw new Problem(415, 'Send JSON');
    let body: unknown;
    try {
      body = JSON.parse((request.body as Buffer).toString());
    } catch {
      throw new Problem(400, 'Malformed JSON');
    }
    const validate = validators[schema];
    if (validate?.(body) === true) return body as Json;
    const errors = (validate?.errors ?? []).map(({ instancePath, message }) => ({
      pointer: instancePath,
      detail: message ?? '',
    }));
    throw new Problem(400, 'Invalid body', errors);
  };
  const etagOf = ({ value, version }: Entry<Json>): string => {
    if (has('etag-of-name') && typeof value['Name'] === 'string')
      return `"${Buffer.from(value['Name']).toString('base64url')}"`;
    return `"${version}"`;
  };
  const checkIfMatch = (request: Request, entry: Entry<Json>): void => {
    const given = request.get('if-match');
    if (given === undefined && has('if-match-optional') && request.method === 'PUT') return;
    if (given === undefined) throw new Problem(428, 'Send If-Match');
    if (has('if-match-ignored') && request.method === 'DELETE') return;
    const tags = new Set(given.split(',').map((tag) => tag.trim()));
    if (!tags.has('*') && !tags.has(etagOf(entry))) throw new Problem(412, 'It has changed since');
  };
  // Not by express, which would decide itself about 304.
  const send = (response: Response, status: number, entry: Entry<Json>, body: Json): void => {
    response.status(status).set('etag', etagOf(entry)).type('application/json').end(JSON.stringify(body));
  };
  const isNotModified = (request: Request, entry: Entry<Json>): boolean => {
    const given = (request.get('if-none-match') ?? '').split(',');
    const known = new Set(given.map((tag) => tag.trim().replace(/^W\//, '')));
    return (known.has(etagOf(entry)) || known.has('*')) && !has('never-not-modified');
  };

  const findSupplier = (request: Request, isOpen = false): Entry<Supplier> => {
    const entry = suppliers.get(String(request.params['SupplierId']).toLowerCase());
    if (entry === undefined || (entry.company !== companyOf(request) && !isOpen))
      throw new Problem(404, 'No such supplier');
    return entry;
  };
  const showSupplier = (supplier: Supplier): Json =>
    has('created-on-local') ? { ...supplier, CreatedOn: supplier.CreatedOn.replace('Z', '') } : supplier;
  const fillSupplier = (input: Json): Json => ({
    Name: has('name-latin') ? String(input['Name']).replaceAll(/[^\0-\u00FF]/gu, '?') : input['Name'],
    CountryCode: input['CountryCode'],
    TaxCountryCode: input['TaxCountryCode'] ?? null,
    Status: input['Status'] ?? 'Prospect',
    Rating: input['Rating'] ?? 50,
    Website: input['Website'] ?? null,
    Notes: input['Notes'] ?? null,
  });
  const addSupplier = (company: string, input: Json): Entry<Supplier> => {
    const value = { SupplierId: randomUUID(), ...fillSupplier(input), CreatedOn: now() } as unknown as Supplier;
    const entry = { company, value, version: 1 };
    suppliers.set(value.SupplierId, entry);
    return entry;
  };
  const pageOf = (request: Request, all: readonly Json[], count = all.length): Json => {
    const size = integerOf(request, 'Top', 1, 100) ?? 25;
    const token = queryOf(request, 'SkipToken', (text) => /^skip-\d{1,9}$/.test(decode(text)));
    const start = token === undefined ? 0 : Number(decode(token).slice('skip-'.length));
    const end = start + size;
    const isLast = end >= all.length - (has('next-link-early') ? 1 : 0);
    const next = new URL(request.originalUrl, `${request.protocol}://${request.get('host')}`);
    if (has('next-link-without-filter'))
      for (const name of [...next.searchParams.keys()]) if (name !== 'Top') next.searchParams.delete(name);
    next.searchParams.set('SkipToken', Buffer.from(`skip-${end}`).toString('base64url'));
    return { value: all.slice(start, end), count, nextLink: isLast ? null : next.href };
  };
  const decode = (token: string): string => Buffer.from(token, 'base64url').toString();

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  const api = express.Router();
  app.use('/odata', api);
  api.use((request, response, next) => {
    const isOpen = has('order-without-token') && request.method === 'GET' && /^\/PurchaseOrders\/./.test(request.path);
    if (companyOf(request) !== '' || isOpen) return next();
    response.set('www-authenticate', 'Bearer');
    throw new Problem(401, 'Send a token');
  });
  api.use(express.raw({ type: () => true, limit: '1mb' }));

  const suppliersRoute = api.route('/Suppliers');
  suppliersRoute.get((request, response) => {
    const country = queryOf(request, 'CountryCode', isCountry);
    const status = queryOf(request, 'Status', (text) => STATUSES.includes(text));
    const minRating = integerOf(request, 'MinRating', 0, 100);
    const orderBy = queryOf(request, 'OrderBy', (text) => /^(Name|Rating)( desc)?$/.test(text)) ?? 'Name';
    const own = [...suppliers.values()].filter(({ company }) => company === companyOf(request));
    const found = own
      .map(({ value }) => value)
      .filter((supplier) => {
        const { CountryCode, TaxCountryCode, Rating } = supplier;
        const isThere = (has('country-of-tax') ? (TaxCountryCode ?? CountryCode) : CountryCode) === country;
        const isGood =
          minRating === undefined || (has('min-rating-exclusive') ? Rating > minRating : Rating >= minRating);
        return (country === undefined || isThere) && (status === undefined || supplier.Status === status) && isGood;
      });
    const keyOf = ({ Name, Rating }: Supplier): string | number => {
      if (orderBy.startsWith('Name')) return Name;
      return has('rating-lexical') ? String(Rating) : Rating;
    };
    const direction = orderBy.endsWith('desc') ? -1 : 1;
    found.sort((one, other) => direction * compare(keyOf(one), keyOf(other)));
    response.json(pageOf(request, found.map(showSupplier), has('count-unfiltered') ? own.length : found.length));
  });
  suppliersRoute.post((request, response) => {
    const entry = addSupplier(companyOf(request), bodyOf(request, 'supplier'));
    response.location(`${has('location-below-root') ? '' : '/odata'}/Suppliers/${entry.value.SupplierId}`);
    send(response, 201, entry, showSupplier(entry.value));
  });
  api.route('/Suppliers/Bulk').post((request, response) => {
    const inputs = bodyOf(request, 'bulk')['Suppliers'] as Json[];
    const added = inputs.map((input) => addSupplier(companyOf(request), input).value);
    const last = added.at(-1);
    if (has('bulk-drops-last') && last !== undefined) suppliers.delete(last.SupplierId);
    response.status(201).json({ value: added.map(showSupplier) });
  });
  const supplierRoute = api.route('/Suppliers/:SupplierId');
  supplierRoute.get((request, response) => {
    const entry = findSupplier(request);
    if (isNotModified(request, entry)) response.status(304).set('etag', etagOf(entry)).end();
    else send(response, 200, entry, showSupplier(entry.value));
  });
  supplierRoute.put((request, response) => {
    const entry = findSupplier(request);
    checkIfMatch(request, entry);
    const input = bodyOf(request, 'supplier');
    if (has('put-keeps-notes')) input['Notes'] ??= entry.value['Notes'];
    Object.assign(entry.value, fillSupplier(input));
    entry.version += 1;
    send(response, 200, entry, showSupplier(entry.value));
  });
  supplierRoute.patch((request, response) => {
    const entry = findSupplier(request);
    checkIfMatch(request, entry);
    const input = bodyOf(request, 'supplierChanges');
    const members = has('patch-created-on') ? [...SUPPLIER_MEMBERS, 'CreatedOn'] : SUPPLIER_MEMBERS;
    for (const member of members) {
      const value = input[member];
      if (value === undefined || (value === null && has('patch-null-ignored'))) continue;
      (entry.value as Json)[member] = value;
    }
    if (has('patch-resets-rating') && input['Rating'] === undefined) entry.value.Rating = 50;
    entry.version += 1;
    send(response, 200, entry, showSupplier(entry.value));
  });
  supplierRoute.delete((request, response) => {
    const entry = findSupplier(request);
    checkIfMatch(request, entry);
    const { SupplierId } = entry.value;
    const hasOrders = [...orders.values()].some(
      ({ value, isDeleted }) => value.SupplierId === SupplierId && !isDeleted,
    );
    if (hasOrders && !has('supplier-with-orders')) throw new Problem(409, 'It has purchase orders');
    suppliers.delete(SupplierId);
    for (const contact of contacts.values()) if (contact.SupplierId === SupplierId) contacts.delete(contact.ContactId);
    response.status(204).end();
  });

  const contactsRoute = api.route('/Suppliers/:SupplierId/Contacts');
  contactsRoute.get((request, response) => {
    const { SupplierId } = findSupplier(request).value;
    const isPrimary = queryOf(request, 'IsPrimary', isBoolean);
    const isFiltered = isPrimary === 'true' || (isPrimary === 'false' && !has('primary-false-ignored'));
    const own = [...contacts.values()].filter((contact) => contact.SupplierId === SupplierId);
    response.json({ value: own.filter(({ IsPrimary }) => !isFiltered || String(IsPrimary) === isPrimary) });
  });
  const storeContact = (ContactId: number, SupplierId: string, input: Json): Contact => {
    const contact = {
      ContactId,
      SupplierId,
      Name: input['Name'],
      Email: has('email-lower-case') ? String(input['Email']).toLowerCase() : input['Email'],
      Phone: input['Phone'] ?? null,
      IsPrimary: input['IsPrimary'] === true,
    };
    contacts.set(ContactId, contact);
    return contact;
  };
  contactsRoute.post((request, response) => {
    const { SupplierId } = findSupplier(request).value;
    const input = bodyOf(request, 'contact');
    lastContact += 1;
    response.status(201).json(storeContact(lastContact, SupplierId, input));
  });
  const contactRoute = api.route('/Suppliers/:SupplierId/Contacts/:ContactId');
  const findContact = (request: Request): Contact => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const { SupplierId } = findSupplier(request, has('contact-of-others') && isRead).value;
    const id = String(request.params['ContactId']);
    const contact = /^[1-9]\d*$/.test(id) ? contacts.get(Number(id)) : undefined;
    const isOwn = contact?.SupplierId === SupplierId || (has('contact-of-any-supplier') && isRead);
    if (contact === undefined || !isOwn) throw new Problem(404, 'No such contact');
    return contact;
  };
  contactRoute.get((request, response) => void response.json(findContact(request)));
  contactRoute.put((request, response) => {
    const { ContactId, SupplierId } = findContact(request);
    response.json(storeContact(ContactId, SupplierId, bodyOf(request, 'contact')));
  });
  contactRoute.delete((request, response) => {
    contacts.delete(findContact(request).ContactId);
    response.status(204).end();
  });

  const fillLines = (lines: unknown): readonly Line[] => {
    const filled = (lines as Line[]).map(({ Quantity, UnitPrice, ...line }) => {
      const { Sku, Description = '' } = line as Json;
      return { Sku, Description, Quantity, UnitPrice };
    });
    return has('lines-reversed') ? filled.toReversed() : filled;
  };
  const addUp = (lines: readonly Line[]): number => {
    const amounts = lines.map(({ Quantity, UnitPrice }) => UnitPrice * (has('total-without-quantity') ? 1 : Quantity));
    return Math.round(amounts.reduce((sum, amount) => sum + amount, 0) * 100) / 100;
  };
  const showOrder = (order: Order): Json => {
    const shown: Json = { ...order };
    if (has('total-as-text')) shown['TotalAmount'] = order.TotalAmount.toFixed(2);
    if (has('delivery-with-time') && order.DeliveryDate !== null)
      shown['DeliveryDate'] = `${order.DeliveryDate}T00:00:00Z`;
    if (has('approve-status') && order.Status === 'Approved') shown['Status'] = 'Released';
    return shown;
  };
  const findOrder = (request: Request, isOpen = false): Entry<Order> => {
    const entry = orders.get(String(request.params['OrderNumber']));
    const isPublic = isOpen || (has('order-without-token') && companyOf(request) === '');
    if (entry === undefined || entry.isDeleted === true || (entry.company !== companyOf(request) && !isPublic))
      throw new Problem(404, 'No such purchase order');
    return entry;
  };
  const ordersRoute = api.route('/PurchaseOrders');
  ordersRoute.get((request, response) => {
    const supplier = queryOf(request, 'SupplierId', isUuid)?.toLowerCase();
    const status = queryOf(request, 'Status', (text) => ORDER_STATUSES.has(text));
    const minTotal = Number(queryOf(request, 'MinTotal', isAmount) ?? 0);
    const before = queryOf(request, 'DeliveryBefore', isDate);
    const found = [...orders.values()]
      .filter(({ company, isDeleted }) => company === companyOf(request) && isDeleted !== true)
      .map(({ value }) => value)
      .filter(
        ({ SupplierId, Status, TotalAmount, DeliveryDate }) =>
          (supplier === undefined || has('order-supplier-ignored') || SupplierId === supplier) &&
          (status === undefined || Status === status) &&
          (TotalAmount >= minTotal || has('min-total-ignored')) &&
          (before === undefined || (DeliveryDate !== null && DeliveryDate < before)),
      );
    const sorted = has('oldest-first') ? found : found.toReversed();
    response.json(pageOf(request, sorted.map(showOrder)));
  });
  ordersRoute.post((request, response) => {
    const input = bodyOf(request, 'order');
    const supplier = suppliers.get(String(input['SupplierId']).toLowerCase());
    if (supplier?.company !== companyOf(request)) {
      if (has('supplier-unknown-500')) throw new TypeError('supplier is undefined');
      throw new Problem(422, 'The supplier does not exist');
    }
    lastOrder += 1;
    const lines = fillLines(input['Lines']);
    const order = {
      OrderNumber: `PO-${lastOrder}`,
      SupplierId: supplier.value.SupplierId,
      Reference: input['Reference'],
      Currency: input['Currency'] ?? (has('currency-default') ? 'USD' : 'EUR'),
      DeliveryDate: (input['DeliveryDate'] ?? null) as string | null,
      Lines: lines,
      Status: 'Draft',
      TotalAmount: addUp(lines),
      CreatedOn: now(),
      SubmittedOn: null,
    };
    const entry = { company: companyOf(request), value: order, version: 1 };
    orders.set(order.OrderNumber, entry);
    send(response, 201, entry, showOrder(order));
  });
  const orderRoute = api.route('/PurchaseOrders/:OrderNumber');
  orderRoute.get((request, response) => {
    const entry = findOrder(request);
    if (isNotModified(request, entry)) response.status(304).set('etag', etagOf(entry)).end();
    else send(response, 200, entry, showOrder(entry.value));
  });
  orderRoute.patch((request, response) => {
    const entry = findOrder(request);
    checkIfMatch(request, entry);
    const { Reference, DeliveryDate, Lines } = bodyOf(request, 'orderChanges');
    const isSubmitted = entry.value.Status === 'Submitted' && has('patch-submitted');
    if (entry.value.Status !== 'Draft' && !isSubmitted) throw new Problem(409, 'It is not a draft');
    if (Reference !== undefined) (entry.value as Json)['Reference'] = Reference;
    if (DeliveryDate !== undefined) entry.value.DeliveryDate = DeliveryDate as string | null;
    if (Lines !== undefined) entry.value.Lines = fillLines(Lines);
    if (!has('total-stays')) entry.value.TotalAmount = addUp(entry.value.Lines);
    entry.version += 1;
    send(response, 200, entry, showOrder(entry.value));
  });
  orderRoute.delete((request, response) => {
    const entry = findOrder(request);
    if (!['Draft', 'Cancelled'].includes(entry.value.Status)) throw new Problem(409, 'It is submitted');
    if (has('deleted-order-listed')) orders.set(`deleted ${entry.value.OrderNumber}`, { ...entry });
    entry.isDeleted = true;
    response.status(204).end();
  });
  const move = (request: Request, response: Response, allowed: readonly string[], changes: Json): void => {
    const entry = findOrder(request, has('cancel-of-others') && changes['Status'] === 'Cancelled');
    const body = changes['Status'] === 'Cancelled' ? bodyOf(request, 'cancellation') : {};
    if (!allowed.includes(entry.value.Status)) throw new Problem(409, `It is ${entry.value.Status}`);
    const reason = body['Reason'] === undefined ? {} : { CancelReason: body['Reason'] };
    const changed = { ...entry.value, ...changes, ...reason };
    entry.version += 1;
    if (!has('submit-lost') || changes['Status'] !== 'Submitted') Object.assign(entry.value, changed);
    send(response, 200, entry, showOrder(changed));
  };
  api.route('/PurchaseOrders/:OrderNumber/Submit').post((request, response) => {
    const allowed = has('submit-again') ? ['Draft', 'Submitted'] : ['Draft'];
    move(request, response, allowed, { Status: 'Submitted', SubmittedOn: now() });
  });
  api.route('/PurchaseOrders/:OrderNumber/Approve').post((request, response) => {
    const allowed = has('approve-draft') ? ['Draft', 'Submitted'] : ['Submitted'];
    move(request, response, allowed, { Status: 'Approved' });
  });
  api.route('/PurchaseOrders/:OrderNumber/Cancel').post((request, response) => {
    const allowed = has('cancel-approved') ? ['Draft', 'Submitted', 'Approved'] : ['Draft', 'Submitted'];
    move(request, response, allowed, { Status: 'Cancelled' });
  });

  const allowOnly = (route: string, methods: string): void => {
    api.all(route, (_request, response) => {
      response.set('allow', methods);
      throw new Problem(405, 'Method not allowed');
    });
  };
  allowOnly('/Suppliers', 'GET, HEAD, POST');
  allowOnly('/Suppliers/:SupplierId', 'GET, HEAD, PUT, PATCH, DELETE');
  allowOnly('/Suppliers/:SupplierId/Contacts', 'GET, HEAD, POST');
  allowOnly('/Suppliers/:SupplierId/Contacts/:ContactId', 'GET, HEAD, PUT, DELETE');
  allowOnly('/PurchaseOrders', 'GET, HEAD, POST');
  allowOnly('/PurchaseOrders/:OrderNumber', 'GET, HEAD, PATCH, DELETE');
  for (const verb of ['Submit', 'Approve', 'Cancel']) allowOnly(`/PurchaseOrders/:OrderNumber/${verb}`, 'POST');
  app.use(() => {
    throw new Problem(404, 'No such route');
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    const problem = toProblem(error);
    const { status, message: title, errors } = problem;
    const body = { type: 'about:blank', title, status, ...(errors === undefined ? {} : { errors }) };
    response.status(status).type(has('problem-as-json') ? 'application/json' : 'application/problem+json');
    response.send(JSON.stringify(body));
  });
  return app;
}

/** Express and ajv in an enterprise style: PascalCase, ETags on each change, problem+json, bulk creation, two companies. */
export const procurement: ForeignApi = {
  name: 'procurement',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  headers: { authorization: 'Bearer contoso-4711' },
  otherHeaders: { authorization: 'Bearer fabrikam-0815' },
  start: (bug) => listen(createServer(createApp(bug)), '/odata'),
};
