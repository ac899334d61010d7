import { nounOf } from '../../resources/path-template.js';
import { isSuccess } from '../../http/messages.js';
import type { Operation } from '../../model/api.js';
import { toPointer } from '../../model/document/pointer.js';
import { foldName, toSingular } from '../../resources/inflection.js';
import type { Resource } from '../../resources/resource.js';
import { refused } from '../expectations/assertion.js';
import type { ContractRun } from '../execute/contract-run.js';
import { type BodyReference, replaceValues, valuesAt } from '../execute/ids/body-references.js';
import { isValidBody } from '../plan/call-body.js';
import { unlikelyId } from '../execute/ids/unlikely-id.js';
import type { Call } from '../types.js';
import { referencedResources } from './referenced-resources.js';

/** The most references of one operation that are tested. */
const MAX_REFERENCES = 3;

/**
 * Checks that a reference to a missing item does not make the server fail, and is refused if the spec says that the
 * item must exist.
 */
export async function checkUnknownReferences(run: ContractRun, operation: Operation): Promise<void> {
  if (operation.body === undefined || !run.context.pool.attempts.hasWorked(operation)) return;
  for (const reference of referencedResources(run, operation).slice(0, MAX_REFERENCES)) {
    const base = await run.items.validCall(operation, 'stateful');
    const call = base === undefined ? undefined : naming(run, await run.items.refreshIds(base, 'stateful'), reference);
    if (base === undefined || call === undefined) continue;
    const exchange = await run.client.sendValid(call);
    if (exchange === undefined || !isSuccess(exchange)) continue;
    const { path, resource } = reference;
    if (mustExist(run, operation, resource))
      run.findings.expect('unknown item refused', refused(exchange), {
        cause: path.join('/'),
        pointer: toPointer(path),
        message: `No ${itemNounOf(resource)} has this ${path.join('.')}, but the request was accepted.`,
      });
    // Restores a valid reference in the changed item.
    if (operation.method !== 'post') await run.client.sendValid(base);
  }
}

/** Returns the call with an unknown id in its reference. */
function naming({ options: { api } }: ContractRun, call: Call, { path, schema }: BodyReference): Call | undefined {
  const { body } = call;
  const [old] = valuesAt(body?.value, path);
  if (body === undefined || body.raw !== undefined || (typeof old !== 'string' && typeof old !== 'number'))
    return undefined;
  const ids = [...unknownName(old), unlikelyId({ schema }, api)].filter((id) => id !== old);
  const named = ids.map((id) => ({ ...body, value: replaceValues(body.value, path, () => id) }));
  const valid = named.find((one) => isValidBody(one, api));
  return valid === undefined ? undefined : { ...call, body: valid };
}

/** A name in the collection of a full name such as `models/large`. */
function unknownName(old: string | number): string[] {
  const end = typeof old === 'string' ? old.lastIndexOf('/') + 1 : 0;
  return end === 0 ? [] : [`${String(old).slice(0, end)}specmill-unknown-item`];
}

const MISSING = /\b(?:do(?:es)? not exist|doesn't exist|unknown|no such|not found|must exist|non-?existent)\b/i;
const REFUSAL = /\bmust exist\b|\b4\d\d\b|\b(?:refus|reject|fail|error)/i;
const REFUSALS: ReadonlySet<string> = new Set(['400', '404', '409', '422']);

/**
 * Whether the spec says in words that an item must exist: "The supplier does not exist" for a refusal, "The driver must
 * exist." for an operation, or a 404 if nothing else can be missing.
 */
function mustExist(run: ContractRun, operation: Operation, resource: Resource): boolean {
  const noun = itemNounOf(resource);
  const isAbout = (sentence: string): boolean =>
    MISSING.test(sentence) && sentence.split(/[^\p{L}\p{N}]+/u).some((word) => foldName(toSingular(word)) === noun);
  const refusals = operation.responses.filter(({ status }) => REFUSALS.has(status));
  const own = sentencesOf(operation.description).filter((sentence) => REFUSAL.test(sentence));
  return (
    [...refusals.flatMap(({ description }) => sentencesOf(description)), ...own].some(isAbout) ||
    promises404(run, operation)
  );
}

function sentencesOf(text: string | undefined): string[] {
  return (text ?? '').split(/[.;\n]/);
}

/** Words of a 404 description that names no item. */
const PLAIN: ReadonlySet<string> = new Set([
  '404',
  'not',
  'found',
  'unknown',
  'no',
  'such',
  'the',
  'a',
  'error',
  'response',
  'resource',
  'item',
  'does',
  'exist',
]);

/**
 * Whether only a reference can cause a 404 of an operation that writes an item: an estimate may do without the item.
 * Some specs document the same refusals everywhere.
 */
function promises404(run: ContractRun, operation: Operation): boolean {
  if (run.context.pool.roles.writeKind(operation) === undefined) return false;
  const has404 = ({ responses }: Operation): boolean => responses.some(({ status }) => status === '404');
  const isBare = ({ path }: Operation): boolean => !path.includes('{');
  const [first, ...others] = operation.responses.filter(({ status }) => status === '404');
  if (first === undefined || others.length > 0 || !isBare(operation)) return false;
  const isPlain = (first.description ?? '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .every((word) => word === '' || PLAIN.has(word));
  const isAlone = referencedResources(run, operation).length === 1;
  return isPlain && isAlone && run.options.api.operations.some((one) => isBare(one) && !has404(one));
}

function itemNounOf({ name }: Resource): string {
  return foldName(toSingular(nounOf({ collectionPath: name })));
}
