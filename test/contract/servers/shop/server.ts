import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'order-of-others': 'An order of another user can be read',
  'orders-of-others': 'The orders of all users are listed',
  'address-of-others-deleted': 'The address of another user can be deleted',
  'notes-of-others': 'Notes can be added to the order of another user',
  'cancel-open': 'An order can be cancelled without a token',
  'brand-ignored': 'The filter by brand does nothing',
  'in-stock-false': 'inStock=false finds everything',
  'min-price-exclusive': 'minPrice leaves out the products of that very price',
  'order-ignored': 'order=desc sorts upwards',
  'total-off': 'X-Total-Count is one too large',
  'last-link': 'The last page has a link to a next page, which is itself',
  'page-size-maximum': 'pageSize=60 is refused',
  'page-two-repeats': 'Page 2 begins with the last product of page 1',
  'unknown-order-500': 'GET of an unknown order fails with 500',
  'large-product-500': 'GET of a product above 2^31 fails with 500',
  'address-put-merges': 'PUT of an address keeps the street2 that was left out',
  'address-shared': 'Deleting an address deletes all addresses of the user in that country',
  'quantity-maximum': 'A quantity of 99 is refused',
  'quantity-zero': 'A quantity of 0 is accepted',
  'gift-lost': 'The giftMessage of an order is not shown',
  'priority-default': 'An order without priority has priority',
  'cancel-twice-500': 'Cancelling a cancelled order fails with 500',
  'note-text-lost': 'PATCH of pinned empties the text of a note',
  'note-reminder': 'PATCH with reminder null keeps the reminder',
  'note-of-other-order': 'A note can be read below any order',
  'note-still-listed': 'A deleted note is still listed',
  'lines-empty': 'An order without lines is accepted',
  'problem-type': 'Problems are sent as application/json',
} as const;

type Bug = keyof typeof BUGS;
type Json = Record<string, unknown>;

class Problem extends Error {
  readonly status: number;
  readonly errors: { detail: string; pointer?: string; parameter?: string }[];

  constructor(status: number, title: string, errors: { detail: string; pointer?: string; parameter?: string }[] = []) {
    super(title);
    this.status = status;
    this.errors = errors;
  }
}

interface Owned {
  owner: string;
}

interface Address extends Owned {
  id: number;
  name: string;
  street: string;
  street2?: string;
  city: string;
  country: string;
  phone?: string;
}

interface Order extends Owned {
  id: string;
  addressId: number;
  lines: { productId: number; quantity: number }[];
  giftMessage?: string;
  priority: boolean;
  status: 'placed' | 'cancelled';
  total: number;
  placedAt: string;
}

interface Note {
  id: number;
  orderId: string;
  text: string;
  pinned: boolean;
  reminder?: string | null;
}

interface Call {
  readonly user: string;
  readonly params: string[];
  readonly query: URLSearchParams;
  readonly body: Json;
  readonly response: ServerResponse;
}

const USERS: Readonly<Record<string, string>> = { 'Bearer alice-token': 'alice', 'Bearer bob-token': 'bob' };
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;
const isText = (value: unknown, min: number, max: number): boolean =>
  typeof value === 'string' && [...value].length >= min && [...value].length <= max;
const isInteger = (value: unknown, min: number, max = Number.MAX_VALUE): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

class ShopController {
  readonly products = [
    ['Apple peeler', 'Kitcho', 1290, true],
    ['Bread knife', 'Solinger', 2590, true],
    ['Corkscrew', 'Kitcho', 890, false],
    ['Dough bowl', 'Terra', 3490, true],
    ['Egg timer', 'Terra', 990, false],
    ['Fondue set', 'Solinger', 5990, true],
    ['Garlic press', 'Kitcho', 1490, true],
  ].map(([title, brand, price, inStock], index) => ({
    id: index + 1,
    title: String(title),
    brand: String(brand),
    price: Number(price),
    inStock: inStock === true,
  }));
  addresses: Address[] = [
    { id: 1, owner: 'bob', name: 'Bob', street: 'Long 1', city: 'Brno', country: 'CZ' },
    { id: 2, owner: 'alice', name: 'Alice', street: 'Short 2', city: 'Praha', country: 'CZ' },
  ];
  readonly orders: Order[] = [];
  notes: Note[] = [];
  removedNotes: Note[] = [];
  #id = 10;

  readonly bug: string | undefined;

  constructor(bug: string | undefined) {
    this.bug = bug;
  }

  has(bug: Bug): boolean {
    return this.bug === bug;
  }

  searchProducts({ query, response }: Call): unknown {
    const page = this.integer(query, 'page', 1, 1);
    const pageSize = this.integer(query, 'pageSize', 12, 1, this.has('page-size-maximum') ? 59 : 60);
    const minPrice = this.integer(query, 'minPrice', 0, 0);
    const maxPrice = this.integer(query, 'maxPrice', Number.MAX_VALUE, 0);
    const brand = query.get('brand');
    if (brand !== null && !isText(brand, 1, 40)) this.refuse('parameter', 'brand');
    const inStock = this.choice(query, 'inStock', ['true', 'false']);
    const order = this.choice(query, 'order', ['asc', 'desc']) ?? 'asc';
    const sortBy = (this.choice(query, 'sortBy', ['price', 'title']) ?? 'title') as 'price' | 'title';
    const found = this.products.filter(
      (product) =>
        (brand === null || this.has('brand-ignored') || product.brand === brand) &&
        (inStock === undefined ||
          (this.has('in-stock-false') && inStock === 'false') ||
          String(product.inStock) === inStock) &&
        (this.has('min-price-exclusive') && query.has('minPrice')
          ? product.price > minPrice
          : product.price >= minPrice) &&
        product.price <= maxPrice,
    );
    const sign = order === 'desc' && !this.has('order-ignored') ? -1 : 1;
    found.sort((one, other) => (one[sortBy] < other[sortBy] ? -sign : sign));
    const offset = (page - 1) * pageSize - (this.has('page-two-repeats') && page > 1 ? 1 : 0);
    response.setHeader('x-total-count', found.length + (this.has('total-off') ? 1 : 0));
    const isLast = page * pageSize >= found.length;
    if (!isLast || this.has('last-link')) {
      const next = new URLSearchParams(query);
      next.set('page', String(isLast ? page : page + 1));
      response.setHeader('link', `</shop/products?${next}>; rel="next"`);
    }
    return found.slice(offset, offset + pageSize);
  }

  getProduct({ params }: Call): unknown {
    const id = this.id(params[0]);
    if (this.has('large-product-500') && id > 2 ** 31 - 1) throw new RangeError('out of range for type integer');
    return this.products.find((product) => product.id === id) ?? this.notFound();
  }

  listAddresses({ user }: Call): unknown {
    return { addresses: this.addresses.filter(({ owner }) => owner === user).map(show) };
  }

  createAddress({ user, body }: Call): unknown {
    const address = { ...this.addressOf(body), id: this.nextId(), owner: user };
    this.addresses.push(address);
    return show(address);
  }

  getAddress(call: Call): unknown {
    return show(this.address(call));
  }

  replaceAddress(call: Call): unknown {
    const old = this.address(call);
    const kept = this.has('address-put-merges') && old.street2 !== undefined ? { street2: old.street2 } : {};
    const address = { ...kept, ...this.addressOf(call.body), id: old.id, owner: old.owner };
    this.addresses[this.addresses.indexOf(old)] = address;
    return show(address);
  }

  deleteAddress(call: Call): void {
    const id = this.id(call.params[0]);
    const foreign = this.has('address-of-others-deleted') ? this.addresses.find((one) => one.id === id) : undefined;
    const address = foreign ?? this.address(call);
    const { country, owner } = address;
    this.addresses = this.addresses.filter(
      (one) => one !== address && !(this.has('address-shared') && one.owner === owner && one.country === country),
    );
  }

  listOrders({ user, query }: Call): unknown {
    const status = this.choice(query, 'status', ['placed', 'cancelled']);
    const found = this.orders.filter(
      (order) =>
        (this.has('orders-of-others') || order.owner === user) && (status === undefined || order.status === status),
    );
    return { orders: found.map(show), count: found.length };
  }

  placeOrder({ user, body, response }: Call): unknown {
    const { addressId, lines, giftMessage, priority } = body;
    if (!isInteger(addressId, 1)) this.refuse('pointer', '#/addressId');
    const most = this.has('quantity-maximum') ? 98 : 99;
    const least = this.has('quantity-zero') ? 0 : 1;
    if (!Array.isArray(lines) || lines.length > 10 || (lines.length === 0 && !this.has('lines-empty')))
      this.refuse('pointer', '#/lines');
    const items = lines as unknown[];
    for (const [index, line] of items.entries()) {
      if (!isObject(line)) this.refuse('pointer', `#/lines/${index}`);
      else if (!isInteger(line.productId, 1)) this.refuse('pointer', `#/lines/${index}/productId`);
      else if (!isInteger(line.quantity, least, most)) this.refuse('pointer', `#/lines/${index}/quantity`);
    }
    if (giftMessage !== undefined && !isText(giftMessage, 0, 200)) this.refuse('pointer', '#/giftMessage');
    if (priority !== undefined && typeof priority !== 'boolean') this.refuse('pointer', '#/priority');
    if (!this.addresses.some((address) => address.id === addressId && address.owner === user))
      throw new Problem(422, 'The address is unknown', [{ detail: 'unknown', pointer: '#/addressId' }]);
    const bought = items
      .map((line) => line as { productId: number; quantity: number })
      .map(({ productId, quantity }) => ({ productId, quantity }));
    const prices = bought.map(({ productId }) => this.products.find((product) => product.id === productId)?.price);
    const missing = prices.indexOf(undefined);
    if (missing !== -1)
      throw new Problem(422, 'A product is unknown', [{ detail: 'unknown', pointer: `#/lines/${missing}/productId` }]);
    const order: Order = {
      id: randomUUID(),
      owner: user,
      addressId: addressId as number,
      lines: bought,
      ...(giftMessage === undefined || this.has('gift-lost') ? {} : { giftMessage: giftMessage as string }),
      priority: priority ?? this.has('priority-default'),
      status: 'placed',
      total: bought.reduce((sum, { quantity }, index) => sum + quantity * (prices[index] ?? 0), 0),
      placedAt: new Date().toISOString(),
    };
    this.orders.push(order);
    response.setHeader('location', `/shop/orders/${order.id}`);
    return show(order);
  }

  getOrder(call: Call): unknown {
    const any = this.has('order-of-others') ? this.orders.find(({ id }) => id === call.params[0]) : undefined;
    return show(any ?? this.order(call));
  }

  cancelOrder(call: Call): unknown {
    const order =
      this.has('cancel-open') && call.user === ''
        ? this.orders.find(({ id }) => id === call.params[0])
        : this.order(call);
    if (order === undefined) return this.notFound();
    if (order.status === 'cancelled')
      throw this.has('cancel-twice-500') ? new Error('refund failed') : new Problem(409, 'It is cancelled already');
    order.status = 'cancelled';
    return show(order);
  }

  listNotes(call: Call): unknown {
    const { id } = this.order(call);
    const all = this.has('note-still-listed') ? [...this.notes, ...this.removedNotes] : this.notes;
    return all.filter(({ orderId }) => orderId === id).map(showNote);
  }

  createNote(call: Call): unknown {
    const foreign = this.has('notes-of-others') ? this.orders.find(({ id }) => id === call.params[0]) : undefined;
    const order = foreign ?? this.order(call);
    const { text, pinned, reminder } = this.noteOf(call.body, true);
    const note = {
      id: this.nextId(),
      orderId: order.id,
      text: text ?? '',
      pinned: pinned ?? false,
      ...(reminder === undefined ? {} : { reminder }),
    };
    this.notes.push(note);
    return showNote(note);
  }

  getNote(call: Call): unknown {
    return showNote(this.note(call));
  }

  updateNote(call: Call): unknown {
    const note = this.note(call);
    const { text, pinned, reminder } = this.noteOf(call.body, false);
    if (text !== undefined) note.text = text;
    if (this.has('note-text-lost') && pinned !== undefined && text === undefined) note.text = '';
    if (pinned !== undefined) note.pinned = pinned;
    if (reminder !== undefined && !(this.has('note-reminder') && reminder === null)) note.reminder = reminder;
    return showNote(note);
  }

  deleteNote(call: Call): void {
    const note = this.note(call);
    this.notes = this.notes.filter((one) => one !== note);
    this.removedNotes.push(note);
  }

  private nextId(): number {
    this.#id += 1;
    return this.#id;
  }

  private id(text: string | undefined): number {
    const value = Number(text);
    if (!/^\d+$/.test(text ?? '') || value < 1) this.refuse('parameter', 'id');
    return value;
  }

  private integer(
    query: URLSearchParams,
    name: string,
    fallback: number,
    ...[min, max = Number.MAX_VALUE]: [number, number?]
  ): number {
    const text = query.get(name);
    if (text === null) return fallback;
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < min || value > max) this.refuse('parameter', name);
    return value;
  }

  private choice(query: URLSearchParams, name: string, choices: string[]): string | undefined {
    const text = query.get(name) ?? undefined;
    if (text !== undefined && !choices.includes(text)) this.refuse('parameter', name);
    return text;
  }

  private addressOf(body: Json): Omit<Address, 'id' | 'owner'> {
    const { name, street, street2, city, country, phone } = body;
    for (const [key, value, max] of [
      ['name', name, 70],
      ['street', street, 70],
      ['city', city, 50],
    ] as const)
      if (!isText(value, 1, max)) this.refuse('pointer', `#/${key}`);
    if (street2 !== undefined && !isText(street2, 0, 70)) this.refuse('pointer', '#/street2');
    if (typeof country !== 'string' || !/^[A-Z]{2}$/.test(country)) this.refuse('pointer', '#/country');
    if (phone !== undefined && !(typeof phone === 'string' && /^[+][0-9]{6,15}$/.test(phone)))
      this.refuse('pointer', '#/phone');
    const optional = { ...(street2 === undefined ? {} : { street2 }), ...(phone === undefined ? {} : { phone }) };
    return { name, street, city, country, ...optional } as Omit<Address, 'id' | 'owner'>;
  }

  private noteOf(body: Json, isNew: boolean): Partial<Note> {
    const { text, pinned, reminder } = body;
    if (text === undefined ? isNew : !isText(text, 1, 250)) this.refuse('pointer', '#/text');
    if (pinned !== undefined && typeof pinned !== 'boolean') this.refuse('pointer', '#/pinned');
    const isReminder =
      reminder === undefined ||
      reminder === null ||
      (typeof reminder === 'string' && DATE_TIME.test(reminder) && !Number.isNaN(Date.parse(reminder)));
    if (!isReminder) this.refuse('pointer', '#/reminder');
    return { text, pinned, reminder } as Partial<Note>;
  }

  private address({ user, params }: Call): Address {
    const id = this.id(params[0]);
    return this.addresses.find((address) => address.id === id && address.owner === user) ?? this.notFound();
  }

  private order({ user, params }: Call): Order {
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(params[0] ?? '')) this.refuse('parameter', 'orderId');
    const order = this.orders.find(({ id, owner }) => id === params[0]?.toLowerCase() && owner === user);
    if (order === undefined && this.has('unknown-order-500')) throw new TypeError('order is null');
    return order ?? this.notFound();
  }

  private note(call: Call): Note {
    const order = this.order(call);
    const id = this.id(call.params[1]);
    return (
      this.notes.find((note) => note.id === id && (this.has('note-of-other-order') || note.orderId === order.id)) ??
      this.notFound()
    );
  }

  private refuse(kind: 'pointer' | 'parameter', place: string): never {
    throw new Problem(400, 'The request is invalid', [{ detail: 'is invalid', [kind]: place }]);
  }

  private notFound(): never {
    throw new Problem(404, 'There is no such thing');
  }
}

const show = <T extends Owned>({ owner: _owner, ...item }: T): Omit<T, 'owner'> => item;
const showNote = ({ orderId: _orderId, ...note }: Note): Omit<Note, 'orderId'> => note;

type Action = Exclude<
  { [K in keyof ShopController]: ShopController[K] extends (call: Call) => unknown ? K : never }[keyof ShopController],
  'has'
>;

const ROUTES: readonly [string, RegExp, Action, status: number][] = [
  ['GET', /^\/products$/, 'searchProducts', 200],
  ['GET', /^\/products\/([^/]+)$/, 'getProduct', 200],
  ['GET', /^\/addresses$/, 'listAddresses', 200],
  ['POST', /^\/addresses$/, 'createAddress', 201],
  ['GET', /^\/addresses\/([^/]+)$/, 'getAddress', 200],
  ['PUT', /^\/addresses\/([^/]+)$/, 'replaceAddress', 200],
  ['DELETE', /^\/addresses\/([^/]+)$/, 'deleteAddress', 204],
  ['GET', /^\/orders$/, 'listOrders', 200],
  ['POST', /^\/orders$/, 'placeOrder', 201],
  ['GET', /^\/orders\/([^/]+)$/, 'getOrder', 200],
  ['POST', /^\/orders\/([^/]+)\/cancel$/, 'cancelOrder', 200],
  ['GET', /^\/orders\/([^/]+)\/notes$/, 'listNotes', 200],
  ['POST', /^\/orders\/([^/]+)\/notes$/, 'createNote', 201],
  ['GET', /^\/orders\/([^/]+)\/notes\/([^/]+)$/, 'getNote', 200],
  ['PATCH', /^\/orders\/([^/]+)\/notes\/([^/]+)$/, 'updateNote', 200],
  ['DELETE', /^\/orders\/([^/]+)\/notes\/([^/]+)$/, 'deleteNote', 204],
];

async function bodyOf(request: IncomingMessage, action: Action): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (!['POST', 'PUT', 'PATCH'].includes(request.method ?? '') || action === 'cancelOrder') return {};
  const mediaType = (request.headers['content-type'] ?? '').split(';')[0];
  const wanted = action === 'updateNote' ? 'application/merge-patch+json' : 'application/json';
  if (mediaType !== wanted) throw new Problem(415, `Send ${wanted}`);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    throw new Problem(400, 'The body is no JSON');
  }
  if (!isObject(value)) throw new Problem(400, 'The body is no object', [{ detail: 'is no object', pointer: '#' }]);
  return value;
}

async function handle(
  shop: ShopController,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<[number, unknown]> {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://localhost');
  const place = pathname.replace(/^\/shop/, '');
  const matching = ROUTES.filter(([, pattern]) => pattern.test(place));
  const route = matching.find(([method]) => method === request.method);
  if (matching.length === 0) throw new Problem(404, 'There is no such page');
  if (route === undefined) {
    response.setHeader('allow', matching.map(([method]) => method).join(', '));
    throw new Problem(405, 'The method is not allowed');
  }
  const [, pattern, action, status] = route;
  const user = USERS[request.headers.authorization ?? ''] ?? '';
  const isOpen =
    action === 'searchProducts' || action === 'getProduct' || (action === 'cancelOrder' && shop.has('cancel-open'));
  if (user === '' && !isOpen) throw new Problem(401, 'Log in first');
  const body = await bodyOf(request, action);
  const params = (pattern.exec(place) ?? []).slice(1).map(decodeURIComponent);
  return [status, shop[action]({ user, params, query, body, response })];
}

/** Controllers on plain node:http with problems by RFC 9457, nested resources and two users. */
export const shop: ForeignApi = {
  name: 'shop',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  headers: { authorization: 'Bearer alice-token' },
  otherHeaders: { authorization: 'Bearer bob-token' },
  start: (bug) => {
    const controller = new ShopController(bug);
    const server = createServer((request, response) => {
      const succeed = ([status, body]: [number, unknown]): void => {
        response.statusCode = status;
        if (body !== undefined) response.setHeader('content-type', 'application/json');
        response.end(body === undefined ? undefined : JSON.stringify(body));
      };
      handle(controller, request, response).then(succeed, (error: unknown) => {
        const { status, message, errors } = error instanceof Problem ? error : new Problem(500, 'Internal error');
        response.statusCode = status;
        response.setHeader(
          'content-type',
          controller.has('problem-type') ? 'application/json' : 'application/problem+json',
        );
        response.end(
          JSON.stringify({ type: 'about:blank', title: message, status, ...(errors.length > 0 ? { errors } : {}) }),
        );
      });
    });
    return listen(server, '/shop');
  },
};
