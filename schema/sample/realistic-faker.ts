import { createRequire } from 'node:module';

import type { Faker } from '@faker-js/faker';
import type * as EnglishFaker from '@faker-js/faker/locale/en';

import { Random } from './random.js';

/** The current source of faker's random numbers. Faker is synchronous, so one is enough. */
let source = new Random(0);
let instance: Faker | undefined;

/** Returns faker, which draws from this source until the next call. */
export function fakerFor(random: Random): Faker {
  source = random;
  instance ??= loadFaker();
  return instance;
}

/**
 * Only the English locale is loaded, and only on first use: it takes 15 ms (the whole package 70). So the Faker class
 * comes from its instance.
 */
function loadFaker(): Faker {
  const { faker } = createRequire(import.meta.url)('@faker-js/faker/locale/en') as typeof EnglishFaker;
  const FakerOfLocale = faker.constructor as typeof Faker;
  return new FakerOfLocale({
    locale: faker.rawDefinitions,
    randomizer: { next: () => source.next(), seed: () => {} },
  });
}
