import { suggestName } from '../diagnostics/closest-name.js';
import { appendPointer } from '../document/pointer.js';
import { isRecord } from '../document/records.js';
import { getOrInsert } from '../maps.js';

type Report = (pointer: string, message: string) => void;
type Members = Readonly<Record<string, unknown>>;

const ROOT_MEMBERS = ['overlay', 'info', 'extends', 'actions'];
const INFO_TEXTS = ['title', 'version', 'description'];

/** Reports what the schema of the Overlay specification does not allow, apart from what an action needs to be applied. */
export function checkOverlay(root: Members, actions: readonly unknown[], report: Report): void {
  for (const key of Object.keys(root))
    if (!ROOT_MEMBERS.includes(key) && !key.startsWith('x-'))
      report(
        appendPointer('', key),
        `The member ${JSON.stringify(key)} of the overlay is not known.${suggestName(key, ROOT_MEMBERS)}`,
      );
  checkTexts(root, { names: ['extends'], pointer: '' }, report);
  checkInfo(root['info'], report);
  const first = new Map<string, number>();
  for (const [index, action] of actions.entries()) {
    const pointer = appendPointer('/actions', index);
    if (isRecord(action)) checkTexts(action, { names: ['description'], pointer }, report);
    const earlier = getOrInsert(first, textOf(action), () => index);
    if (earlier < index)
      report(pointer, `The action of the overlay repeats action ${earlier}; each may occur only once.`);
  }
}

/** The text of a value, whatever the order of its members. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (!isRecord(value)) return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
  const names = Object.keys(value).toSorted();
  return `{${names.map((name) => `${JSON.stringify(name)}:${textOf(value[name])}`).join(',')}}`;
}

function checkInfo(info: unknown, report: Report): void {
  if (!isRecord(info)) {
    report('/info', 'The overlay needs the member "info", an object with title and version.');
    return;
  }
  checkTexts(info, { names: INFO_TEXTS, pointer: '/info' }, report);
  for (const name of ['title', 'version'])
    if (!Object.hasOwn(info, name)) report('/info', `The info of the overlay needs the member "${name}".`);
}

function checkTexts(
  owner: Members,
  { names, pointer }: { readonly names: readonly string[]; readonly pointer: string },
  report: Report,
): void {
  for (const name of names)
    if (Object.hasOwn(owner, name) && typeof owner[name] !== 'string')
      report(appendPointer(pointer, name), `The member "${name}" of the overlay must be a text.`);
}
