import { InputError } from '../../model/diagnostics/input-error.js';
import type { DataCollections, PreparedCollection } from '../data/data-collection.js';
import { DataProblem, type GivenCollection } from '../data/given-data.js';
import { prepareData } from '../data/prepare-data.js';
import { givenIn, readDataText } from '../data/read-data-file.js';
import { getOrInsert } from '../../model/maps.js';
import type { HandlerContext } from '../handler-api.js';
import type { MockSandbox } from '../sandbox/mock-sandbox.js';
import type { AccountsSandbox } from '../sandbox/sandbox-view.js';
import { collectionOf } from '../stores/store.js';
import { badInput } from './control-error.js';
import { type ControlHandlers, type SandboxCall, json } from './control-host.js';
import type { ServedApi } from './run-action.js';

/** The handlers of the items of a sandbox. */
export function createDataHandlers(
  served: () => ServedApi,
  find: (call: SandboxCall) => Promise<MockSandbox>,
): ControlHandlers<'getData' | 'putData' | 'addData' | 'loadDataFile'> {
  return {
    getData: async (call) => call.respond(200, json(await readData(await find(call), served()))),
    putData: async (call) => {
      await writeData(await find(call), served(), { given: () => givenIn(call.input.body), isAddition: false });
      return call.respond(204, undefined);
    },
    addData: async (call) =>
      call.respond(
        200,
        json(await writeData(await find(call), served(), { given: () => givenIn(call.input.body), isAddition: true })),
      ),
    loadDataFile: async (call) => {
      const { name, text } = call.input.body;
      const given = (): Promise<readonly GivenCollection[]> => readDataText(text, name);
      return call.respond(200, json(await writeData(await find(call), served(), { given, isAddition: false })));
    },
  };
}

type ItemsByCollection = Readonly<Record<string, readonly unknown[]>>;

/** Reads the items of all accounts. */
function readData(sandbox: MockSandbox, { collections, host }: ServedApi): Promise<ItemsByCollection> {
  return sandbox.transact(async (view) => {
    const found = new Map<string, unknown[]>();
    for (const { context } of await contextsOf(sandbox, view)) {
      await host.fill(context);
      for (const collection of collections.all())
        for (const [name, items] of Object.entries(await collection.read(context))) {
          const all = getOrInsert(found, name, () => []);
          for (const item of items) all.push(item);
        }
    }
    return Object.fromEntries(found);
  });
}

interface DataChange {
  /** Reads the items. @throws InputError if they cannot be read */
  readonly given: () => readonly GivenCollection[] | Promise<readonly GivenCollection[]>;
  readonly isAddition: boolean;
}

/** Writes items for all accounts, and returns them. @throws ControlError 422 if they are invalid; nothing is changed then */
async function writeData(
  sandbox: MockSandbox,
  { collections }: ServedApi,
  change: DataChange,
): Promise<ItemsByCollection> {
  try {
    const given = await change.given();
    return await sandbox.transact(async (view) => {
      const contexts = await contextsOf(sandbox, view);
      const planned: { readonly context: HandlerContext; readonly prepared: readonly PreparedCollection[] }[] = [];
      for (const one of contexts)
        planned.push({
          context: one.context,
          prepared: await prepareFor(one, collections, { sandbox, ...change, given }),
        });
      for (const { context, prepared } of planned) await writeAll(context, prepared, change.isAddition);
      return itemsOf(planned[0]?.prepared ?? []);
    });
  } catch (error) {
    if (error instanceof DataProblem) throw badInput(error.message, error.pointer);
    throw error instanceof InputError ? badInput(error.message, error.place.pointer) : error;
  }
}

interface OneContext {
  readonly context: HandlerContext;
  /** Absent if all callers share the state. */
  readonly account: string | undefined;
}

async function contextsOf(sandbox: MockSandbox, view: AccountsSandbox): Promise<readonly OneContext[]> {
  if (!sandbox.isByAccount) return [{ context: await view.contextFor({ account: '' }), account: undefined }];
  const accounts = await view.accounts();
  return Promise.all(accounts.map(async (account) => ({ context: await view.contextFor({ account }), account })));
}

interface PrepareParts extends Pick<DataChange, 'isAddition'> {
  readonly sandbox: MockSandbox;
  readonly given: readonly GivenCollection[];
}

async function prepareFor(
  { context, account }: OneContext,
  collections: DataCollections,
  { sandbox, given, isAddition }: PrepareParts,
): Promise<readonly PreparedCollection[]> {
  for (const { name } of given) await collections.find(name)?.open(context);
  const idsIn = (name: string): ReadonlySet<string> => sandbox.idsIn(collectionOf(name, account));
  return prepareData(given, collections, { isAddition, idsIn });
}

/** Writes all collections. If a write is refused, such as for lack of memory, the items before it are put back. */
async function writeAll(
  context: HandlerContext,
  prepared: readonly PreparedCollection[],
  isAddition: boolean,
): Promise<void> {
  const names = new Set(prepared.flatMap(({ items }) => items.map((item) => item.collection)));
  const before = await Promise.all(
    [...names].map(async (name) => ({ name, items: (await context.collection(name).query()).items })),
  );
  try {
    for (const { collection, items } of prepared)
      await (isAddition ? collection.add(context, items) : collection.replace(context, items));
  } catch (error) {
    for (const { name, items } of before) {
      const collection = context.collection(name);
      for (const { id } of (await collection.query()).items) await collection.delete(id);
      for (const { id, value } of items) await collection.put(id, value);
    }
    throw error;
  }
}

function itemsOf(prepared: readonly PreparedCollection[]): ItemsByCollection {
  const found = new Map<string, unknown[]>();
  for (const { items } of prepared)
    for (const { collection, value } of items) getOrInsert(found, collection, () => []).push(value);
  return Object.fromEntries(found);
}
