import type { Faker } from '@faker-js/faker';

import { fakerFor } from './realistic-faker.js';
import { type TextPlace, formatMakers, hexDigits } from './realistic-format.js';
import { fullNameAt, isPerson, personAt, townAt, toWord } from './realistic-kin.js';
import { spacedWords } from './realistic-names.js';
import type { Random } from './random.js';

interface Hint {
  readonly faker: Faker;
  readonly random: Random;
  readonly place: TextPlace;
}
type MakeText = (hint: Hint) => string;

const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'sv'];
const CULTURES = ['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'it-IT', 'nl-NL', 'nb-NO'];
const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'NOK'];
const MIME_TYPES = ['application/pdf', 'image/png', 'image/jpeg', 'text/plain', 'application/json'];
const FILES = ['contract.pdf', 'invoice-2026.pdf', 'photo.jpg', 'notes.txt', 'report.docx', 'data.csv'];
const ZONES = ['Europe/Berlin', 'Europe/London', 'America/New_York', 'Asia/Tokyo', 'UTC'];
const COLORS = ['#1f6feb', '#2da44e', '#d1242f', '#8250df', '#bf8700'];
const VERSIONS = ['1.0.0', '1.4.2', '2.0.1', '3.11.0'];
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const ofFormat =
  (format: string): MakeText =>
  ({ random, place }) =>
    formatMakers(format)[0]?.(random, place) ?? '';
const oneOf =
  (list: readonly string[]): MakeText =>
  ({ random }) =>
    random.pick(list);

/** The likely content of a member by its name: the first matching pattern decides. */
const BY_NAME: readonly (readonly [RegExp, MakeText])[] = [
  [/\b(e ?mail|email address|mail address)$/, ofFormat('email')],
  [/\b(phone|telephone|mobile|fax|phone number|msisdn)$/, ({ random }) => `+1555${random.int(1_000_000, 9_999_999)}`],
  [/\b(first|given|fore) ?name$/, ({ random, place }) => personAt(random, place).first],
  [/\b(last|family|sur) ?name$/, ({ random, place }) => personAt(random, place).last],
  [
    /\b(full|display|contact|holder|author|person|signer|customer|recipient|sender) name$/,
    ({ random, place }) => fullNameAt(random, place),
  ],
  [
    /\b(user ?name|login|nick ?name|handle|screen name)$/,
    ({ random, place }) => toWord(personAt(random, place).first) + random.int(1, 9999),
  ],
  [/\b(file ?name|attachment|document name)$/, oneOf(FILES)],
  [/\b(company|organi[sz]ation|employer|vendor|business)( name)?$/, ({ faker }) => faker.company.name()],
  [/\b(host ?name|domain( name)?)$/, ofFormat('hostname')],
  [/\b(ip|ip address|ipv4)$/, ofFormat('ipv4')],
  [/\b(ur[li]|href|link|website|homepage|webhook|callback|redirect|endpoint)s?$/, ofFormat('uri')],
  [/\b(city|town)$/, ({ random, place }) => townAt(random, place).city],
  [/\bcountry( code)?$/, ({ random, place }) => townAt(random, place).country],
  [
    /\b(state|province|region)( code)?$/,
    ({ faker, random, place }) =>
      /address|location|billing|shipping|customer|contact/i.test(place.owner)
        ? townAt(random, place).region
        : faker.word.adjective(),
  ],
  [/\b(zip|postal|post)( ?code)?$/, ({ random, place }) => townAt(random, place).zip],
  [/\b(street|address|address line|line ?1|line ?2|address ?1)( \d)?$/, ({ faker }) => faker.location.streetAddress()],
  [/\b(culture|locale)$/, oneOf(CULTURES)],
  [/\b(language|lang)( code)?s?$/, oneOf(LANGUAGES)],
  [/\bcurrency( code)?$/, oneOf(CURRENCIES)],
  [/\b(time ?zone|tz)$/, oneOf(ZONES)],
  [/\b(mime|media|content) ?types?$/, oneOf(MIME_TYPES)],
  [/\bcolou?r$/, oneOf(COLORS)],
  [/\bversion$/, oneOf(VERSIONS)],
  [/\b(http )?method$/, oneOf(METHODS)],
  [/\b(sha|commit|sha1|commit id)$/, ({ random }) => hexDigits(random, 40)],
  [/\b(hash|digest|checksum|etag|fingerprint|sha256|md5)$/, ({ random }) => hexDigits(random, 32)],
  [/\b(uuid|guid)$/, ofFormat('uuid')],
  [/\b(token|secret|api key|key id|access key|password|cursor)$/, ({ random }) => hexDigits(random, 24)],
  [/\b(ids?|identifier|ref|reference)$/, ({ random, place }) => `${idPrefix(place)}${hexDigits(random, 12)}`],
  [/\b(job title|position|occupation)$/, ({ faker }) => faker.person.jobTitle()],
  [/\b(title|subject|headline|summary|caption|label)$/, ({ faker }) => sentence(faker.commerce.productName())],
  [
    /\b(description|comment|message|body|text|note|notes|content|details?|reason|bio|explanation|remark)$/,
    ({ faker }) => plainSentence(faker),
  ],
  [/\b(slug)$/, ({ faker }) => `${faker.word.adjective()}-${faker.word.noun()}`],
  [/\b(path|directory|folder)$/, ({ faker }) => `/${faker.word.noun()}/${faker.word.noun()}`],
  [
    /\b(date ?time|timestamp|(created|updated|modified|deleted|published|started|finished|expires?|completed|last \w+) (at|on|time)|time)$/,
    ofFormat('date-time'),
  ],
  [/\b(date|day|birthday|dob|(created|updated|modified|published) on)$/, ofFormat('date')],
  [/\b(duration|timeout|interval|ttl)$/, ofFormat('duration')],
  [/\b(amount|price|total|cost|balance|rate)$/, ofFormat('decimal')],
  [/\b(code|number|no|sku|serial|zip)$/, ({ random }) => String(random.int(1000, 999_999))],
  [/\b(tags?|categor(y|ies)|keywords?|topics?|labels?|groups?)$/, ({ faker }) => faker.word.noun()],
  [/\bnames?$/, makeName],
];

const makers = new Map<string, MakeText>();

/** A text that suits the name of its member. */
export function realisticText(random: Random, place: TextPlace): string {
  const words = spacedWords(place.name);
  let make = makers.get(words);
  if (make === undefined) {
    make = BY_NAME.find(([pattern]) => pattern.test(words))?.[1] ?? (({ faker }) => faker.word.noun());
    if (makers.size < 50_000) makers.set(words, make);
  }
  return make({ faker: fakerFor(random), random, place });
}

/** A sentence of about `length` characters. */
export function realisticSentence(random: Random): string {
  return plainSentence(fakerFor(random));
}

/** Makes a value for a member `name`, which depends on whose name it is. */
function makeName({ faker, random, place }: Hint): string {
  const owner = spacedWords(place.owner);
  if (isPerson(place.owner)) return fullNameAt(random, place);
  if (/\b(file|document|attachment|asset|image)\b/.test(owner)) return random.pick(FILES);
  if (/\b(company|organi[sz]ation|org|business|merchant|operator|vendor|team)\b/.test(owner))
    return faker.company.name();
  if (/\b(pet|animal|dog|cat)\b/.test(owner)) return faker.person.firstName();
  if (/\b(city|station|place|location)\b/.test(owner)) return faker.location.city();
  if (/\b(header|parameter|property|field|column|variable|table|function|model|tool|schema)\b/.test(owner))
    return faker.word
      .noun()
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, '_');
  return sentence(faker.commerce.productName());
}

function plainSentence(faker: Faker): string {
  return sentence(`the ${faker.word.adjective()} ${faker.word.noun()} ${faker.word.verb()}s ${faker.word.adverb()}.`);
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}

/** The prefix of an id: `case_` for the `Id` of a case, `party_` for a `partyId`. */
function idPrefix({ name, owner }: TextPlace): string {
  const words = spacedWords(name).replace(/ ?\b(ids?|identifier|ref|reference)$/, '');
  const word = (words === '' ? spacedWords(owner) : words).split(' ').at(-1) ?? '';
  return word === '' ? '' : `${word.slice(0, 12)}_`;
}
