/** Tells the time; handed in, so that it can be the database's. Money decisions ask the database itself. */
export type Clock = () => Date;

export const systemClock: Clock = () => new Date();
