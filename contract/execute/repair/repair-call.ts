import { stringifyExactJson } from '../../../runtime/json-integers.js';
import { isSuccess } from '../../../http/messages.js';
import type { Api, Parameter } from '../../../model/api.js';
import { isRecord } from '../../../model/document/records.js';
import { isIdName } from '../../../resources/id-likeness.js';
import { foldName, toSingular } from '../../../resources/inflection.js';
import { keywordOf } from '../../../schema/facts/members.js';
import { isValidValue } from '../../../schema/compile-validator.js';
import { serverSentence, withoutSentValues } from '../../findings/refusals.js';
import { describedWords, quotedWords } from '../../plan/quoted-words.js';
import type { Call, Exchange } from '../../types.js';
import { type BodyPlace, bodyPlaces, dropAt, isFreeText, putAt } from './body-places.js';
import { isMoment, otherValues, similarTo } from './other-values.js';
import type { ShownMembers } from './shown-members.js';

/** The most requests that are spent on one operation. */
const MAX_TRIES = 40;
/** A body with more scalars has too many combinations of choices. */
const MOST_PLACES = 4;
/** The other choices of a member that are tried. */
const MOST_CHOICES = 3;

interface Tools {
  readonly api: Api;
  readonly shown: ShownMembers;
  /** The fullest call, for members that the server asks for. */
  readonly full: Call | undefined;
  /** Returns the same call with the values that the user gave. */
  readonly keepGiven: (call: Call) => Call;
  /** Sends a call with ids of existing items. */
  readonly send: (call: Call) => Promise<Exchange | undefined>;
}

interface Refused {
  readonly call: Call;
  readonly said: string;
  readonly status: number;
}

/**
 * Changes a refused call until the server accepts it. Its sentence says what is wrong: it names a member, or quotes a
 * value. Another sentence than before is progress.
 */
export async function repairCall(starts: readonly Call[], tools: Tools): Promise<Call | undefined> {
  const budget: Budget = { left: MAX_TRIES, sent: new Map() };
  // The smallest comes first: it has the fewest values that can be wrong.
  for (const call of starts.toSorted((one, other) => contentOf(one).length - contentOf(other).length)) {
    const accepted = await repairOne(call, tools, budget);
    if (accepted !== undefined || budget.left <= 0) return accepted;
  }
  return undefined;
}

interface Budget {
  left: number;
  /** The calls that were sent, by their content, with their refusals. */
  readonly sent: Map<string, Refused | undefined>;
}

async function repairOne(start: Call, tools: Tools, budget: Budget): Promise<Call | undefined> {
  const sentences = new Set<string>();
  const open: Refused[] = [];
  const attempt = async (changed: Call): Promise<Call | undefined> => {
    const call = tools.keepGiven(changed);
    const key = contentOf(call);
    if (budget.left <= 0 || budget.sent.has(key)) return undefined;
    budget.sent.set(key, undefined);
    budget.left -= 1;
    const exchange = await tools.send(call);
    if (exchange === undefined || isSuccess(exchange)) return exchange === undefined ? undefined : call;
    const said = serverSentence(exchange);
    const sentence = `${exchange.status} ${withoutSentValues(said, exchange)}`;
    if ([0, 401, 405, 429].includes(exchange.status)) return undefined;
    const refused = { call, said, status: exchange.status };
    budget.sent.set(key, refused);
    if (!sentences.has(sentence)) open.push(refused);
    sentences.add(sentence);
    return undefined;
  };
  // As a change of an earlier start it was sent, but not changed itself.
  const known = budget.sent.get(contentOf(tools.keepGiven(start)));
  const first = known === undefined ? await attempt(start) : undefined;
  if (first !== undefined) return first;
  if (known !== undefined) open.push(known);
  for (let next = open.pop(); next !== undefined && budget.left > 0; next = open.pop()) {
    const before = open.length;
    for (const call of changesOf(next, tools)) {
      const accepted = await attempt(call);
      if (accepted !== undefined) return accepted;
      if (budget.left <= 0) return undefined;
      // The changes that are left come after what the new sentence asks for.
      if (open.length > before) {
        open.splice(before, 0, next);
        break;
      }
    }
  }
  return undefined;
}

/** The changes of a call that answer a refusal, the most likely first. */
function* changesOf(refused: Refused, tools: Tools): Generator<Call> {
  const { call, said } = refused;
  const words = new Set(said.split(/[^\p{L}\p{N}_-]+/u).map((word) => foldName(word)));
  const places = bodyPlaces(call, tools.api);
  const isAboutTime = /\b(?:past|future|expired?|earlier|later|before|after)\b/i.test(said);
  const isNamed = ({ name, value }: BodyPlace): boolean =>
    words.has(foldName(name)) || quotes(said, value) || (isAboutTime && isMoment(value));
  yield* withoutOwnIds(call, places, tools);
  yield* withOtherChoices(call, places, tools);
  yield* withNamedMembers(call, words, tools);
  const named = places.filter(isNamed);
  if (/exclusive|both|not allowed|must not|cannot|can't|is provided|only one|either|unknown|not supported/i.test(said))
    for (const place of named) if (!place.isRequired) yield* kept(dropAt(call, place.path, tools.api));
  // A quoted value is the wrong one; a named member may only be near it.
  const ordered = named.toSorted((one, other) => Number(quotes(said, other.value)) - Number(quotes(said, one.value)));
  for (const place of ordered) yield* withOtherValues(call, place, { ...tools, said });
  yield* withOtherParameters(refused, tools);
  for (const place of ordered) if (!place.isRequired) yield* kept(dropAt(call, place.path, tools.api));
  yield* withDescribedWords(call, places, tools);
  for (const place of places) if (!place.isRequired) yield* kept(dropAt(call, place.path, tools.api));
  for (const place of places)
    if (!named.includes(place) && isFreeText(place, tools.api)) yield* withOtherValues(call, place, { ...tools, said });
}

function* kept(call: Call | undefined): Generator<Call> {
  if (call !== undefined) yield call;
}

/** An optional id in the body of a creation may mean the item that has it. */
function* withoutOwnIds(call: Call, places: readonly BodyPlace[], { api }: Tools): Generator<Call> {
  for (const { path, name, isRequired } of places)
    if (!isRequired && isIdName(name)) yield* kept(dropAt(call, path, api));
}

/** Replaces a choice of an enum: what else the request must have often depends on it. */
function* withOtherChoices(call: Call, places: readonly BodyPlace[], { api }: Tools): Generator<Call> {
  if (places.length > MOST_PLACES) return;
  for (const { path, value, schemas } of places) {
    const choices = schemas.flatMap((one) => [keywordOf(one, 'enum', api) ?? []].flat());
    const others = [...new Set(choices)].filter((one) => one !== value).slice(0, MOST_CHOICES);
    for (const other of others) yield* kept(putAt(call, path, other, api));
  }
}

/** Adds members that the server names and that the body lacks: all of them, then each. */
function* withNamedMembers(call: Call, words: ReadonlySet<string>, { full, api }: Tools): Generator<Call> {
  const whole = full?.body;
  if (whole === undefined || whole.raw !== undefined || !isRecord(whole.value) || call.body?.raw !== undefined) return;
  const body = call.body ?? { media: whole.media, value: {} };
  if (!isRecord(body.value)) return;
  const own = body.value;
  const missing = Object.entries(whole.value).filter(
    ([name]) => !Object.hasOwn(own, name) && words.has(foldName(name)),
  );
  if (missing.length > 1) yield { ...call, body: { ...body, value: { ...own, ...Object.fromEntries(missing) } } };
  for (const [name, value] of missing) yield* kept(putAt({ ...call, body }, [name], value, api));
}

/** What responses have shown for a place: the same member of items of the collection in another form, then any such member. */
function shownFor({ operation }: Call, { name }: BodyPlace, { shown }: Pick<Tools, 'shown'>): unknown[] {
  const words = operation.path.split('/').filter((word) => word !== '' && !word.includes('{'));
  const own = shown.of(`${toSingular(words.at(-1) ?? '')}${name}`);
  return [...own.map(similarTo), ...shown.of(name).filter((one) => !own.includes(one))];
}

function* withOtherValues(call: Call, place: BodyPlace, tools: Tools & { readonly said: string }): Generator<Call> {
  const said = quotedWords(tools.said).filter((word) => word !== place.value);
  const shown = shownFor(call, place, tools);
  for (const value of otherValues(place, { api: tools.api, said, shown }))
    yield* kept(putAt(call, place.path, value, tools.api));
}

/** Sets each text whose description quotes words to one of them: all at once, then one by one. */
function* withDescribedWords(call: Call, places: readonly BodyPlace[], { api, shown }: Tools): Generator<Call> {
  const choices = places.map((place) => {
    const words = isFreeText(place, api) ? describedWords(place.schemas).map(similarTo) : [];
    return { place, words: [...words, ...shownFor(call, place, { shown })] };
  });
  const all = choices.reduce((made, { place, words: [word] }) => {
    return word === undefined ? made : (putAt(made, place.path, word, api) ?? made);
  }, call);
  if (all !== call) yield all;
  for (const { place, words } of choices) for (const word of words) yield* kept(putAt(call, place.path, word, api));
}

/** Gives parameters the values of members that responses have shown, or that the server or the spec names. */
function* withOtherParameters({ call, said, status }: Refused, { api, shown }: Tools): Generator<Call> {
  if (status === 404) {
    const known = [...call.parameters].flatMap(([one]) => {
      const value =
        one.in === 'path' ? shown.of(one.name).find((own) => isValidValue(own, one.schema, api)) : undefined;
      return value === undefined ? [] : [[one, value] as const];
    });
    if (known.length > 1) yield { ...call, parameters: new Map([...call.parameters, ...known]) };
  }
  for (const [parameter, old] of call.parameters) {
    if (parameter.in === 'header') continue;
    const isNamed = quotes(said, old) || said.includes(parameter.name);
    if (parameter.in === 'path' ? !isNamed && status !== 404 : !isNamed) continue;
    const place = { path: [], name: parameter.name, value: old, schemas: schemasOf(parameter), isRequired: true };
    const words = otherValues(place, { api, said: quotedWords(said), shown: shown.of(parameter.name) });
    for (const value of words.slice(0, isNamed ? undefined : shown.of(parameter.name).length + 2))
      if (isValidValue(value, parameter.schema, api))
        yield { ...call, parameters: new Map([...call.parameters, [parameter, value]]) };
  }
}

function schemasOf({ schema, description }: Parameter): BodyPlace['schemas'] {
  const said = description === undefined ? [] : [{ description }];
  return typeof schema === 'object' ? [...said, schema] : said;
}

function quotes(said: string, value: unknown): boolean {
  const text = String(value);
  return text.length > 2 && typeof value !== 'boolean' && said.includes(text);
}

function contentOf({ parameters, body }: Call): string {
  return stringifyExactJson([[...parameters].map(([{ name }, value]) => [name, value]), body?.value]);
}
