/** The ports of the APIs that come with specmill; others get those after the last one. */
export const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  signing: 4010,
  generation: 4011,
  dictionary: 4012,
  engine: 4013,
  tables: 4014,
  notifications: 4015,
};
export const FIRST_PORT = 4010;
export const FIRST_OTHER_PORT = 4016;
