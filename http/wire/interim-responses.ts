/** The most interim responses (1XX) to one request. */
export const MOST_INTERIM = 1_000;
export const TOO_MANY_INTERIM: string = `The server sent more than ${MOST_INTERIM} interim responses.`;
