import { isStandardMethod, wireMethod } from '../http-method.js';
import { KNOWN_EXTENSIONS } from '../known-extensions.js';
import { suggestName } from '../diagnostics/closest-name.js';
import { InputError } from '../diagnostics/input-error.js';
import { isRecord, mapRecord, setMember } from '../document/records.js';

/** `x-` extensions by operation id, by method and path such as `GET /items`, or for the whole API by `*`. */
export type ConfiguredHelpers = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * Adds extensions to the operations of documents, replacing extensions of the same name.
 *
 * @throws InputError if no document has one of the operations, or an extension's name is a likely typo of a known one.
 */
export function addHelpers(roots: readonly unknown[], helpers: ConfiguredHelpers): unknown[] {
  for (const [key, extensions] of Object.entries(helpers)) checkExtensions(key, Object.keys(extensions));
  const found = new Set<string>();
  const known = new Set<string>();
  const changed = roots.map((root) =>
    mapOperations(root, (operation, name) => {
      const id = typeof operation['operationId'] === 'string' ? operation['operationId'] : undefined;
      known.add(id ?? name);
      const keys = [id, name].filter((key) => key !== undefined && Object.hasOwn(helpers, key));
      const extended: Record<string, unknown> = { ...operation };
      for (const key of keys) {
        found.add(key ?? '');
        for (const [extension, value] of Object.entries(helpers[key ?? ''] ?? {}))
          setMember(extended, extension, value);
      }
      return keys.length === 0 ? operation : extended;
    }),
  );
  const all = helpers['*'];
  if (all !== undefined) found.add('*');
  const missing = Object.keys(helpers).find((key) => !found.has(key));
  if (missing !== undefined)
    throw new InputError(
      `The helpers of the configuration name the operation ${JSON.stringify(missing)}, which the spec does not have.${suggestName(missing, known)}`,
    );
  return all === undefined ? changed : changed.map((root) => (isRecord(root) ? { ...root, ...all } : root));
}

/** Emitters may have extensions of their own, so only a likely typo is an error. */
function checkExtensions(key: string, names: readonly string[]): void {
  for (const name of names) {
    const suggestion = KNOWN_EXTENSIONS.has(name) ? '' : suggestName(name, KNOWN_EXTENSIONS);
    if (suggestion !== '')
      throw new InputError(
        `The helpers of the configuration give ${JSON.stringify(key)} the extension ${JSON.stringify(name)}, which has no meaning.${suggestion}`,
      );
  }
}

type ChangeOperation = (operation: Readonly<Record<string, unknown>>, name: string) => unknown;

function mapOperations(root: unknown, change: ChangeOperation): unknown {
  if (!isRecord(root)) return root;
  const mapped = { ...root };
  for (const group of ['paths', 'webhooks'] as const) {
    if (!isRecord(root[group])) continue;
    mapped[group] = mapRecord(root[group], (item, path) =>
      isRecord(item) ? mapPathItem(item, (operation, method) => change(operation, `${method} ${path}`)) : item,
    );
  }
  return mapped;
}

function mapPathItem(item: Readonly<Record<string, unknown>>, change: ChangeOperation): Record<string, unknown> {
  return mapRecord(item, (member, key) => {
    if (!isRecord(member)) return member;
    if (key === 'additionalOperations')
      return mapRecord(member, (operation, method) => (isRecord(operation) ? change(operation, method) : operation));
    return isFixedMember(key) ? change(member, wireMethod(key)) : member;
  });
}

/** Members of a Path Item Object are in lower case. */
function isFixedMember(key: string): boolean {
  return isStandardMethod(key) && key === key.toLowerCase();
}
