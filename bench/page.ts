import path from 'node:path';

import { hasBrowser, launchBrowser } from '../test/support/browser.js';
import { type Figure, median } from './measure.js';
import { startMockProcess } from './mock-process.js';

const GITHUB = path.join(import.meta.dirname, 'specs/node_modules/@octokit/openapi/generated/api.github.com.json');
/** Milliseconds and bytes. */
const FIRST_VIEW_BOUND = 1_500;
const USABLE_BOUND = 3_000;
const SIZE_BOUND = 400_000;

interface Load {
  readonly firstView: number;
  readonly usable: number;
  readonly bytes: number;
}

/** The page of a mock of GitHub's spec: until its title shows, and until an operation is found and its form is open. */
export async function benchPage(rounds: number): Promise<Figure[]> {
  if (!hasBrowser) return [{ what: 'the page', value: 'no browser', bound: 'a browser', within: false }];
  const mock = await startMockProcess([GITHUB]);
  const browser = await launchBrowser();
  const loads: Load[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      // A context of its own has nothing cached.
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      loads.push(await loadOnce(context, mock.url));
      await context.close();
    }
  } finally {
    await browser.close();
    mock.kill();
  }
  const of = (key: keyof Load): number => Math.round(median(loads.map((load) => load[key])));
  const figure = (what: string, value: number, bound: number, unit: string): Figure => ({
    what,
    value: `${value} ${unit}`,
    bound: `${bound} ${unit}`,
    within: value <= bound,
  });
  return [
    figure('title shows', of('firstView'), FIRST_VIEW_BOUND, 'ms'),
    figure('operation found and its form open', of('usable'), USABLE_BOUND, 'ms'),
    figure('transferred', of('bytes'), SIZE_BOUND, 'bytes'),
  ];
}

type Context = Awaited<ReturnType<Awaited<ReturnType<typeof launchBrowser>>['newContext']>>;

async function loadOnce(context: Context, url: string): Promise<Load> {
  const page = await context.newPage();
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  let bytes = 0;
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const start = performance.now();
  await page.goto(`${url}/__specmill/`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const firstView = performance.now() - start;
  await page.getByLabel('Search operations').fill('list organization members');
  await page.getByRole('link', { name: 'GET /orgs/{org}/members List organization members' }).click();
  await page.getByRole('button', { name: 'Send' }).waitFor();
  return { firstView, usable: performance.now() - start, bytes };
}
