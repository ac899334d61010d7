import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { type RequestContext, numberOf } from 'specmill/mock';

import type { CallerKind, Identity, PrimaryLimit, RateLimitPolicy } from '../../../generated/rate-limits/types.js';
import type { Budget } from './rate-counters.js';

let policy: RateLimitPolicy | undefined;

/** The limits of the platform, as `specs/rate-limits/policy.json` has them. A test validates that file. */
export function readPolicy(): RateLimitPolicy {
  policy ??= JSON.parse(readFileSync(policyFile(), 'utf8')) as RateLimitPolicy;
  return policy;
}

/** The path starts at the package, because source and build are at different depths. */
function policyFile(): string {
  const manifest = createRequire(import.meta.url).resolve('specmill/package.json');
  return path.join(path.dirname(manifest), 'specs/rate-limits/policy.json');
}

export interface RatedCaller {
  readonly kind: CallerKind;
  readonly identity: Identity;
  /** The key for counting its requests, such as its account. */
  readonly who: string;
  /** How an error names it; never by its token. */
  readonly name: string;
  readonly properties: RequestContext['caller']['properties'];
}

/** A budget of a resource family, such as `core`. */
export interface ResourceBudget extends Budget {
  readonly resource: string;
}

type Call = Pick<RequestContext, 'api' | 'caller' | 'request'>;

const NAMES: Readonly<Record<Identity['countedBy'], string>> = {
  'ip-address': '',
  account: 'user ID',
  installation: 'installation ID',
  app: 'app ID',
  repository: 'repository ID',
};

/** Counts requests without a credential by client address, all others by the policy. */
export function rateCaller(call: Call): RatedCaller {
  const identity = identityOf(call);
  const { kind, countedBy } = identity;
  const { remoteAddress } = call.request;
  const { account, properties } = call.caller;
  if (kind === 'unauthenticated')
    return { kind, identity, who: `${kind}/${remoteAddress}`, name: remoteAddress, properties };
  const name = `${NAMES[countedBy]} ${numberOf(account)}`;
  return { kind, identity, who: `${countedBy}/${account}`, name, properties };
}

/**
 * A client id with its secret is an app. Other credentials: `kind` and `properties.identity` of the credential file, else
 * the first identity of that kind.
 */
function identityOf({ api, caller: { kind, schemes, properties } }: Call): Identity {
  const { identities } = readPolicy();
  const isBasic = schemes.some((name) => {
    const scheme = api.securitySchemes.get(name);
    return scheme?.type === 'http' && scheme.scheme === 'basic';
  });
  const named = identities.find(({ id }) => id === properties['identity']);
  const basic = isBasic ? identities.find((identity) => identity.schemes.includes('basic')) : undefined;
  const wanted = kind === 'anonymous' ? 'unauthenticated' : kind;
  const found = basic ?? named ?? identities.find((identity) => identity.kind === wanted);
  if (found === undefined) throw new Error(`The policy has no identity of the kind ${wanted}.`);
  return found;
}

/** The primary limits of a caller, one for each resource family. */
export function primaryBudgets({ kind, properties }: RatedCaller): readonly ResourceBudget[] {
  const isEnterprise = properties['enterprise'] === true;
  const found = new Map<string, ResourceBudget>();
  const fitting = readPolicy().primary.limits.filter(({ kinds }) => kinds.includes(kind));
  // A limit for members of an enterprise goes before the general one.
  const sorted = isEnterprise ? [...fitting.filter(({ enterprise }) => enterprise === true), ...fitting] : fitting;
  for (const limit of sorted) {
    if (!found.has(limit.resource)) found.set(limit.resource, { ...limit, limit: scaledLimit(limit, properties) });
  }
  return [...found.values()];
}

/** The limit of an installation grows with the numbers of repositories and users in its credential. */
function scaledLimit({ limit, scaling }: PrimaryLimit, properties: RatedCaller['properties']): number {
  if (scaling === undefined) return limit;
  const { perRepository, perUser, cap } = scaling;
  const isOrganization = properties['organization'] !== false;
  const steps = [
    { rule: perRepository, count: properties['repositories'] },
    {
      rule: isOrganization || perUser.organizationInstallationsOnly !== true ? perUser : undefined,
      count: properties['users'],
    },
  ];
  const added = steps.map(({ rule, count }) =>
    rule === undefined || typeof count !== 'number' ? 0 : Math.max(0, count - rule.above) * rule.add,
  );
  return Math.min(Math.max(cap, limit), limit + added.reduce((sum, one) => sum + one, 0));
}

/** The lower limits of the same user, which requests under a higher limit reduce as well. */
export function lowerBudgets({ identity }: RatedCaller, budget: ResourceBudget): readonly Budget[] {
  const { sharing, limits } = readPolicy().primary;
  if (!sharing.higherReducesLower || identity.countedBy !== 'account') return [];
  return limits.filter(
    ({ resource, kinds, limit }) =>
      resource === budget.resource && limit < budget.limit && kinds.some((kind) => isCountedByAccount(kind)),
  );
}

function isCountedByAccount(kind: CallerKind): boolean {
  return readPolicy().identities.find((identity) => identity.kind === kind)?.countedBy === 'account';
}
