import { readCredential } from '../../http/credentials/read-credential.js';
import type { Change, ChangePlaces } from '../../diff/index.js';
import type { Api } from '../../model/api.js';
import { isRecord } from '../../model/document/records.js';
import type { Schema } from '../../model/schema-types.js';
import { compileValidator } from '../../schema/compile-validator.js';
import type { Direction } from '../../schema/variants.js';
import type { CallView } from './call-view.js';
import { effectOf, keywordsOf, schemaSteps } from './effect-of.js';
import { findPart } from './find-part.js';
import { schemaAt } from './schema-at.js';
import { placeKey } from './place-graph.js';

/** A call as both specs describe it. One has no operation for it if it was added or removed. */
export interface ViewedCall {
  readonly old: CallView | undefined;
  readonly new: CallView | undefined;
}

/** Whether a call uses the place of a change. */
export type Probe = (call: ViewedCall) => boolean;

interface ProbeContext {
  readonly change: Change;
  readonly places: ChangePlaces;
  readonly direction: Direction;
}

/** The part of a change's place that leads to a schema. */
type Side = 'old' | 'new';

const SECURITY: Readonly<Partial<Record<Change['kind'], Probe>>> = {
  'credential-demanded': (call) => !satisfies(call.new),
  'security-alternative-removed': (call) => satisfies(call.old) && !satisfies(call.new),
  'scope-added': (call) => satisfies(call.old),
};

/** Notes that the values at a place are needed: all of a message, or only whether there is one. */
type WantPlace = (side: Side, place: string, all: boolean) => void;

/** Makes the test of a change for the messages of one direction. Notes the places whose values it needs. */
export function createProbe(context: ProbeContext, want: WantPlace): Probe {
  const { change, places, direction } = context;
  const own = SECURITY[change.kind];
  if (own !== undefined) return own;
  const steps = schemaSteps(change.kind, places.old.steps);
  const effect = effectOf(change.kind, direction, {
    isRequired: places.exceptions?.includes('request') === true,
    isSchema: places.old.root.isSchema || steps.length > 0,
    isSafe: change[direction] === 'safe',
  });
  if (effect === 'lacks') return lacks(context, want);
  const side = effect === 'carries' && places.anchor === 'new' ? 'new' : 'old';
  const key = placeOf(context, side);
  if (key !== undefined) want(side, key, effect === 'fails');
  return effect === 'carries'
    ? (call) => carries(call[side], context, side, key)
    : (call) => key !== undefined && fails(call, context, key);
}

/** The place of a schema; `undefined` if the place of the change is no schema. */
function placeOf({ change, places }: ProbeContext, side: Side): string | undefined {
  const { root, steps } = places[side];
  const inner = schemaSteps(change.kind, steps);
  return root.isSchema || inner.length > 0 ? placeKey(root.source, inner) : undefined;
}

function carries(view: CallView | undefined, { places, direction }: ProbeContext, side: Side, key?: string): boolean {
  if (view === undefined) return false;
  if (key !== undefined) return view.traced(direction).has(key);
  const part = findPart(view.viewed.operation, places[side].root.source);
  switch (part?.kind) {
    case 'parameter':
      return view.sends(part.parameter);
    case 'body':
      return view.hasBody;
    case 'media':
      return view.mediaOf(part.direction) === part.media;
    case 'response':
      return view.response === part.response;
    case 'header':
      return view.response === part.response && view.headerOf(part.header) !== undefined;
    default:
      // The operation, or what it takes from the document, such as its security.
      return true;
  }
}

function lacks(context: ProbeContext, want: WantPlace): Probe {
  const { places, direction } = context;
  const side = places.anchor === 'new' ? 'new' : 'old';
  const { root, steps } = places[side];
  const at = schemaSteps(context.change.kind, steps);
  const name = at.at(-2) === 'properties' ? at.at(-1) : undefined;
  if (name === undefined)
    return (call) => {
      const part = call[side] && findPart(call[side].viewed.operation, root.source);
      if (part?.kind === 'parameter') return call[side]?.sends(part.parameter) === false;
      return part?.kind === 'body' && call[side]?.hasBody === false;
    };
  const owner = placeKey(root.source, at.slice(0, -2));
  want(side, owner, true);
  return (call) => {
    const values = call[side]?.traced(direction).get(owner) ?? [];
    return values.some((value) => isRecord(value) && !Object.hasOwn(value, name));
  };
}

/** Whether a value at the place is valid in the old spec, but not in the new one, because of the changed keyword. */
function fails(call: ViewedCall, { change, places, direction }: ProbeContext, key: string): boolean {
  if (call.old === undefined || call.new === undefined) return false;
  const values = call.old.traced(direction).get(key) ?? [];
  if (values.length === 0) return false;
  const [before, now] = (['old', 'new'] as const).map((side): [Api, Schema | undefined] => {
    const { api, operation } = call[side]?.viewed ?? {};
    const { root, steps } = places[side];
    if (api === undefined || operation === undefined) throw new TypeError('Both specs have the operation.');
    return [api, schemaAt(api, operation, { root, steps: schemaSteps(change.kind, steps) })];
  });
  if (before?.[1] === undefined || now?.[1] === undefined) return true;
  const wasValid = compileValidator(before[0], before[1], { direction });
  const isValid = compileValidator(now[0], now[1], { direction });
  const keywords = keywordsOf(change.kind);
  return values.some((value) => {
    const errors = isValid(value).filter(({ pointer, keyword }) =>
      keywords === undefined ? pointer === '' : keywords.includes(keyword) && pointer.lastIndexOf('/') <= 0,
    );
    return errors.length > 0 && wasValid(value).length === 0;
  });
}

/** Whether a call has the credentials of one alternative of its operation. */
function satisfies(view: CallView | undefined): boolean {
  if (view === undefined) return true;
  const { api, operation } = view.viewed;
  if (operation.security.length === 0) return true;
  const query = new URLSearchParams(view.query);
  return operation.security.some((alternative) =>
    Object.keys(alternative).every((name) => {
      const scheme = api.securitySchemes.get(name);
      return scheme !== undefined && readCredential(scheme, { headers: view.headers }, query) !== 'absent';
    }),
  );
}
