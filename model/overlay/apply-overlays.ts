import { suggestName } from '../diagnostics/closest-name.js';
import type { DiagnosticCollector } from '../diagnostics/create-diagnostic.js';
import type { SourceLocation } from '../diagnostics/diagnostic.js';
import { InputError } from '../diagnostics/input-error.js';
import { appendPointer, stepInto, toPointer, valueAtPath } from '../document/pointer.js';
import { isRecord, mapRecord, setMember } from '../document/records.js';
import type { SourceDocument } from '../document/source-document.js';
import { checkOverlay } from './check-overlay.js';
import { OverlayWork, selectPaths, type Path } from './select-paths.js';
import { type ChangedDocument, Origins } from './value-origins.js';

/**
 * Applies OpenAPI Overlays (1.0 and 1.1) to the documents of an API, in order. A target that no document contains is a
 * warning at its place in the overlay.
 */
export function applyOverlays(
  documents: readonly SourceDocument[],
  overlays: readonly SourceDocument[],
  problems: DiagnosticCollector,
): ChangedDocument[] {
  const actions = overlays
    .flatMap((overlay) => readOverlay(overlay, problems))
    .map((action) => readHyphens(action, problems));
  const work = new OverlayWork();
  const targets = documents.map(({ path, root }) => new OverlayTarget(path, root, work));
  for (const action of actions) {
    const isInvalid = (message: string): void =>
      problems.report('overlay-invalid', { file: action.file, pointer: action.pointer }, message);
    try {
      const matches = targets.map((target) => target.apply(action, isInvalid));
      if (!matches.some((count) => count > 0))
        problems.report(
          'overlay-unmatched',
          { file: action.file, pointer: appendPointer(action.pointer, 'target') },
          `The target ${JSON.stringify(action.target)} of the overlay matches nothing in the spec.`,
        );
    } catch (error) {
      if (!(error instanceof Error) || error instanceof InputError) throw error;
      const right = bracketNames(action.target);
      const hint = right === action.target ? '' : ` Names with other characters need brackets: ${right}`;
      problems.report(
        'overlay-invalid',
        { file: action.file, pointer: appendPointer(action.pointer, 'target') },
        `The JSONPath ${JSON.stringify(action.target)} of the overlay cannot be read: ${error.message}.${hint}`,
      );
    }
  }
  return targets;
}

/** A document that is being changed. */
class OverlayTarget implements ChangedDocument {
  root: unknown;
  readonly origins: Origins;
  readonly #work: OverlayWork;
  #copied = 0;

  constructor(file: string, root: unknown, work: OverlayWork) {
    this.#work = work;
    this.root = this.#clone(root);
    this.origins = new Origins(file);
  }

  /** Applies an action. Returns how many parts of the document it selects. */
  apply({ target, change, file, pointer }: OverlayAction, isInvalid: (message: string) => void): number {
    const paths = selectPaths(this.root, target, this.#work);
    if (change.kind === 'remove') {
      // Removes the last items of a list first, so that the indexes of earlier ones stay valid.
      for (const path of paths.toReversed()) this.#remove(path, isInvalid);
      return paths.length;
    }
    const source =
      change.kind === 'copy'
        ? this.#copySource(change.from, paths.length > 0, isInvalid)
        : { value: change.value, origin: { file, pointer: appendPointer(pointer, 'update') } };
    if (source !== undefined) for (const path of paths) this.#update(path, source, isInvalid);
    return paths.length;
  }

  #copySource(from: string, isNeeded: boolean, isInvalid: (message: string) => void): Update | undefined {
    const [path, ...others] = selectPaths(this.root, from, this.#work);
    if (path !== undefined && others.length === 0)
      return { value: this.#clone(valueAtPath(this.root, path)), origin: this.origins.find(toPointer(path)) };
    if (isNeeded) isInvalid(`The copy ${JSON.stringify(from)} of the overlay must select exactly one value.`);
    return undefined;
  }

  #remove(path: Path, isInvalid: (message: string) => void): void {
    const key = path.at(-1);
    const owner = valueAtPath(this.root, path.slice(0, -1));
    if (key === undefined) isInvalid('The overlay cannot remove the whole document.');
    else if (Array.isArray(owner) && typeof key === 'number') {
      this.#work.write(owner.length - key);
      this.origins.removeItem(toPointer(path.slice(0, -1)), key, owner.length);
      owner.splice(key, 1);
    } else if (isRecord(owner)) delete (owner as Record<string, unknown>)[key];
  }

  #update(path: Path, update: Update, isInvalid: (message: string) => void): void {
    const target = valueAtPath(this.root, path);
    const pointer = toPointer(path);
    if (Array.isArray(target)) this.#append(target, pointer, update);
    else if (isRecord(target) && isRecord(update.value)) this.#merge(target, pointer, update);
    else if (isContainer(target) || isContainer(update.value))
      isInvalid('The update of the overlay has another type than its target: objects merge with objects only.');
    else this.#replace(path, update);
  }

  #replace(path: Path, { value, origin }: Update): void {
    const key = path.at(-1);
    const owner = valueAtPath(this.root, path.slice(0, -1));
    if (key === undefined) this.root = value;
    else if (isContainer(owner)) setMember(owner as Record<string, unknown>, String(key), value);
    this.origins.set(toPointer(path), origin);
  }

  /** Concatenates a list (Overlay 1.1; 1.0 leaves it open); appends any other value as one item. */
  #append(target: unknown[], pointer: string, { value, origin }: Update): void {
    const items: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const [index, item] of items.entries()) {
      const place = Array.isArray(value) ? appendPointer(origin.pointer, index) : origin.pointer;
      this.origins.set(appendPointer(pointer, target.length), { file: origin.file, pointer: place });
      this.#work.write();
      target.push(this.#clone(item));
    }
  }

  /**
   * Returns a deep copy, because YAML aliases put one object into several places, and a change in one must not affect
   * the others.
   *
   * @throws InputError if the actions copy too much.
   */
  #clone(value: unknown): unknown {
    if (isContainer(value)) this.#copied += 1;
    if (this.#copied > COPY_LIMIT) throw new InputError('The overlays copy too much of the spec.');
    if (Array.isArray(value)) return value.map((item) => this.#clone(item));
    return isRecord(value) ? mapRecord(value, (member) => this.#clone(member)) : value;
  }

  #merge(target: Readonly<Record<string, unknown>>, pointer: string, { value, origin }: Update): void {
    if (!isRecord(value)) return;
    for (const [key, member] of Object.entries(value)) {
      this.#work.write();
      const own = stepInto(target, key);
      const place = appendPointer(pointer, key);
      const update = { value: member, origin: { ...origin, pointer: appendPointer(origin.pointer, key) } };
      if (isRecord(own) && isRecord(member)) this.#merge(own, place, update);
      else if (Array.isArray(own) && Array.isArray(member)) this.#append(own, place, update);
      else {
        setMember(target as Record<string, unknown>, key, this.#clone(member));
        this.origins.set(place, update.origin);
      }
    }
  }
}

/**
 * Maximum number of copied objects and lists, because actions that copy the document into itself double it each time.
 * GitHub's REST description has 90,000.
 */
const COPY_LIMIT = 1_000_000;

interface Update {
  readonly value: unknown;
  readonly origin: SourceLocation;
}

/**
 * Reads names with hyphens as if they were in brackets, with a warning, since the Overlay specification itself has such
 * examples. RFC 9535 allows hyphens only in brackets.
 */
function readHyphens(action: OverlayAction, problems: DiagnosticCollector): OverlayAction {
  const target = bracketNames(action.target, /\.([A-Za-z_]\w*-[\w-]*)/g);
  if (target === action.target) return action;
  problems.report(
    'overlay-unbracketed',
    { file: action.file, pointer: appendPointer(action.pointer, 'target') },
    `The JSONPath ${JSON.stringify(action.target)} of the overlay has a name with a hyphen, which needs brackets: ${target}`,
  );
  return { ...action, target };
}

/** Puts the names of a JSONPath that need brackets into them; texts in quotes stay as they are. */
function bracketNames(expression: string, names: RegExp = /\.([\w{}/-]*[{}/-][\w{}/-]*)/g): string {
  return expression
    .split(/("[^"]*"|'[^']*')/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(names, "['$1']")))
    .join('');
}

function isContainer(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

interface OverlayAction {
  /** JSONPath (RFC 9535). */
  readonly target: string;
  readonly change:
    | { readonly kind: 'remove' }
    | { readonly kind: 'copy'; readonly from: string }
    | { readonly kind: 'update'; readonly value: unknown };
  /** The overlay file, and the place of the action in it. */
  readonly file: string;
  readonly pointer: string;
}

/**
 * Reads the actions of an OpenAPI Overlay document, version 1.0 or 1.1. Reports invalid actions and reads the others.
 */
function readOverlay({ path, root }: SourceDocument, problems: DiagnosticCollector): OverlayAction[] {
  const report = (pointer: string, message: string): void =>
    problems.report('overlay-invalid', { file: path, pointer }, message);
  if (isRecord(root) && typeof root['overlay'] === 'number') {
    report('/overlay', 'The version of the overlay must be a text: write "1.1.0" in quotes.');
    return [];
  }
  if (!isRecord(root) || typeof root['overlay'] !== 'string') {
    const hint = suggestMember(root, ['overlay']);
    report('', `Not an overlay: the member "overlay" with a version such as 1.1.0 is missing.${hint}`);
    return [];
  }
  if (!/^1\.[01]\.\d+$/.test(root['overlay'])) {
    report('/overlay', `The overlay has version ${JSON.stringify(root['overlay'])}; 1.0.x and 1.1.x are supported.`);
    return [];
  }
  if (!Array.isArray(root['actions']) || root['actions'].length === 0) {
    report('/actions', `The overlay has no list of actions.${suggestMember(root, ['actions'])}`);
    return [];
  }
  checkOverlay(root, root['actions'], report);
  return root['actions'].flatMap((action: unknown, index): OverlayAction[] => {
    const pointer = appendPointer('/actions', index);
    if (!isRecord(action) || typeof action['target'] !== 'string') {
      const hint = suggestMember(action, ['target']);
      report(pointer, `An action of an overlay needs a target: a JSONPath such as $.info.${hint}`);
      return [];
    }
    const change = readChange(action);
    if (change !== undefined) return [{ target: action['target'], change, file: path, pointer }];
    const hint = suggestMember(action, ['update', 'remove', 'copy']);
    const isMistyped = hint !== '' || !hasNoChange(action);
    problems.report(
      isMistyped ? 'overlay-invalid' : 'overlay-without-effect',
      { file: path, pointer },
      isMistyped
        ? `An action of an overlay needs update, remove: true or copy.${hint}`
        : `The action of the overlay for ${JSON.stringify(action['target'])} has no effect: it needs update, remove: true or copy.`,
    );
    return [];
  });
}

/** Names a member that is a likely typo of one of the missing members. */
function suggestMember(owner: unknown, missing: readonly string[]): string {
  const typo = Object.keys(isRecord(owner) ? owner : {}).find(
    (key) => !missing.includes(key) && suggestName(key, missing) !== '',
  );
  return typo === undefined ? '' : ` It has ${JSON.stringify(typo)}.${suggestName(typo, missing, JSON.stringify)}`;
}

/** Whether an action is valid, although it changes nothing. */
function hasNoChange(action: Readonly<Record<string, unknown>>): boolean {
  return !Object.hasOwn(action, 'copy') && (!Object.hasOwn(action, 'remove') || action['remove'] === false);
}

/** `remove` takes precedence over the others, and `copy` over `update` (Overlay 1.1, section 4.4.3). */
function readChange(action: Readonly<Record<string, unknown>>): OverlayAction['change'] | undefined {
  if (action['remove'] === true) return { kind: 'remove' };
  if (typeof action['copy'] === 'string') return { kind: 'copy', from: action['copy'] };
  return Object.hasOwn(action, 'update') ? { kind: 'update', value: action['update'] } : undefined;
}
