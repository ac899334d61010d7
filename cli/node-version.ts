/** The oldest supported version of Node, as in `engines` in package.json. */
export const OLDEST_NODE = '20.19';

/** Whether a version of Node, such as `18.20.4`, is too old. */
export function isNodeTooOld(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
