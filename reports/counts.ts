/** `1 change`, `2 changes` */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** `, 3 times`; empty for 1. */
export function showTimes(count: number): string {
  return count === 1 ? '' : `, ${count} times`;
}
