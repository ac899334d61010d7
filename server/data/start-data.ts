import { readFile } from 'node:fs/promises';

import { hashContent } from '../../model/content-hash.js';
import type { HandlerContext } from '../handler-api.js';
import type { DataCollections, PreparedCollection } from './data-collection.js';
import { prepareData } from './prepare-data.js';
import { readDataFile } from './read-data-file.js';

/** The items that every sandbox starts with. */
export interface StartData {
  /** Changes if the files change. */
  readonly hash: string;
  /** Replaces the items of the collections that the files name. */
  readonly load: (context: HandlerContext) => Promise<void>;
}

/**
 * Reads files of start data, checks their items and completes them.
 *
 * @param files - absolute paths.
 * @throws InputError with file, line and JSON pointer if a file cannot be read, or an item or a collection is invalid.
 */
export async function readStartData(
  files: readonly string[],
  collections: DataCollections,
): Promise<StartData | undefined> {
  if (files.length === 0) return undefined;
  // Read first: if a file changes meanwhile, the hash is that of the old one, and the next reload loads the new one.
  const contents = await Promise.all(files.map((file) => readFile(file).catch(() => Buffer.alloc(0))));
  const given = (await Promise.all(files.map(readDataFile))).flat();
  const prepared = prepareData(given, collections, { isAddition: false });
  collections.startWith(prepared.map(({ collection }) => collection));
  return { hash: hashContent(Buffer.concat(contents)), load: (context) => replaceItems(context, prepared) };
}

/** Replaces the items of collections. */
async function replaceItems(context: HandlerContext, prepared: readonly PreparedCollection[]): Promise<void> {
  for (const { collection, items } of prepared) await collection.replace(context, items);
}
