import { type Code, type CodeKeywordDefinition, type KeywordCxt, Name, _, nil, str } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';

/** How ajv says what a step into a value is: an index, or the name of a member. */
const INDEX = 0;
const NAME_OF_MEMBER = 1;

/**
 * `unevaluatedProperties` of ajv, but for one thing: there a member named `constructor` always counts as evaluated, since
 * the account is an object that has inherited a member of this name.
 */
const UNEVALUATED_PROPERTIES: CodeKeywordDefinition = {
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
  return names.reduce<Code>(
    (all, name) => (all === nil ? _`${key} !== ${name}` : _`${all} && ${key} !== ${name}`),
    nil,
  );
}

function checkMember(cxt: KeywordCxt, key: Name): void {
  if (cxt.schema === false) {
    cxt.setParams({ unevaluatedProperty: key });
    cxt.error();
  } else
    cxt.subschema(
      { keyword: 'unevaluatedProperties', dataProp: key, dataPropType: NAME_OF_MEMBER },
      cxt.gen.name('valid'),
    );
}

/**
 * `unevaluatedItems` of ajv, but for one thing: its account, where it is kept at run time, can be `true` (all items) or
 * `undefined` (none), and ajv compares it as a number.
 */
const UNEVALUATED_ITEMS: CodeKeywordDefinition = {
  keyword: 'unevaluatedItems',
  type: 'array',
  schemaType: ['boolean', 'object'],
  error: {
    message: ({ params }) => str`must NOT have more than ${params['from']} items`,
    params: ({ params }) => _`{limit: ${params['from']}}`,
  },
  code(cxt) {
    const { gen, data, it } = cxt;
    const { items = 0 } = it;
    it.items = true;
    if (items === true) return;
    const length = gen.const('len', _`${data}.length`);
    const from = items instanceof Name ? gen.const('len', _`${items} === true ? ${length} : (${items} || 0)`) : items;
    if (cxt.schema === false) {
      cxt.setParams({ from: _`${from}` });
      cxt.fail(_`${length} > ${from}`);
    } else {
      gen.forRange('i', from, length, (index) => {
        cxt.subschema({ keyword: 'unevaluatedItems', dataProp: index, dataPropType: INDEX }, gen.name('valid'));
      });
    }
  },
};

/** In the order in which ajv has them. */
export const UNEVALUATED_KEYWORDS: readonly CodeKeywordDefinition[] = [UNEVALUATED_PROPERTIES, UNEVALUATED_ITEMS];

/** The keywords of which only some branches may hold. */
const BRANCHING = ['anyOf', 'oneOf', 'dependentSchemas', 'dispatch'] as const;

/**
 * Lets branches add to an account that begins anew for each value. Ajv takes the account of the first branch as it is,
 * also where the branch does not hold, or keeps that of the value before.
 */
export function accountForBranches(ajv: Ajv2020): void {
  for (const keyword of BRANCHING) {
    const definition = ajv.getKeyword(keyword);
    if (typeof definition !== 'object' || !('code' in definition)) continue;
    const writeCode = definition.code;
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      ...definition,
      keyword,
      code(cxt, type) {
        const { items } = cxt.it;
        beginAccount(cxt);
        writeCode(cxt, type);
        // What stands in the code for objects is not run for arrays.
        if (keyword === 'dependentSchemas') Object.assign(cxt.it, { items });
      },
    });
  }
}

function beginAccount({ gen, it }: KeywordCxt): void {
  const { props, items } = it;
  if (props !== true && !(props instanceof Name)) {
    const account = gen.var('props', _`{}`);
    for (const name of Object.keys(props ?? {})) gen.assign(_`${account}[${name}]`, true);
    it.props = account;
  }
  if (items !== true && !(items instanceof Name)) it.items = gen.var('items', items ?? 0);
}
