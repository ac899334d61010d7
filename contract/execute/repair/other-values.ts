import type { Api } from '../../../model/api.js';
import { describedWords } from '../../plan/quoted-words.js';
import { type BodyPlace, isFreeText } from './body-places.js';

/** The usual forms of texts, one of each. `specmill` keeps them far from what others use. */
const FORMS: readonly string[] = [
  'specmill_a1',
  'specmill-a1.example.',
  'specmill-a1.example',
  '1',
  '/specmill-a1',
  'https://specmill-a1.example/',
  'specmill-a1@example.com',
  'c3BlY21pbGwtYTE=',
  '192.0.2.1',
];

const DAY = 86_400_000;

/** Other values for a place whose value the server has refused, the most likely first. */
export function otherValues(
  place: BodyPlace,
  { api, said, shown }: { readonly api: Api; readonly said: readonly string[]; readonly shown: readonly unknown[] },
): unknown[] {
  const { value, schemas } = place;
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [1, 0, ...shown].filter((one) => typeof one === 'number' && one !== value);
  if (typeof value !== 'string') return [];
  const documented = schemas.flatMap(({ examples = [], default: byDefault }) => [...examples, byDefault]);
  const moments = momentsLike(value);
  const forms = isFreeText(place, api) ? FORMS : [];
  const words = describedWords(schemas).map(similarTo);
  const all = [...said, ...words, ...documented, ...moments, ...shown.slice(0, 2), ...forms, ...shown.slice(2)];
  return [...new Set(all)].filter((one) => typeof one === 'string' && one !== value);
}

/** Other moments in the notation of a text: later, and earlier. */
function momentsLike(value: string): string[] {
  if (!isMoment(value)) return [];
  const today = Math.floor(Date.now() / DAY) * DAY;
  const days = [1, 30, 365, -1, -30].map((days) => new Date(today + days * DAY).toISOString());
  return days.map((text) => (value.length > 10 ? text.replace('.000', '') : text.slice(0, 10)));
}

/** Whether a value is a date, or a date and time. */
export function isMoment(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value);
}

/** A value in the form of another: it may be the name of an item that belongs to others. Single words stay. */
export function similarTo(value: unknown): unknown {
  if (typeof value !== 'string' || /^[\w-]*$/.test(value) || isMoment(value)) return value;
  return value.replace(/[\p{L}\p{N}_-]+/u, 'specmill-a1');
}
