import type { Middleware } from 'specmill/mock';

const EVERYONE = ['anonymous'];
const KNOWN = ['anonymous', 'authenticated'];

/** A caller chooses one of its roles: those that the list of credentials gives it as scopes; without such, any. */
export const checkRole: Middleware = async (call, next) => {
  const parameter = call.operation?.parameters.find(
    ({ in: place, name }) => place === 'header' && /-api-role$/i.test(name),
  );
  const [role] = [call.request.headers[parameter?.name.toLowerCase() ?? '']].flat();
  const { kind, scopes } = call.caller;
  const roles = kind === 'anonymous' ? EVERYONE : [...KNOWN, ...scopes];
  const mayBeAny = kind !== 'anonymous' && scopes.length === 0;
  if (role === undefined || mayBeAny || roles.includes(role)) return next();
  return call.refuse(403, `The caller does not have the role ${role}.`);
};
