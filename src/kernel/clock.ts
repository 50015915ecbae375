/** The process's clock, handed in so that tests can move it. Money decisions use the database's clock. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
