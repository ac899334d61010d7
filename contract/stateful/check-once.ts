import type { Operation } from '../../model/api.js';
import { participlesOf } from '../../resources/action-state.js';
import { foldName } from '../../resources/inflection.js';
import { stringifyExactJson } from '../../runtime/json-integers.js';
import { keywordOf } from '../../schema/facts/members.js';
import { refused } from '../expectations/assertion.js';
import { memberOf } from '../execute/ids/id-slot.js';
import type { Exchange } from '../types.js';
import { type Done, itemIn, itemMembers } from './done-action.js';
import { readItem, isDone } from './crud-context.js';

/** Matches a description, of an operation or of its 409, that says that it works only once for an item. */
const ONCE = /\b(?:only|at most|just|works|possible|allowed|accepted) once\b|\bcan (?:only )?be \w+ (?:only )?once\b/i;

/** The state that an item must have for an operation, by a sentence such as `The board is not deleted.` */
const NOT_YET = /\b(?:is|was|has) not (?:been |yet |currently )*(\w+ed|closed|paused|hidden|frozen|held)\b/i;

/** Checks that an operation that works only once for an item is refused the second time. */
export async function checkOnce(done: Done, operation: Operation, after: Exchange): Promise<void> {
  const { crud, call, exchange } = done;
  const conflict = operation.responses.find(({ status }) => status === '409');
  const isSaid = saysOnce(operation, conflict?.description);
  if (!isSaid && (conflict === undefined || !leavesState(done, after))) return;
  const again = await crud.run.client.sendValid(call);
  if (!isDone(again)) return;
  // If a 409 was seen before, it may be documented for another reason than the item's state.
  if (!isSaid && (crud.run.coverage.hasSeen(operation, 409) || (await readItem(crud))?.text !== after.text)) return;
  crud.run.findings.expect('conflict refused', refused(again), {
    cause: operation.id,
    message: `${operation.id} was accepted twice for the same item, although the spec says that it is refused in some states.`,
    expected: '409',
    others: [exchange],
  });
}

/**
 * Checks that an operation is refused for a new item if its 409 says that the item lacks a state, such as `It is not
 * archived.` for an item that was only created.
 */
export function checkTooEarly({ crud, before, exchange }: Done, operation: Operation): void {
  const conflict = operation.responses.find(({ status }) => status === '409')?.description ?? '';
  const state = NOT_YET.exec(conflict)?.[1];
  const was = itemIn(before.json, crud)?.item;
  // The item may have the state from the start.
  if (state === undefined || was === undefined || stringifyExactJson(was).toLowerCase().includes(state.toLowerCase()))
    return;
  crud.run.findings.expect('conflict refused', refused(exchange), {
    cause: `${operation.id} early`,
    message: `${operation.id} was accepted for a new item, although its 409 says: ${conflict}`,
    expected: '409',
  });
}

function saysOnce(operation: Operation, conflict = ''): boolean {
  const description = `${operation.summary ?? ''} ${operation.description ?? ''}`;
  const participles = participlesOf(operation.path);
  return (
    ONCE.test(description) || [conflict, description].flatMap(wordsAtAlready).some((word) => participles.has(word))
  );
}

/**
 * The words around "already": `finished` in `it is already finished`, `has already been finished` and `is finished
 * already`.
 */
function wordsAtAlready(text: string): string[] {
  const words = text.split(/[^\p{L}]+/u).map(foldName);
  return words
    .flatMap((word, index) => (word === 'already' ? [index - 1, index + 1, index + 2] : []))
    .map((at) => words[at] ?? '');
}

/** Whether an operation without a body has changed an item's documented state. */
function leavesState({ crud, before, call }: Done, after: Exchange): boolean {
  const { read } = crud.resource;
  const [was, is] = [before, after].map(({ json }) => itemIn(json, crud));
  if (call.body !== undefined || read === undefined || was === undefined || is === undefined) return false;
  const { api } = crud.run.options;
  return [...itemMembers(read, is.pointer, crud.run)].some(
    ([name, schema]) =>
      keywordOf(schema, 'enum', api) !== undefined && memberOf(was.item, name) !== memberOf(is.item, name),
  );
}
