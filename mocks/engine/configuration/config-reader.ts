import path from 'node:path';

import { type CheckedDocument, InputError, type MockSetup, readDocument } from 'specmill/mock';

import type { EngineConfiguration } from '../../../generated/engine/types.js';

/** One configuration file, checked against the schema. */
export class ConfigReader {
  readonly #document: CheckedDocument;

  constructor(document: CheckedDocument) {
    this.#document = document;
  }

  get file(): string | undefined {
    return this.#document.file;
  }

  get config(): EngineConfiguration {
    // Checked against the schema of the type; vendors only rename its members.
    return this.#document.value as EngineConfiguration;
  }

  problem(pointer: string, message: string): InputError {
    return new InputError(message, this.#document.placeOf(pointer));
  }

  /** Reads a boolean, or a text that means one. @throws InputError for any other text */
  flag(value: boolean | string | undefined, pointer: string, standard: boolean): boolean {
    if (value === undefined) return standard;
    if (typeof value === 'boolean') return value;
    const text = this.text(value, pointer).toLowerCase();
    if (text === 'true' || text === 'false') return text === 'true';
    throw this.problem(pointer, `The value must be true or false, and not ${JSON.stringify(text)}.`);
  }

  /** Reads a text and inserts the environment variables that it names. @throws InputError for one that is not set */
  text(value: string, pointer: string): string {
    return value.replaceAll(/@env\('([^']*)'\)/g, (_whole, name: string) => {
      const found = process.env[name];
      if (found === undefined) throw this.problem(pointer, `The environment variable ${name} is not set.`);
      return found;
    });
  }
}

/** Maximum number of files of a configuration. */
const MOST_FILES = 100;

/**
 * Reads a configuration file and the files that it names, in that order.
 *
 * @throws InputError if a file cannot be read or lies outside the folder of the first one.
 * @throws SpecError if a file breaks the schema.
 */
export async function readConfigFiles(
  source: string | object,
  { api }: Pick<MockSetup, 'api'>,
): Promise<readonly [ConfigReader, ...ConfigReader[]]> {
  const schema = { api, name: api.rootSchema ?? '' };
  const first = new ConfigReader(await readDocument(source, schema));
  const readers: [ConfigReader, ...ConfigReader[]] = [first];
  const root = path.dirname(first.file ?? path.resolve('engine-config.json'));
  const known = new Set([first.file]);
  // Readers that are added during the loop are visited too.
  for (const reader of readers) {
    for (const [index, name] of (reader.config['data-source-files'] ?? []).entries()) {
      const pointer = `/data-source-files/${index}`;
      const file = path.resolve(path.dirname(reader.file ?? path.join(root, '-')), reader.text(name, pointer));
      if (known.has(file)) continue;
      if (!file.startsWith(root + path.sep))
        throw reader.problem(pointer, 'The file lies outside the folder of the configuration.');
      if (readers.length === MOST_FILES)
        throw reader.problem(pointer, `A configuration consists of ${MOST_FILES} files at most.`);
      known.add(file);
      readers.push(new ConfigReader(await readDocument(file, schema)));
    }
  }
  return readers;
}

export function trimSlashes(text: string): string {
  let [start, end] = [0, text.length];
  while (text[start] === '/') start += 1;
  while (end > start && text[end - 1] === '/') end -= 1;
  return text.slice(start, end);
}
