import type { ListPages } from '../../../resources/paging.js';
import type { ListPage, PageWindow } from './list-page.js';
import { type Place, type PlaceMemory, writePlace } from './place.js';

interface Shown {
  readonly list: string;
  readonly window: PageWindow;
  readonly total: number;
  /** The ids of the items on the page, and of the one behind it. */
  readonly ids: readonly string[];
  readonly behind: string | undefined;
  readonly memory: PlaceMemory;
}

/** The facts of a page, without its links. */
export function createPage({ placeForm: form }: ListPages, shown: Shown): Omit<ListPage, 'linkTo'> {
  const { list, window, total, ids, behind = '', memory } = shown;
  const [first, last] = [ids[0], ids.at(-1)];
  const end = window.skip + ids.length;
  const write = (place: Place): string => writePlace(place, { list, form, memory });
  const after = { side: 'after', other: behind, skip: end, total } as const;
  const before = { side: 'before', other: '', skip: window.skip, total } as const;
  // The position of the page before is where it starts, since a number says no direction.
  const start = form === 'position' ? Math.max(0, window.skip - window.take) : window.skip;
  return {
    ...{ total, window, count: ids.length },
    nextPlace: last === undefined || end >= total ? undefined : write({ ...after, id: last }),
    previousPlace: first === undefined || window.skip === 0 ? undefined : write({ ...before, id: first, skip: start }),
    beyond: {
      next: write({ ...after, id: last ?? '', skip: total }),
      previous: form === 'position' ? undefined : write({ ...before, id: first ?? '', skip: 0 }),
    },
  };
}
