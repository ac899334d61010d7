import { isRecord } from '../../../model/document/records.js';
import { wordsOf } from '../../../resources/inflection.js';
import { scalarText } from '../../../http/request/write-request.js';
import type { Call } from '../../types.js';

/** Words for requests that change or end something. */
const CHANGES: ReadonlySet<string> = new Set(
  [
    'update set put patch replace edit modify change rename reset restore revert rollback rotate renew',
    'remove delete destroy erase clear clean cleanup purge drop wipe truncate prune flush evict detach unlink forget',
    'revoke grant assign unassign disable enable deactivate activate suspend resume block unblock ban lock unlock',
    'promote demote upgrade downgrade move transfer merge compact defragment defrag rebuild reindex resize scale drain',
    'restart reboot reload shutdown stop halt kill terminate abort cancel close end expire failover resign',
    'migrate import sync synchronize publish unpublish archive unarchive',
  ].flatMap((line) => line.split(' ')),
);

/** Words that are written together with their object: `deleterange`, `batchdelete`. */
const ENDS = /delete|remove|destroy|purge|truncate|update|disable|revoke|restart|shutdown|terminate/;

/** If one of these comes first, the rest of a name is its object: `createResetToken`. */
const HARMLESS: ReadonlySet<string> = new Set(
  'create add insert new register get list find search read fetch show describe check validate count preview'.split(
    ' ',
  ),
);

/** Members of a body that say what to do. */
const COMMANDS = /^(?:action|command|cmd|event|method|operation|op|verb|mutation|query)$/i;

/** The word by which a POST request may change or end something; a guess, as a name can say anything. */
export function changingWord({ operation, body }: Call): string | undefined {
  const after = operation.path.slice(operation.path.lastIndexOf('}') + 1);
  const parts = after.split('/').filter((part) => part !== '');
  const inPath = parts.slice(-2).map((part) => wordsOf(part));
  const names = [...inPath, wordsOf(operation.id), ...commandsIn(body?.value)];
  return names.map(wordAmong).find((word) => word !== undefined);
}

function wordAmong(words: readonly string[]): string | undefined {
  const found = words.findIndex((word) => CHANGES.has(word) || ENDS.test(word));
  const first = words.findIndex((word) => HARMLESS.has(word));
  return found === -1 || (first !== -1 && first < found) ? undefined : words[found];
}

/**
 * The words of members that say what to do: `{ action: 'delete' }`, `{ query: 'mutation { … }' }`, also inside of lists and
 * objects: `{ success: [{ request_delete_range: { … } }] }`.
 */
function commandsIn(value: unknown, depth = 0): string[][] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) return value.flatMap((item) => commandsIn(item, depth + 1));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member === 'object' && member !== null)
      return isRecord(member) && wordsOf(name).some((word) => ENDS.test(word))
        ? [wordsOf(name)]
        : commandsIn(member, depth + 1);
    if (!COMMANDS.test(name) || typeof member !== 'string' || depth > 0) return [];
    return /^\s*mutation\b/.test(member) ? [['change']] : [wordsOf(member)];
  });
}

/** How deep members that say what to do are looked for. */
const DEEPEST = 6;

/** Members and parameters that make a request concern more than the item that it names. */
const WIDE = /^(?:all|every|where|filters?|range[_-]?end|prefix|pattern|wildcard|query|selector)$/i;

/** Whether a request may concern more than the items that it names. */
export function isWide({ parameters, body }: Call): boolean {
  const inQuery = [...parameters].flatMap(([one, value]) => (one.in === 'query' ? [[one.name, value] as const] : []));
  const inBody = isRecord(body?.value) ? Object.entries(body.value) : [];
  return [...inQuery, ...inBody].some(
    ([name, value]) => WIDE.test(name) && value !== false && value !== null && scalarText(value) !== '',
  );
}
