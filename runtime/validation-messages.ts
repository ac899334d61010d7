type Params = Readonly<Record<string, unknown>>;

/** What a value must be, by the keyword that failed. */
export function describeFailure(keyword: string, params: Params): string {
  const { limit, missingProperty, comparison } = params;
  switch (keyword) {
    case 'type':
      return `must be ${String(params['type'])}`;
    case 'required':
      return `must have required property '${String(missingProperty)}'`;
    case 'enum':
      return 'must be equal to one of the allowed values';
    case 'const':
      return 'must be equal to constant';
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return `must be ${String(comparison)} ${String(limit)}`;
    case 'multipleOf':
      return `must be multiple of ${String(params['multipleOf'])}`;
    case 'minLength':
    case 'maxLength':
      return countMessage(keyword, limit, 'characters');
    case 'minItems':
    case 'maxItems':
    case 'items':
    case 'unevaluatedItems':
      return countMessage(keyword, limit, 'items');
    case 'minProperties':
    case 'maxProperties':
      return countMessage(keyword, limit, 'properties');
    case 'pattern':
    case 'format':
      return `must match ${keyword} "${String(params[keyword])}"`;
    default:
      return describeApplicator(keyword, params);
  }
}

function countMessage(keyword: string, limit: unknown, unit: string): string {
  return `must NOT have ${keyword.startsWith('min') ? 'fewer' : 'more'} than ${String(limit)} ${unit}`;
}

function describeApplicator(keyword: string, params: Params): string {
  switch (keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `must NOT have ${keyword.slice(0, -'Properties'.length)} properties`;
    case 'anyOf':
      return 'must match a schema in anyOf';
    case 'oneOf':
      return describeOneOf(params['members']);
    case 'not':
      return describeForbidden(params['forbidden']);
    case 'if':
      return `must match "${String(params['failingKeyword'])}" schema`;
    case 'contains':
      return describeContains(params);
    case 'propertyNames':
      return 'property name must be valid';
    case 'dependentRequired':
      return `must have ${params['depsCount'] === 1 ? 'property' : 'properties'} ${String(params['deps'])} when property ${String(params['property'])} is present`;
    case 'uniqueItems':
      return `must NOT have duplicate items (items ## ${String(params['j'])} and ${String(params['i'])} are identical)`;
    case 'depth':
      return 'must NOT be nested so deeply';
    case 'status':
      return `status ${String(params['status'])} is not documented`;
    case 'contentType':
      return `media type ${String(params['contentType'])} is not documented for status ${String(params['status'])}`;
    case 'false schema':
      return 'boolean schema is false';
    default:
      return `must pass "${keyword}" keyword validation`;
  }
}

/** @param members - members of which each belongs to another schema, if several schemas match for that reason. */
function describeOneOf(members: unknown): string {
  if (!Array.isArray(members)) return 'must match exactly one schema in oneOf';
  const names = members.map(String);
  return `must have only one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function describeContains({ minContains, maxContains }: Params): string {
  const upper = typeof maxContains === 'number' ? ` and no more than ${maxContains}` : '';
  return `must contain at least ${String(minContains)}${upper} valid item(s)`;
}

/** Sets of members of which none may be there whole; nothing where what is forbidden cannot be said so. */
function describeForbidden(sets: unknown): string {
  if (!Array.isArray(sets)) return 'must NOT be valid';
  const choices = (sets as readonly (readonly string[])[]).map((names) => {
    const quoted = names.map((name) => `'${name}'`);
    return names.length === 1 ? `property ${quoted.join('')}` : `${quoted.join(' and ')} together`;
  });
  return `must NOT have ${choices.join(', or ')}`;
}
