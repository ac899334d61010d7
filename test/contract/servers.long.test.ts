import { describe, expect, test } from 'vitest';

import { sampleOf } from '../support/sample-of.js';
import { testServer } from './servers/measure-servers.js';
import { findWrongTestsOn } from './servers/find-wrong-tests.js';
import { FOREIGN_APIS, findForeignApi } from './servers/servers.js';

describe.each(sampleOf(FOREIGN_APIS, 8))('the server $name', (api) => {
  test('the server has at least twenty bugs, and without them a run finds nothing', async () => {
    expect(Object.keys(api.bugs).length).toBeGreaterThanOrEqual(20);
    const { findings, requests, unreached } = await testServer(api);
    expect(findings.map(({ check, operationId, message }) => `${check} ${operationId}: ${message}`)).toEqual([]);
    expect(requests).toBeLessThan(3_000);
    // No password can be made up.
    expect(unreached.filter(({ operationId }) => operationId !== 'logIn')).toEqual([]);
  }, 120_000);
});

const FOUND: readonly (readonly [string, string, string])[] = [
  ['warehouse', 'unknown-id-500', 'no server error'],
  ['warehouse', 'category-ignored', 'filter'],
  ['warehouse', 'sort-descending', 'sort order'],
  ['warehouse', 'location-wrong', 'location leads to item'],
  ['tickets', 'delete-unknown-204', 'unknown item refused'],
  ['tickets', 'default-low', 'default value'],
  ['tickets', 'labels-stay', 'update is visible'],
  ['tickets', 'comments-of-all', 'belongs to parent'],
  ['tickets', 'comment-id-race', 'unique id'],
  ['tickets', 'settings-lost', 'update is visible'],
  ['payments', 'idempotency-ignored', 'idempotency key'],
  ['payments', 'job-status', 'response schema'],
  ['blog', 'page-size-maximum', 'valid input accepted'],
  ['blog', 'total-page', 'total'],
  ['album', 'caption-garbled', 'written as sent'],
  ['album', 'file-missing', 'invalid input refused'],
  ['warehouse', 'movements-mixed', 'belongs to parent'],
  ['warehouse', 'patch-resets-tags', 'update is visible'],
  ['warehouse', 'sku-pattern', 'invalid input refused'],
  ['payments', 'currency-ignored', 'filter'],
  ['payments', 'card-number-any', 'invalid input refused'],
  ['blog', 'tags-empty', 'update is visible'],
  ['blog', 'rating-float', 'invalid input refused'],
  ['tickets', 'patch-clears-due', 'update is visible'],
  ['shop', 'order-of-others', 'access of others refused'],
  ['museum', 'sort-ascending', 'sort order'],
  ['museum', 'country-ignored', 'filter'],
  ['museum', 'year-from-exclusive', 'filter'],
  ['museum', 'total-pages', 'total'],
  ['museum', 'next-forever', 'paging adds up'],
  ['museum', 'nested-all', 'belongs to parent'],
  ['museum', 'loan-stays', 'gone after delete'],
  ['museum', 'mixed-media-refused', 'valid input accepted'],
  ['billing', 'update-clears', 'update is visible'],
  ['billing', 'has-more-false', 'paging adds up'],
  ['billing', 'cursor-inclusive', 'paging adds up'],
  ['billing', 'ending-before-ignored', 'paging adds up'],
  ['billing', 'limit-unbounded', 'invalid input refused'],
  ['billing', 'email-any', 'invalid input refused'],
  ['billing', 'email-ignored', 'filter'],
  ['billing', 'metadata-dropped', 'written as sent'],
  ['billing', 'line-stays', 'gone after delete'],
  ['billing', 'finalize-lost', 'update is visible'],
  ['rooms', 'confirm-lost', 'update is visible'],
  ['rooms', 'settings-lost', 'update is visible'],
  ['rooms', 'q-ignored', 'filter'],
  ['rooms', 'last-page-wrong', 'total'],
  ['rooms', 'restore-lost', 'created is available'],
  ['rooms', 'deleted-changeable', 'gone after delete'],
  ['rooms', 'workspace-open', 'access of others refused'],
];

/** One bug for each kind of check. That each bug is found: servers-bugs.long.test.ts. */
test.each(sampleOf(FOUND, 96))(
  'the server %s with the bug %s gets the finding "%s"',
  { timeout: 120_000 },
  async (name, bug, check) => {
    const { findings } = await testServer(findForeignApi(name), bug);
    expect(findings.map((finding) => finding.check)).toContain(check);
  },
);

const PASTED: readonly (readonly [string, string])[] = [
  ['warehouse', 'etag-frozen'],
  ['warehouse', 'category-ignored'],
  ['tickets', 'unknown-ticket-500'],
  ['tickets', 'status-ignored'],
  ['tickets', 'labels-stay'],
  ['tickets', 'comments-of-all'],
  ['payments', 'customer-ignored'],
  ['payments', 'amount-maximum'],
  ['blog', 'title-truncated'],
  ['blog', 'author-filter-ignored'],
  ['album', 'caption-garbled'],
  ['album', 'stars-maximum'],
  ['shop', 'order-of-others'],
  ['museum', 'title-truncated'],
  ['museum', 'patch-null-kept'],
  ['museum', 'total-pages'],
  ['museum', 'year-from-exclusive'],
  ['billing', 'address-city'],
  ['billing', 'ending-before-ignored'],
  ['billing', 'cursor-inclusive'],
  ['billing', 'finalize-lost'],
  ['billing', 'line-stays'],
  ['rooms', 'workspace-open'],
  ['rooms', 'restore-lost'],
  ['rooms', 'q-ignored'],
  ['fleet', 'tags-repeated'],
  ['fleet', 'plate-unanchored'],
  ['fleet', 'location-next'],
  ['fleet', 'assign-other-vehicle'],
  ['fleet', 'reassign-lost'],
  ['fleet', 'trips-of-all'],
  ['fleet', 'assign-unknown'],
  ['procurement', 'location-below-root'],
  ['procurement', 'contact-of-any-supplier'],
  ['procurement', 'total-as-text'],
  ['procurement', 'delivery-with-time'],
  ['procurement', 'country-of-tax'],
  ['procurement', 'approve-status'],
  ['procurement', 'count-unfiltered'],
  ['procurement', 'order-supplier-ignored'],
  ['procurement', 'next-link-without-filter'],
  ['rooms', 'settings-patch'],
  ['procurement', 'rating-lexical'],
  ['podcasts', 'preferences-merged'],
  ['podcasts', 'total-with-deleted'],
  ['podcasts', 'total-of-all'],
  ['rooms', 'settings-lost'],
  ['rooms', 'total-with-deleted'],
  ['album', 'log-out-keeps'],
  ['album', 'birthday-any'],
  ['shop', 'last-link'],
  ['blog', 'next-endless'],
  ['blog', 'rating-float'],
  ['warehouse', 'movements-mixed'],
];

/** Pasted tests need no more than themselves, but some bugs need what only a whole run leaves behind. */
describe.each(sampleOf(PASTED, 96))('the pasted tests of the findings on %s for the bug %s', (name, bug) => {
  test('fail on a fresh server with the bug, and pass on one without it', { timeout: 180_000 }, async () => {
    const api = findForeignApi(name);
    const { findings } = await testServer(api, bug);
    const certain = findings.filter(({ test: code }) => !code.includes('did not show it again'));
    expect(await findWrongTestsOn(api, bug, certain)).toEqual([]);
  });
});

test(
  'the requests of a finding are few, however many the run has sent to its items',
  { timeout: 120_000 },
  async () => {
    const { findings } = await testServer(findForeignApi('fleet'), 'reassign-lost');
    const lost = findings.find(({ check }) => check === 'update is visible');
    expect(lost?.test.match(/await fetch\(/g)?.length).toBeLessThanOrEqual(7);
  },
);
