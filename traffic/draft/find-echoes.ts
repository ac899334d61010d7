import { isRecord } from '../../model/document/records.js';
import { remember } from '../../model/maps.js';
import { toSingular } from '../../model/singular.js';

/** The name of a member that names the whole body: its `id`, `path`, `key` or `slug`. */
export const OWN_ID = '#id';

/** Members that name an item: `id`, `customer_id`, `login`. */
const NAMING = /(?:id|name|key|slug|code|number|login|handle|sku|email|^path)$/;

/** Those of {@link NAMING} that name the body itself, whatever its collection is called. */
const OWN_NAMES: ReadonlySet<string> = new Set(['id', 'path', 'key', 'slug']);

/** The plain name of a member that names an item. */
const namingOf = remember((name) => {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return NAMING.test(plain) ? plain : undefined;
});

/** The most members of one body that are read. */
const MOST_MEMBERS = 500;

const DEEPEST = 4;

/** Finds the members of a body that name items: for each of their values the plain names of these members. */
export function findEchoes(body: unknown): ReadonlyMap<string, ReadonlySet<string>> {
  const echoes = new Map<string, Set<string>>();
  let left = MOST_MEMBERS;
  const note = (value: string, name: string): void => {
    const names = echoes.get(value);
    if (names === undefined) echoes.set(value, new Set([name]));
    else names.add(name);
  };
  const visit = (value: unknown, depth: number): void => {
    if (depth > DEEPEST || left <= 0) return;
    if (Array.isArray(value)) for (const item of value.slice(0, 20)) visit(item, depth + 1);
    if (!isRecord(value)) return;
    for (const name of Object.keys(value)) {
      const member = value[name];
      left -= 1;
      if (typeof member === 'object') visit(member, depth + 1);
      else if (typeof member === 'string' || typeof member === 'number')
        noteMember(note, { name, text: String(member), depth });
    }
  };
  visit(body, 0);
  return echoes;
}

function noteMember(
  note: (value: string, name: string) => void,
  { name, text, depth }: { readonly name: string; readonly text: string; readonly depth: number },
): void {
  const plain = namingOf(name);
  if (plain === undefined || text === '' || text.length > 200) return;
  note(text, plain);
  if (depth === 0 && OWN_NAMES.has(plain)) note(text, OWN_ID);
  if (plain === 'path' || !text.includes('/')) return;
  // A resource name such as `models/m-1` names its item by the last part, after the noun of the collection.
  const [last = '', collection = ''] = text.split('/').toReversed();
  if (collection !== '') note(last, `${toSingular(collection).toLowerCase()}name`);
}
