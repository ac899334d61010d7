import type { Faker } from '@faker-js/faker';
import { faker as english } from '@faker-js/faker/locale/en';

import { Random } from './random.js';

/** The current source of faker's random numbers. Faker is synchronous, so one is enough. */
let source = new Random(0);

// Only the English locale is loaded (15 ms; the whole package takes 70), so the Faker class comes from its instance.
const FakerOfLocale = english.constructor as typeof Faker;
const instance: Faker = new FakerOfLocale({
  locale: english.rawDefinitions,
  randomizer: { next: () => source.next(), seed: () => {} },
});

/** Returns faker, which draws from this source until the next call. */
export function fakerFor(random: Random): Faker {
  source = random;
  return instance;
}
