import { describe, expect, it } from 'vitest';

import { runContract } from '../../entry/contract.js';
import { STYLES, type Style, type Tables, loadStyle, serveStyle } from './existing-data-servers.js';

interface Outcome {
  readonly before: Tables;
  readonly after: Tables;
  readonly report: Awaited<ReturnType<typeof runContract>>;
}

async function run(style: Style, options: object = {}): Promise<Outcome> {
  const tables = style.data();
  const api = await loadStyle(style);
  const report = await runContract({ api, url: 'http://127.0.0.1:9', fetch: serveStyle(style, tables), ...options });
  return { before: style.data(), after: tables, report };
}

describe('data from before the run', () => {
  const cases = STYLES.flatMap((style) => [1, 2, 3].map((seed) => [style.title, seed, style] as const));

  it.each(cases)('stays as it was on a server with %s, with seed %i', async (_title, seed, style) => {
    const { before, after, report } = await run(style, { seed });
    const kept = Object.fromEntries(
      Object.entries(after).map(([name, rows]) => [name, rows.slice(0, before[name]?.length)]),
    );
    expect(kept).toEqual(before);
    expect(report.requests).toBeGreaterThan(10);
  });
});
