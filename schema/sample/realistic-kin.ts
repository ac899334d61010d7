import { remember } from '../../model/maps.js';
import { fakerFor } from './realistic-faker.js';
import { spacedWords } from './realistic-names.js';
import type { Random } from './random.js';

/** The place of a text whose neighbours describe the same person or address. */
export interface KinPlace {
  /** Name of the member that contains it. */
  readonly name: string;
  /** The source of the object around it: the same for all of its members. */
  readonly kin?: Random | undefined;
}

const PEOPLE =
  /\b(users?|person|people|party|signer|customer|contact|author|owner|employee|member|actor|account|holder|passenger|sender|recipient)\b/;

/** Whether a schema or member of this name describes a person. */
export const isPerson: (owner: string) => boolean = remember((owner) => PEOPLE.test(spacedWords(owner)));

const PERSON_NAME = /\b(?:first|given|fore|last|family|sur|full|display|holder|signer|recipient|sender) ?name$/;

/** Whether a member is the name of a person. */
export function isPersonName({ name, owner }: { readonly name: string; readonly owner: string }): boolean {
  return isNameOfPerson(name) || (spacedWords(name) === 'name' && isPerson(owner));
}

const isNameOfPerson = remember((name) => PERSON_NAME.test(spacedWords(name)));

export interface Person {
  readonly first: string;
  readonly last: string;
}

const roles = new Map<string, string>();
const KINDS =
  /\b(?:(?:full|display|first|given|fore|last|family|sur|user|nick|screen|middle) ?)?names?\b|\be ?mail(?: address)?(?:es|s)?\b|\b(?:login|handle)\b/g;

/** Whose name or address it is: `billing` for `billing_email`, empty for `email` and `firstName`. */
function roleOf(name: string): string {
  const known = roles.get(name);
  if (known !== undefined) return known;
  const role = spacedWords(name).replaceAll(KINDS, '').trim();
  if (roles.size < 50_000) roles.set(name, role);
  return role;
}

/** The person that the members of an object describe. */
export function personAt(random: Random, { name, kin }: KinPlace): Person {
  const faker = fakerFor(kin === undefined ? random : kin.fork(`person ${roleOf(name)}`));
  return { first: faker.person.firstName(), last: faker.person.lastName() };
}

export function fullNameAt(random: Random, place: KinPlace): string {
  const { first, last } = personAt(random, place);
  return `${first} ${last}`;
}

/** An address with the name of the person, and a number so that namesakes differ. */
export function emailAt(random: Random, place: KinPlace): string {
  const { first, last } = personAt(random, place);
  return `${toWord(first)}.${toWord(last)}${random.int(1, 9999)}@example.${random.pick(['com', 'net', 'org'])}`;
}

/** Letters of ASCII in lower case. */
export function toWord(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase();
}

export interface Town {
  readonly city: string;
  readonly region: string;
  readonly country: string;
  readonly zip: string;
}

const TOWNS: readonly Town[] = (
  [
    ['Boston', 'Massachusetts', 'US', '02108'],
    ['Denver', 'Colorado', 'US', '80202'],
    ['Portland', 'Oregon', 'US', '97204'],
    ['Chicago', 'Illinois', 'US', '60601'],
    ['Austin', 'Texas', 'US', '73301'],
    ['London', 'Greater London', 'GB', 'SW1A 1AA'],
    ['Leeds', 'Yorkshire', 'GB', 'LS1 4AP'],
    ['Edinburgh', 'Scotland', 'GB', 'EH1 1BB'],
    ['Berlin', 'Berlin', 'DE', '10115'],
    ['Munich', 'Bavaria', 'DE', '80331'],
    ['Cologne', 'North Rhine-Westphalia', 'DE', '50667'],
    ['Paris', 'Ile-de-France', 'FR', '75001'],
    ['Lyon', 'Auvergne-Rhone-Alpes', 'FR', '69001'],
    ['Bordeaux', 'Nouvelle-Aquitaine', 'FR', '33000'],
    ['Madrid', 'Madrid', 'ES', '28001'],
    ['Valencia', 'Valencia', 'ES', '46001'],
    ['Rome', 'Lazio', 'IT', '00118'],
    ['Turin', 'Piedmont', 'IT', '10121'],
    ['Amsterdam', 'North Holland', 'NL', '1011'],
    ['Utrecht', 'Utrecht', 'NL', '3511'],
    ['Oslo', 'Oslo', 'NO', '0150'],
    ['Bergen', 'Vestland', 'NO', '5003'],
  ] as const
).map(([city, region, country, zip]) => ({ city, region, country, zip }));

/** The town that the members of an address name. */
export function townAt(random: Random, { kin }: KinPlace): Town {
  return (kin === undefined ? random : kin.fork('town')).pick(TOWNS);
}
