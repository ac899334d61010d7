import { splitPointer } from '../model/document/pointer.js';

/** The member names that a member or a JSON pointer of a correction stands for. */
export function memberPath(place: string): readonly string[] {
  return place.startsWith('/') ? splitPointer(place) : [place];
}
