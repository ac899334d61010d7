/** A header that is a number. */
export function readNumber(text: string): number {
  return Number(text);
}

/** A header that is true or false. */
export function readBoolean(text: string): boolean {
  return text.toLowerCase() === 'true';
}

/** A header that is a list, each item read by `readItem`. */
export function readList<Item>(readItem: (text: string) => Item): (text: string) => Item[] {
  return (text) => text.split(',').map((item) => readItem(item.trim()));
}

/** A header that is a JSON document; text where it is malformed. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
