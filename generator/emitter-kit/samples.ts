import type { Api, MediaType } from '../../model/api.js';
import { mediaKind } from '../../runtime/media-type.js';
import { compileValidator } from '../../schema/compile-validator.js';
import { generateValue } from '../../schema/generate-value.js';
import { itemValue } from '../../schema/item-value.js';
import type { Direction } from '../../schema/variants.js';
import type { EmitOptions } from '../emitter.js';
import { fixtureVariants } from '../fixtures/emit-fixtures.js';
import { type AllFixtureNames, nameFixtures } from '../fixtures/fixture-names.js';
import { xmlBodyPlan } from '../media-kind.js';
import { schemaPart } from '../split-output.js';
import type { Samples } from './contract.js';

/** The longest value that is written into a file. */
const MAX_CHARACTERS = 8_000;

/** The values that emitters can write into their files. */
export function createSamples(api: Api, options: EmitOptions): Samples {
  let names: AllFixtureNames | undefined;
  return {
    fixture(name) {
      if (!options.emitters.has('fixtures') || fixtureVariants(api, options).of(name, 'response').length === 0)
        return undefined;
      const part = schemaPart(api, name);
      const json = (names ??= nameFixtures(api, options.types)).byType.get(name)?.json ?? '';
      return { name: json, module: part === undefined ? './fixtures.js' : `./fixtures/${part}.js` };
    },
    examples: (content, direction) => validExamples(content, direction, api),
    make(schema, direction, seed) {
      const made = generateValue(api, schema, { direction, seed, limits: { maxCharacters: MAX_CHARACTERS } });
      const small = made.ok
        ? made
        : generateValue(api, schema, {
            direction,
            seed,
            variant: 'minimal',
            limits: { maxCharacters: 8 * MAX_CHARACTERS },
          });
      return small.ok ? { value: small.value } : undefined;
    },
    items(content) {
      const { sequence } = content;
      if (sequence === undefined) return undefined;
      const { schema, plan } = itemValue(api, { ...content, sequence });
      return { schema, plan };
    },
    xml: (content, all) => xmlBodyPlan(content, all, api),
  };
}

function validExamples(content: MediaType, direction: Direction, api: Api): unknown[] {
  const { examples, schema, sequence, mediaType } = content;
  const values = examples.flatMap(({ value }) => (value === undefined ? [] : [value]));
  if (sequence !== undefined) {
    const validate = compileValidator(api, itemValue(api, { ...content, sequence }).schema, { direction });
    const lists = values.map((value): unknown[] => (Array.isArray(value) ? value : [value]));
    return lists.filter((items) => items.every((item) => validate(item).length === 0));
  }
  // A text such as XML shows the body itself, which the schema does not describe.
  const isText = !['json', 'any', 'form', 'multipart'].includes(mediaKind(mediaType));
  const validate = schema === undefined ? undefined : compileValidator(api, schema, { direction });
  return values.filter((value) => (isText && typeof value === 'string') || (validate?.(value).length ?? 0) === 0);
}
