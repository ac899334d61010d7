import { type Code, type CodeKeywordDefinition, type KeywordCxt, Name, _, nil } from 'ajv';

/** How ajv says that the name of a member is data, not code. */
const NAME_OF_MEMBER = 1;

/**
 * `unevaluatedProperties` of ajv, but for one thing: there a member named `constructor` always counts as evaluated, since
 * the account is an object that has inherited a member of this name.
 */
export const UNEVALUATED_PROPERTIES: CodeKeywordDefinition = {
  keyword: 'unevaluatedProperties',
  type: 'object',
  schemaType: ['boolean', 'object'],
  trackErrors: true,
  error: {
    message: 'must NOT have unevaluated properties',
    params: ({ params }) => _`{unevaluatedProperty: ${params['unevaluatedProperty']}}`,
  },
  code(cxt) {
    const { gen, data, it } = cxt;
    const { props } = it;
    if (props !== true) {
      gen.forIn('key', data, (key) => {
        const isOpen = props === undefined ? nil : isUnevaluated(props, key);
        if (isOpen === nil) checkMember(cxt, key);
        else gen.if(isOpen, () => checkMember(cxt, key));
      });
    }
    it.props = true;
  },
};

type Account = Exclude<KeywordCxt['it']['props'], true | undefined>;

function isUnevaluated(props: Account, key: Name): Code {
  if (props instanceof Name) return _`${props} !== true && (!${props} || ${props}[${key}] !== true)`;
  const names = Object.keys(props).filter((name) => props[name] === true);
  return names.reduce<Code>((all, name) => (all === nil ? _`${key} !== ${name}` : _`${all} && ${key} !== ${name}`), nil);
}

function checkMember(cxt: KeywordCxt, key: Name): void {
  if (cxt.schema === false) {
    cxt.setParams({ unevaluatedProperty: key });
    cxt.error();
  } else cxt.subschema({ keyword: 'unevaluatedProperties', dataProp: key, dataPropType: NAME_OF_MEMBER }, cxt.gen.name('valid'));
}
