/** A statement or file that is not accepted, with a message for the caller. */
export class Refusal extends Error {}
