import { createServer } from 'node:http';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { z } from 'zod';

import { type ForeignApi, listen } from '../foreign-api.js';

const BUGS = {
  'amount-number': 'amount is a number when a transfer is read',
  'amount-short': 'amount has no final zeros',
  'amount-precision': 'Large amounts lose their cents',
  'amount-unanchored': 'Text around an amount is accepted',
  'amount-negative': 'Negative amounts are accepted',
  'limit-over': 'limit=101 is accepted',
  'limit-zero': 'limit=0 means the default',
  'account-sort-lexical': 'sort=credit_limit compares texts',
  'account-sort-descending': 'sort=-name is ascending',
  'account-cursor-descending': 'With sort=-name the second page repeats an account',
  'account-cursor-last': 'A last page that is exactly full has a next_cursor',
  'account-cursor-null': 'next_cursor is left out on the last page',
  'account-currency-ignored': 'The filter by currency is ignored',
  'account-currency-any': 'Any currency is accepted',
  'account-duplicate': 'A second account of the same number is accepted',
  'account-duplicate-race': 'Two accounts of the same number are accepted at the same time',
  'account-number-kept': 'The number of a closed account stays taken',
  'account-number-short': 'Numbers of five digits are accepted',
  'account-limit-default': 'An account without a credit_limit has 100.00',
  'account-phone-lost': 'The phone of the holder is lost',
  'account-country-lower': 'Countries in lower case are accepted',
  'account-name-special': 'Backslashes are removed from names',
  'account-name-emoji': 'The length of a name counts UTF-16 units',
  'account-patch-lost': 'PATCH of the name is lost',
  'account-patch-holder': 'PATCH without a holder removes the holder',
  'account-patch-empty': 'An empty PATCH is accepted',
  'account-close-stays': 'A closed account can still be read',
  'account-unknown-500': 'An unknown account fails with 500',
  'entries-of-all': 'The entries are those of all accounts',
  'entries-cursor-skips': 'The second page of entries leaves out one entry',
  'entries-of-unknown': 'The entries of an unknown account are an empty list',
  'transfer-from-ignored': 'The filter by from_account_id is ignored',
  'transfer-from-is-to': 'The filter by from_account_id compares to_account_id',
  'transfer-min-exclusive': 'min_amount leaves out transfers of exactly this amount',
  'transfer-max-lexical': 'max_amount compares texts',
  'transfer-created-to': 'created_to is ignored',
  'transfer-created-from': 'created_from is ignored',
  'transfer-sort-amount': 'sort=amount is ignored',
  'transfer-cursor-amount': 'With sort=amount the second page leaves out one transfer',
  'transfer-unknown-account': 'Transfers to unknown accounts are accepted',
  'transfer-accounts-swapped': 'The two accounts are swapped',
  'transfer-reference-twice': 'The same reference is accepted twice',
  'transfer-memo-cut': 'Only the first 20 characters of a memo are stored',
  'transfer-location-200': 'POST of a transfer responds 200',
  'idempotency-ignored': 'Idempotency-Key does nothing',
  'idempotency-other-body': 'A repeated key with another body is accepted',
  'idempotency-race': 'Two requests of the same key at once make two transfers',
  'idempotency-short': 'A key of any length is accepted',
  'reverse-lost': 'A reversed transfer is booked when it is read',
  'reverse-again': 'A transfer can be reversed twice',
  'reverse-unknown': 'Reversing an unknown transfer is 500',
  'bulk-item-invalid': 'Invalid transfers of a bulk request are accepted',
  'bulk-all-or-nothing': 'One invalid transfer makes all results 400',
  'bulk-over': 'A bulk request with eleven transfers is accepted',
  'bulk-status-text': 'The status of results is a text',
  'bulk-lost': 'Transfers of a bulk request cannot be read',
  'bulk-result-missing': 'The last result is missing',
  'statement-done-null': 'done of a finished statement is null',
  'statement-pages-zero': 'A finished statement has 0 pages',
  'statement-runs': 'A statement is never done',
  'statement-account': 'A statement is of another account',
  'statement-format': 'format is always pdf',
  'key-any': 'Any X-Api-Key is accepted',
  'key-none': 'Requests without X-Api-Key are accepted',
} as const;

type Bug = keyof typeof BUGS;

interface Account {
  readonly id: string;
  name: string;
  readonly currency: string;
  readonly number: string;
  credit_limit: string;
  holder?: { country: string; phone?: string | undefined } | undefined;
  readonly created_at: string;
}

interface Transfer {
  readonly id: string;
  readonly from_account_id: string;
  readonly to_account_id: string;
  readonly amount: string;
  readonly memo?: string | undefined;
  readonly reference?: string | undefined;
  status: string;
  readonly created_at: string;
}

const STATUSES = { invalid: 400, unauthorized: 401, not_found: 404, conflict: 409, unprocessable: 422 } as const;

class Refusal extends HTTPException {
  readonly json: { readonly code: string; readonly detail: string };
  constructor(code: keyof typeof STATUSES, detail: string) {
    super(STATUSES[code], { res: Response.json({ code, detail }, { status: STATUSES[code] }) });
    this.json = { code, detail };
  }
}

const fail = (code: keyof typeof STATUSES, detail: string): never => {
  throw new Refusal(code, detail);
};
const chars = (min: number, max: number): z.ZodType<string> =>
  z.string().refine((text) => [...text].length >= min && [...text].length <= max, `has ${min} to ${max} characters`);

function createSchemas(has: (bug: Bug) => boolean) {
  const pattern = has('amount-unanchored')
    ? /[0-9]{1,9}\.[0-9]{2}/
    : has('amount-negative')
      ? /^-?[0-9]{1,9}\.[0-9]{2}$/
      : /^[0-9]{1,9}\.[0-9]{2}$/;
  const money = z.string().regex(pattern);
  const digits = z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number);
  const holder = z.object({
    country: z.string().regex(has('account-country-lower') ? /^[A-Z]{2}$/i : /^[A-Z]{2}$/),
    phone: z
      .string()
      .regex(/^\+[1-9][0-9]{6,14}$/)
      .optional(),
  });
  const name = has('account-name-emoji') ? z.string().min(1).max(50) : chars(1, 50);
  const accountId = z.string().regex(/^acc_[0-9]+$/);
  const currency = has('account-currency-any') ? z.string() : z.enum(['CZK', 'EUR', 'USD']);
  const transfer = z.object({
    from_account_id: accountId,
    to_account_id: accountId,
    amount: money,
    memo: chars(0, 60).optional(),
    reference: chars(4, 20).optional(),
  });
  return {
    account: z.object({
      name,
      currency,
      number: z.string().regex(has('account-number-short') ? /^[0-9]{5,10}$/ : /^[0-9]{6,10}$/),
      credit_limit: money.default(has('account-limit-default') ? '100.00' : '0.00'),
      holder: holder.optional(),
    }),
    accountPatch: z
      .object({ name: name.optional(), credit_limit: money.optional(), holder: holder.optional() })
      .refine((all) => has('account-patch-empty') || Object.keys(all).length > 0, 'has a member'),
    accounts: z.object({
      currency: currency.optional(),
      sort: z
        .enum(['name', '-name', 'credit_limit', '-credit_limit', 'created_at', '-created_at'])
        .default('created_at'),
    }),
    transfers: z.object({
      from_account_id: accountId.optional(),
      min_amount: money.optional(),
      max_amount: money.optional(),
      created_from: z.iso.datetime({ offset: true }).optional(),
      created_to: z.iso.datetime({ offset: true }).optional(),
      sort: z.enum(['created_at', '-created_at', 'amount', '-amount']).default('created_at'),
    }),
    transfer,
    bulk: z.object({
      transfers: z
        .unknown()
        .array()
        .min(1)
        .max(has('bulk-over') ? 1000 : 10),
    }),
    limit: (has('limit-zero') ? digits.transform((limit) => limit || 20) : digits).pipe(
      z
        .number()
        .min(1)
        .max(has('limit-over') ? 1000 : 100),
    ),
    key: chars(has('idempotency-short') ? 0 : 8, has('idempotency-short') ? 1e6 : 64),
    statement: z.object({ account_id: accountId, format: z.enum(['pdf', 'csv']).default('pdf') }),
  };
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return fail('invalid', `${(issue?.path ?? []).join('.')}: ${issue?.message}`);
}

const cents = (amount: string): number => Number(amount.replace('.', ''));

function createApp(bug: string | undefined): Hono {
  const has = (name: Bug): boolean => bug === name;
  const schemas = createSchemas(has);
  const accounts = new Map<string, Account>();
  const closed: Account[] = [];
  const transfers = new Map<string, Transfer>();
  const keys = new Map<string, { readonly body: string; readonly transfer: Promise<Transfer> | Transfer }>();
  const statements = new Map<
    string,
    { readonly id: string; readonly account_id: string; readonly format: string; readonly startedAt: number }
  >();
  let last = 10_000;
  let lastTime = Date.now();
  const nextId = (prefix: string): string => `${prefix}_${(last += 1)}`;
  const now = (): string => new Date((lastTime = Math.max(Date.now(), lastTime + 1))).toISOString();

  const body = async <Schema extends z.ZodType>(context: Context, schema: Schema): Promise<z.infer<Schema>> => {
    if (!/^application\/json\b/i.test(context.req.header('content-type') ?? '')) fail('invalid', 'Send JSON.');
    let value: unknown;
    try {
      value = await context.req.json();
    } catch {
      return fail('invalid', 'The body is not JSON.');
    }
    return check(schema, value);
  };
  const findAccount = (context: Context): Account => {
    const account = accounts.get(context.req.param('account_id') ?? '');
    if (account === undefined && has('account-unknown-500')) throw new Error('row not found');
    return account ?? fail('not_found', 'There is no such account.');
  };
  const turnPage = <Item>(
    context: Context,
    all: readonly Item[],
  ): { readonly data: readonly Item[]; readonly next_cursor?: string | null } => {
    const { limit: size, cursor } = context.req.query();
    const limit = size === undefined ? 20 : check(schemas.limit, size);
    const at = cursor === undefined ? '0' : Buffer.from(cursor, 'base64url').toString();
    if (!/^\d+$/.test(at)) return fail('invalid', 'cursor: it comes from no page.');
    const sort = context.req.query('sort');
    let start = Number(at);
    if (start > 0 && sort === '-name' && has('account-cursor-descending')) start -= 1;
    if (start > 0 && sort === 'amount' && has('transfer-cursor-amount')) start += 1;
    if (start > 0 && context.req.path.endsWith('/entries') && has('entries-cursor-skips')) start += 1;
    const end = start + limit;
    const more =
      has('account-cursor-last') && context.req.path.endsWith('/accounts') ? end <= all.length : end < all.length;
    const next = more ? Buffer.from(String(end)).toString('base64url') : null;
    const data = all.slice(start, end);
    return next === null && has('account-cursor-null') ? { data } : { data, next_cursor: next };
  };
  const show = (transfer: Transfer): Record<string, unknown> => {
    const { amount } = transfer;
    const shown = has('amount-short')
      ? amount.replace(/\.?0+$/, '')
      : has('amount-precision')
        ? Math.fround(Number(amount)).toFixed(2)
        : amount;
    return { ...transfer, amount: shown };
  };
  const sorted = <Item extends object>(all: readonly Item[], sort: string, isLexical: boolean): Item[] => {
    const member = sort.replace(/^-/, '');
    const valueOf = (item: Item): string => String(new Map(Object.entries(item)).get(member));
    const isMoney = ['amount', 'credit_limit'].includes(member) && !isLexical;
    const ascending = all.toSorted((a, b) => {
      if (isMoney) return cents(valueOf(a)) - cents(valueOf(b));
      return valueOf(a) < valueOf(b) ? -1 : valueOf(a) > valueOf(b) ? 1 : 0;
    });
    return sort.startsWith('-') ? ascending.toReversed() : ascending;
  };

  const app = new Hono().basePath('/ledger');
  app.use(async (context, next) => {
    const key = context.req.header('x-api-key') ?? '';
    const isFree = key === '' ? has('key-none') : has('key-any');
    if (key !== 'ledger-key' && !isFree) fail('unauthorized', 'Send a valid X-Api-Key.');
    return next();
  });
  app.notFound((context) => context.json({ code: 'not_found', detail: 'There is no such path.' }, 404));
  app.onError((error, context) =>
    error instanceof HTTPException ? error.getResponse() : context.json({ code: 'internal', detail: 'Failed' }, 500),
  );

  app.get('/accounts', (context) => {
    const { currency, sort } = check(schemas.accounts, context.req.query());
    const found = [...accounts.values()].filter(
      (account) => currency === undefined || has('account-currency-ignored') || account.currency === currency,
    );
    const order = has('account-sort-descending') && sort === '-name' ? 'name' : sort;
    return context.json(turnPage(context, sorted(found, order, has('account-sort-lexical'))));
  });
  app.post('/accounts', async (context) => {
    const input = await body(context, schemas.account);
    const isTaken = (): boolean => [...accounts.values()].some(({ number }) => number === input.number);
    const wasTaken = has('account-number-kept') && closed.some(({ number }) => number === input.number);
    if ((isTaken() || wasTaken) && !has('account-duplicate')) fail('conflict', 'The number is already taken.');
    if (has('account-duplicate-race')) await wait(15);
    const { phone: _phone, ...rest } = input.holder ?? { country: '' };
    const account: Account = {
      id: nextId('acc'),
      ...input,
      name: has('account-name-special') ? input.name.replaceAll('\\', '') : input.name,
      created_at: now(),
      ...(has('account-phone-lost') && input.holder !== undefined ? { holder: rest } : {}),
    };
    accounts.set(account.id, account);
    return context.json(account, 201);
  });
  app.get('/accounts/:account_id', (context) => context.json(findAccount(context)));
  app.patch('/accounts/:account_id', async (context) => {
    const input = await body(context, schemas.accountPatch);
    const account = findAccount(context);
    const { name } = account;
    Object.assign(account, input);
    const shown = { ...account };
    if (has('account-patch-lost')) account.name = name;
    if (has('account-patch-holder') && input.holder === undefined) delete account.holder;
    return context.json(shown);
  });
  app.delete('/accounts/:account_id', (context) => {
    const account = findAccount(context);
    const isUsed = [...transfers.values()].some((one) => [one.from_account_id, one.to_account_id].includes(account.id));
    if (isUsed) fail('conflict', 'There are transfers.');
    closed.push(account);
    if (!has('account-close-stays')) accounts.delete(account.id);
    return context.body(null, 204);
  });
  app.get('/accounts/:account_id/entries', (context) => {
    const id = context.req.param('account_id');
    if (!has('entries-of-unknown')) findAccount(context);
    const entries = [...transfers.values()].flatMap((one) => [
      { id: `${one.id}-out`, account_id: one.from_account_id, transfer_id: one.id, amount: `-${one.amount}` },
      { id: `${one.id}-in`, account_id: one.to_account_id, transfer_id: one.id, amount: one.amount },
    ]);
    return context.json(
      turnPage(
        context,
        entries.filter((entry) => has('entries-of-all') || entry.account_id === id),
      ),
    );
  });

  app.get('/transfers', (context) => {
    const query = check(schemas.transfers, context.req.query());
    const { min_amount: min, max_amount: max, created_from: from, created_to: to, from_account_id: account } = query;
    const found = [...transfers.values()].filter((one) => {
      const filtered = has('transfer-from-is-to') ? one.to_account_id : one.from_account_id;
      const amount = cents(one.amount);
      return (
        (account === undefined || has('transfer-from-ignored') || filtered === account) &&
        (min === undefined || (has('transfer-min-exclusive') ? amount > cents(min) : amount >= cents(min))) &&
        (max === undefined || (has('transfer-max-lexical') ? one.amount <= max : amount <= cents(max))) &&
        (from === undefined || has('transfer-created-from') || Date.parse(one.created_at) >= Date.parse(from)) &&
        (to === undefined || has('transfer-created-to') || Date.parse(one.created_at) < Date.parse(to))
      );
    });
    const sort = has('transfer-sort-amount') ? 'created_at' : query.sort;
    const { data, ...rest } = turnPage(context, sorted(found, sort, false));
    return context.json({ data: data.map(show), ...rest });
  });
  const transferOf = (input: z.infer<typeof schemas.transfer>): Transfer => {
    for (const id of [input.from_account_id, input.to_account_id])
      if (!accounts.has(id) && !has('transfer-unknown-account')) fail('unprocessable', `There is no account ${id}.`);
    const { reference, memo } = input;
    const isTaken = reference !== undefined && [...transfers.values()].some((one) => one.reference === reference);
    if (isTaken && !has('transfer-reference-twice')) fail('conflict', 'There is a transfer of this reference already.');
    const isSwapped = has('transfer-accounts-swapped');
    const transfer: Transfer = {
      id: nextId('tr'),
      ...input,
      from_account_id: isSwapped ? input.to_account_id : input.from_account_id,
      to_account_id: isSwapped ? input.from_account_id : input.to_account_id,
      ...(has('transfer-memo-cut') && memo !== undefined ? { memo: [...memo].slice(0, 20).join('') } : {}),
      status: 'booked',
      created_at: now(),
    };
    return transfer;
  };
  app.post('/transfers', async (context) => {
    const header = context.req.header('idempotency-key');
    const key = header === undefined ? undefined : check(schemas.key, header);
    const input = await body(context, schemas.transfer);
    const known = key === undefined || has('idempotency-ignored') ? undefined : keys.get(key);
    const status = has('transfer-location-200') ? 200 : 201;
    if (known !== undefined) {
      if (known.body !== JSON.stringify(input) && !has('idempotency-other-body'))
        fail('unprocessable', 'The key was used for another body.');
      return context.json(show(await known.transfer), status);
    }
    const transfer = transferOf(input);
    transfers.set(transfer.id, transfer);
    if (has('idempotency-race')) await wait(15);
    if (key !== undefined) keys.set(key, { body: JSON.stringify(input), transfer });
    return context.json(show(transfer), status);
  });
  app.post('/transfers/bulk', async (context) => {
    const { transfers: inputs } = await body(context, schemas.bulk);
    const results = inputs.map((one) => {
      try {
        const result = schemas.transfer.safeParse(one);
        if (!result.success && has('bulk-item-invalid')) {
          const [sample] = transfers.values();
          if (sample !== undefined) return { status: 201, transfer: show({ ...sample, id: nextId('tr') }) };
        }
        const transfer = transferOf(check(schemas.transfer, one));
        if (!has('bulk-lost')) transfers.set(transfer.id, transfer);
        return { status: has('bulk-status-text') ? '201' : 201, transfer: show(transfer) };
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        return { status: error.status, error: error.json };
      }
    });
    const isSpoilt = has('bulk-all-or-nothing') && results.some(({ status }) => status === 400);
    const error = { code: 'invalid', detail: 'One of the transfers is invalid.' };
    const shown = isSpoilt ? results.map(() => ({ status: 400, error })) : results;
    return context.json({ results: has('bulk-result-missing') ? shown.slice(0, -1) : shown }, 207);
  });
  app.get('/transfers/:transfer_id', (context) => {
    const transfer = transfers.get(context.req.param('transfer_id')) ?? fail('not_found', 'There is no such transfer.');
    return context.json({ ...show(transfer), ...(has('amount-number') ? { amount: Number(transfer.amount) } : {}) });
  });
  app.post('/transfers/:transfer_id/reverse', (context) => {
    const transfer = transfers.get(context.req.param('transfer_id'));
    if (transfer === undefined && has('reverse-unknown')) throw new Error('row not found');
    if (transfer === undefined) return fail('not_found', 'There is no such transfer.');
    if (transfer.status === 'reversed' && !has('reverse-again')) fail('conflict', 'It was already reversed.');
    if (!has('reverse-lost')) transfer.status = 'reversed';
    return context.json({ ...show(transfer), status: 'reversed' });
  });

  app.post('/statements', async (context) => {
    const input = await body(context, schemas.statement);
    if (!accounts.has(input.account_id)) fail('unprocessable', 'The account does not exist.');
    const [other] = accounts.keys();
    const statement = {
      id: nextId('st'),
      account_id: has('statement-account') ? (other ?? input.account_id) : input.account_id,
      format: has('statement-format') ? 'pdf' : input.format,
      startedAt: Date.now(),
    };
    statements.set(statement.id, statement);
    const { startedAt: _startedAt, ...shown } = statement;
    return context.json({ ...shown, done: false, progress: 0 }, 201);
  });
  app.get('/statements/:statement_id', (context) => {
    const { startedAt, ...shown } =
      statements.get(context.req.param('statement_id')) ?? fail('not_found', 'There is no such statement.');
    if (Date.now() - startedAt < 150 || has('statement-runs'))
      return context.json({ ...shown, done: false, progress: 0.5 });
    const done = has('statement-done-null') ? null : true;
    return context.json({ ...shown, done, progress: 1, pages: has('statement-pages-zero') ? 0 : 2 });
  });

  const allowed: Readonly<Record<string, string>> = {
    '/accounts': 'GET, HEAD, POST',
    '/accounts/:id': 'GET, HEAD, PATCH, DELETE',
    '/accounts/:id/entries': 'GET, HEAD',
    '/transfers': 'GET, HEAD, POST',
    '/transfers/bulk': 'POST',
    '/transfers/:id': 'GET, HEAD',
    '/transfers/:id/reverse': 'POST',
    '/statements': 'POST',
    '/statements/:id': 'GET, HEAD',
  };
  for (const [route, allow] of Object.entries(allowed))
    app.all(route, (context) => context.json({ code: 'invalid', detail: 'Method not allowed' }, 405, { allow }));
  return app;
}

/** Decimal texts, cursors in several orders, idempotency keys, references in bodies, a bulk request with 207, statements that are done later. */
export const ledger: ForeignApi = {
  name: 'ledger',
  spec: path.join(import.meta.dirname, 'openapi.yaml'),
  bugs: BUGS,
  headers: { 'x-api-key': 'ledger-key' },
  start: (bug) =>
    listen(createServer(getRequestListener(createApp(bug).fetch, { overrideGlobalObjects: false })), '/ledger'),
};
