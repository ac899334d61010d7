import path from 'node:path';

import {
  type Api,
  appendPointer,
  type CheckedDocument,
  InputError,
  isRecord,
  type MockSetup,
  readDocument,
  splitPointer,
} from 'specmill/mock';

import type { EngineConfiguration } from '../../../generated/engine/types.js';

type Schema = NonNullable<ReturnType<Api['schemas']['get']>>['schema'];
type SchemaObject = Exclude<Schema, boolean>;

/** One configuration file, checked against the schema. What it leaves out has the default of the schema. */
export class ConfigReader {
  readonly #document: CheckedDocument;
  readonly #api: Api;

  constructor(document: CheckedDocument, api: Api) {
    this.#document = document;
    this.#api = api;
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

  /**
   * Reads a boolean, a text that means one, or the `enabled` of a section, which has its default where the section is
   * left out. @throws InputError for any other text
   */
  flag(pointer: string): boolean {
    const value = this.value(pointer) ?? this.#defaultOf(appendPointer(pointer, 'enabled'));
    if (isRecord(value)) return this.flag(appendPointer(pointer, 'enabled'));
    if (typeof value !== 'string') return value === true;
    const text = this.#insertVariables(value, pointer).toLowerCase();
    if (/^(?:true|false|1|0)$/.test(text)) return text === 'true' || text === '1';
    throw this.problem(pointer, `The value must be true or false, and not ${JSON.stringify(text)}.`);
  }

  number(pointer: string): number {
    const value = this.value(pointer);
    return typeof value === 'number' ? value : 0;
  }

  /** Reads a text and inserts the environment variables that it names. @throws InputError for one that is not set */
  text(pointer: string): string {
    const value = this.value(pointer);
    return typeof value === 'string' ? this.#insertVariables(value, pointer) : '';
  }

  texts(pointer: string): string[] {
    const list = this.value(pointer);
    if (!Array.isArray(list)) return [];
    return list.map((item, index) => this.#insertVariables(String(item), `${pointer}/${index}`));
  }

  /** The value at a place, else the default of its schema. */
  value(pointer: string): unknown {
    const found = splitPointer(pointer).reduce<unknown>(
      (here, name) =>
        isRecord(here) || Array.isArray(here) ? (here as Readonly<Record<string, unknown>>)[name] : undefined,
      this.#document.value,
    );
    return found ?? this.#defaultOf(pointer);
  }

  #defaultOf(pointer: string): unknown {
    const root = this.#api.schemas.get(this.#api.rootSchema ?? '')?.schema ?? true;
    const parts = splitPointer(pointer).reduce<readonly SchemaObject[]>(
      (schemas, name) =>
        schemas.flatMap(({ properties = {}, additionalProperties = true }) =>
          this.#partsOf(Object.hasOwn(properties, name) ? (properties[name] ?? true) : additionalProperties),
        ),
      this.#partsOf(root),
    );
    return parts.find((part) => part.default !== undefined)?.default;
  }

  /** A schema with those that it refers to and chooses from. */
  #partsOf(schema: Schema): readonly SchemaObject[] {
    if (typeof schema === 'boolean') return [];
    const target = schema.$ref === undefined ? undefined : this.#api.schemas.get(schema.$ref.slice('#/$defs/'.length));
    const further = [target?.schema ?? [], schema.anyOf ?? [], schema.oneOf ?? []].flat();
    return [schema, ...further.flatMap((part) => this.#partsOf(part))];
  }

  /** A mock calls no key vault: a secret is read from the environment too. */
  #insertVariables(value: string, pointer: string): string {
    return value.replaceAll(/@(env|akv)\('([^']*)'\)/g, (_whole, source: string, name: string) => {
      const found = process.env[name];
      if (found !== undefined) return found;
      if (source === 'env') throw this.problem(pointer, `The environment variable ${name} is not set.`);
      const hint = `a mock reads the secret ${name} from the environment variable of that name, which is not set`;
      throw this.problem(pointer, `No key vault is called: ${hint}.`);
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
  const first = new ConfigReader(await readDocument(source, schema), api);
  const readers: [ConfigReader, ...ConfigReader[]] = [first];
  const root = path.dirname(first.file ?? path.resolve('engine-config.json'));
  const known = new Set([first.file]);
  // Readers that are added during the loop are visited too.
  for (const reader of readers) {
    for (const [index, name] of reader.texts('/data-source-files').entries()) {
      const pointer = `/data-source-files/${index}`;
      const file = path.resolve(path.dirname(reader.file ?? path.join(root, '-')), name);
      if (known.has(file)) continue;
      if (!file.startsWith(root + path.sep))
        throw reader.problem(pointer, 'The file lies outside the folder of the configuration.');
      if (readers.length === MOST_FILES)
        throw reader.problem(pointer, `A configuration consists of ${MOST_FILES} files at most.`);
      known.add(file);
      readers.push(new ConfigReader(await readDocument(file, schema), api));
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
