import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type Handlebars from 'handlebars';

import type { OperationCoverage } from './contract/contract-report.js';
import { countOf } from './counts.js';
import { toShownText } from './strip-controls.js';

/** The content of a report page. */
export interface PageView {
  readonly heading: string;
  /** The noun for what is counted: `finding`, `violation`. */
  readonly noun: string;
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** Why the report is incomplete; empty if it is complete. */
  readonly warning: string;
  readonly findings: readonly PageFinding[];
  /** The command that repeats the run; empty if there is none. */
  readonly repeat: string;
  readonly operations: readonly PageOperation[];
  readonly notes: readonly string[];
  readonly keywords: readonly { readonly name: string; readonly broken: number; readonly places: number }[];
}

export interface PageFinding {
  readonly check: string;
  /** Empty if the findings of the page have none. */
  readonly severity: string;
  readonly message: string;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** 0 if no response arrived. */
  readonly status: number;
  readonly pointer: string;
  /** A few words on how it was found. */
  readonly details: string;
  /** Empty if nothing specific was expected. */
  readonly expected: string;
  readonly actual: string;
  readonly curl: string;
  readonly test: string;
}

export type PageOperation = Omit<OperationCoverage, 'requests'>;

/** Renders a report as a self-contained HTML page. The template escapes all external text. */
export function renderPage(view: PageView): string {
  return renderPageTemplate('report-page.hbs', prepare(view));
}

/** Renders a template of the package. Makes control characters in the view's texts visible. */
export function renderPageTemplate(name: string, view: object): string {
  const handlebars = createRequire(import.meta.url)('handlebars') as typeof Handlebars;
  const text = readFileSync(findTemplate(name), 'utf8');
  return handlebars.compile(text, { strict: true })(shown(view));
}

/** Finds a template from the source or the build, which have different depths below the package folder. */
function findTemplate(name: string): URL {
  const places = [`../templates/${name}`, `../../templates/${name}`];
  const [first = new URL(import.meta.url), ...others] = places.map((place) => new URL(place, import.meta.url));
  return [first, ...others].find((place) => existsSync(place)) ?? first;
}

function prepare({ noun, findings, operations, keywords, ...view }: PageView): object {
  const count = findings.length;
  return {
    ...view,
    count,
    verdict: count === 0 ? `No ${noun}s` : countOf(count, noun),
    title: `${noun.charAt(0).toUpperCase()}${noun.slice(1)}s`,
    findings: findings.map((finding, index) => ({
      ...finding,
      number: index + 1,
      statusText: finding.status === 0 ? 'no response' : String(finding.status),
      kind: kindOf(String(finding.status)),
      hasPair: finding.expected !== '' || finding.actual !== '',
    })),
    operations: operations.map((operation) => ({
      ...operation,
      seen: Object.entries(operation.statuses).map(([status, times]) => ({
        status,
        count: times,
        kind: kindOf(status),
      })),
      isUnreached: Object.keys(operation.statuses).length === 0,
      findings: findings.filter(({ operationId }) => operationId === operation.operationId).length,
    })),
    keywords: keywords.map((keyword) => ({ ...keyword, isWhole: keyword.broken === keyword.places })),
  };
}

/** Formats a time for readers. `time`: RFC 3339, in UTC. */
export function showTime(time: string): string {
  return `${time.slice(0, 19).replace('T', ' ')} UTC`;
}

/** `once`, `3 times` */
export function timesOf(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** The class of a status, such as `s2`, which determines its colour. */
function kindOf(status: string): string {
  return `s${status.charAt(0)}`;
}

/** Makes control characters in all texts of a view visible. */
function shown(value: unknown): unknown {
  if (typeof value === 'string') return toShownText(value);
  if (Array.isArray(value)) return value.map((item) => shown(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]));
}
