/** The requested part of a list. */
export interface PageWindow {
  readonly skip: number;
  /** `Infinity`: all. */
  readonly take: number;
  /** For lists by page number: the number of this page, counted from `firstPage`. */
  readonly page?: number;
  readonly firstPage: number;
  /** Whether the page was asked for as the one before a place. */
  readonly isBackward: boolean;
  /** The number of items before the end of the page, if it ends at an item. */
  readonly until?: number;
}

/** `end`: the page without items behind the last one. */
export type LinkRelation = 'self' | 'first' | 'prev' | 'next' | 'last' | 'end';

export interface ListPage {
  readonly total: number;
  readonly window: PageWindow;
  readonly count: number;
  /** What the parameter takes for the page after this one or before it; `undefined` if there is none. */
  readonly nextPlace: string | undefined;
  readonly previousPlace: string | undefined;
  /** What leads to a page without items, for members that must not be left out. */
  readonly beyond: Readonly<Record<'next' | 'previous', string | undefined>>;
  /** Returns the URL of another page, if there is one. */
  readonly linkTo: (which: LinkRelation) => string | undefined;
}
