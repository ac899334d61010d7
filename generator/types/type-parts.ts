import { groupBy } from '../../model/maps.js';
import type { Api, NamedSchema, Operation } from '../../model/api.js';
import type { EmitOptions } from '../emitter.js';
import { schemaPart, splitOperations } from '../split-output.js';
import { allOperations, nameOperationTypes } from '../type-names.js';
import { printBrandedIds } from './branded-ids.js';
import { printEnumValues } from './print-enum-values.js';
import { hasPlainHeaders, printOperationTypes, statusTypes } from './print-operations.js';
import { printNamedSchema } from './print-schemas.js';

/** The types of one file, and the names that they need from others. */
export interface TypesPart {
  /** File name without folder and extension; `undefined` for `types.ts` itself. */
  readonly name: string | undefined;
  readonly sections: readonly string[];
  readonly declared: ReadonlySet<string>;
  /** Names of schemas and operations that are used, and those of `runtime/errors.ts`. */
  readonly used: ReadonlySet<string>;
  readonly errors: readonly string[];
}

/** Prints the types of schemas and their values; for a large API, one file for each first letter. */
export function printSchemaParts(
  api: Api,
  schemas: readonly NamedSchema[],
  { types, hasValues }: Pick<EmitOptions, 'types'> & { readonly hasValues: boolean },
): TypesPart[] {
  return [...groupBy(schemas, ({ name }) => schemaPart(api, name))].map(([letter, group]) => {
    const used = new Set<string>();
    const printed = group.map((named) => printNamedSchema(named, { api, used, types }));
    const values = hasValues ? group.map(printEnumValues).filter((text) => text !== '') : [];
    return {
      name: letter === undefined ? undefined : `schemas-${letter}`,
      sections: [...printed, ...values],
      declared: new Set(group.flatMap(({ name, inputName }) => [name, inputName ?? name])),
      used,
      errors: [],
    };
  });
}

/** Prints the types of ids without their own schema. */
export function printIdsPart(api: Api, { types }: Pick<EmitOptions, 'types'>): TypesPart[] {
  if (types?.ids !== 'branded') return [];
  const { names, text } = printBrandedIds(api, types);
  return [{ name: undefined, sections: text === '' ? [] : [text], declared: names, used: new Set(), errors: [] }];
}

/** Prints the types of operations; for a large API, one file for each tag. */
export function printOperationParts(api: Api, { apiName, types }: EmitOptions): TypesPart[] {
  const names = nameOperationTypes(api, apiName);
  return splitOperations(api, allOperations(api)).map(({ name, operations }) => {
    const used = new Set<string>();
    const printed = operations.flatMap((operation) => {
      const own = names.get(operation);
      return own === undefined ? [] : [{ own, text: printOperationTypes(operation, own, { api, used, types }) }];
    });
    return {
      name: name === undefined ? undefined : `operations-${name}`,
      sections: printed.map(({ text }) => text),
      declared: new Set(printed.flatMap(({ own: { request, response, failure } }) => [request, response, failure])),
      used,
      errors: errorTypes(operations),
    };
  });
}

/**
 * Decides by the operations rather than their printed text, because a description or an enum may contain the same
 * words.
 */
function errorTypes(operations: readonly Operation[]): readonly string[] {
  if (operations.length === 0) return [];
  return ['ApiError', ...(operations.some(hasPlainHeaders) ? ['HeaderValues'] : []), ...statusTypes(operations)];
}

/** Prints the file of a part. */
export function printPart(part: TypesPart, places: DeclaredPlaces, module: string): string {
  const imports = printImports(part, places, { types: `../${module}`, parts: '.', runtime: '../runtime' });
  return [imports, ...part.sections].filter((text) => text !== '').join('\n');
}

/** The files that declare types, by type name; both in the order in which they are printed. */
export type DeclaredPlaces = ReadonlyMap<string, { readonly file: string | undefined; readonly order: number }>;

export function listDeclared(parts: readonly TypesPart[]): DeclaredPlaces {
  const names = parts.flatMap(({ name: file, declared }) => [...declared].map((name) => [name, file] as const));
  return new Map(names.map(([name, file], order) => [name, { file, order }]));
}

export function printImports(
  { name, used, errors }: Pick<TypesPart, 'name' | 'used' | 'errors'>,
  places: DeclaredPlaces,
  folders: { readonly types: string; readonly parts: string; readonly runtime: string },
): string {
  const foreign = [...used]
    .flatMap((one) => {
      const place = places.get(one);
      return place === undefined || place.file === name ? [] : [{ one, ...place }];
    })
    .toSorted((a, b) => a.order - b.order);
  const byFile = new Map<string | undefined, string[]>();
  for (const { one, file } of foreign)
    byFile
      .set(file, byFile.get(file) ?? [])
      .get(file)
      ?.push(one);
  const lines = [...byFile].map(([file, names]) =>
    printImport(names, file === undefined ? folders.types : `${folders.parts}/${file}`),
  );
  return `${printImport(errors, `${folders.runtime}/errors`)}${lines.join('')}`;
}

function printImport(names: readonly string[], file: string): string {
  return names.length === 0 ? '' : `import type { ${names.join(', ')} } from '${file}.js';\n`;
}
