import { isRecord, setMember } from '../../model/document/records.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { isSelfLink, itemPathOf, toAbsolute } from './item-links.js';
import { type Item, hashText, valueAt } from './json-path.js';
import { type MemberFacts, memberFacts } from './member-facts.js';
import { sampleValue } from '../../schema/sample-value.js';
import type { Scope } from './request-context.js';
import { formatTime } from './time-members.js';

/** Times by the clock, etag, links to the item, constants, and what is read-only or cannot be absent. */
export function fillServiceMembers(item: Item, scope: Scope, key: string): Item {
  const { api } = scope.call;
  const sample = (): Item => {
    const made = sampleValue(api, scope.core.schema, hashText(key))?.value;
    return isRecord(made) ? made : {};
  };
  const filled: Record<string, unknown> = { ...item };
  for (const facts of memberFacts(scope.core.schema, api)) {
    if (Object.hasOwn(item, facts.member.name)) continue;
    const value = serviceValue(facts, scope, { key, sample, item });
    if (value !== undefined) setMember(filled, facts.member.name, value);
  }
  return filled;
}

interface Filling {
  readonly key: string;
  /** A valid item. Making one costs something, and not every item needs it. */
  readonly sample: () => Item;
  readonly item: Item;
}

function serviceValue(facts: MemberFacts, scope: Scope, { sample, key, item }: Filling): unknown {
  const { api, clock, random } = scope.call;
  const { member } = facts;
  if (facts.time !== undefined) return formatTime(clock.now(), member, api);
  if (facts.isEtag) return makeEtag(random);
  if (facts.isNamedLikeLink && isSelfLink(member, scope)) return toAbsolute(scope.call, itemPathOf(scope, item, key));
  if (facts.constant !== undefined) return facts.constant;
  if (!member.isRequired && (!member.isReadOnly || facts.isLater)) return undefined;
  return (facts.isId ? freshId(facts, scope) : undefined) ?? plainValue(facts, sample);
}

/** Ids beside the one that the path names, such as the `id` of an issue that goes by its number. */
function freshId({ member }: MemberFacts, { call: { api, random } }: Scope): unknown {
  const validate = compileValidator(api, member.schema, { direction: 'response' });
  const candidates = [random.uuid(), random.integer(1, 0x7fffffff), String(random.integer(1, 0x7fffffff))];
  return candidates.find((candidate) => validate(candidate).length === 0);
}

/** An optional object that nobody asked for would say more about a new thing than is known. */
function plainValue(
  { member, isNullable, isPerson, isNested, isCount, isText, firstState }: MemberFacts,
  sample: () => Item,
): unknown {
  if (member.isRequired && isNullable && !isPerson) return null;
  if (!member.isRequired && isNested) return undefined;
  if (firstState !== undefined) return firstState;
  if (isCount) return isText ? '0' : 0;
  return valueAt(sample(), [member.name]);
}

/** An entity tag that no earlier state had. */
export function makeEtag(random: Scope['call']['random']): string {
  return Buffer.from(random.bytes(16)).toString('base64');
}
