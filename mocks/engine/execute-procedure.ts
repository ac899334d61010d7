import type { Row } from '../../generated/engine/types.js';
import type { Entity } from './configuration/entity.js';
import type { Context } from './entities.js';
import { grantOf, reachedFields } from './grants.js';
import { refuse } from './refusals.js';
import { listRows } from './rows.js';
import type { Session } from './session.js';

interface ProcedureCall {
  readonly session: Session;
  readonly parameters: Row;
}

/**
 * Executes a stored procedure. A mock has no database, so the result is the entity's rows in the state.
 *
 * @throws HttpError 400 for an unknown parameter, if the configuration names any
 */
export async function executeProcedure(
  context: Context,
  entity: Entity,
  { session, parameters }: ProcedureCall,
): Promise<readonly Row[]> {
  if (entity.kind !== 'stored-procedure') throw refuse(400, `The entity ${entity.name} is no stored procedure.`);
  const grant = grantOf(session, entity, 'execute');
  const { name: procedure, parameters: known } = entity;
  const unknown = Object.keys(parameters).find((name) => known.size > 0 && !known.has(name));
  if (unknown !== undefined) throw refuse(400, `The stored procedure ${procedure} has no parameter ${unknown}.`);
  const missing = [...known].find(([name, { required }]) => required && !Object.hasOwn(parameters, name));
  if (missing !== undefined) throw refuse(400, `The stored procedure ${procedure} needs the parameter ${missing[0]}.`);
  const rows = await listRows(context, entity);
  return rows.filter(grant.allows).map((row) => reachedFields(grant, row));
}
