import { Pulse } from './pulse.ts'

/** The request bodies that are on their way; whoever is late is found by looking at all of them now and then. */
export const openBodies: Pulse = new Pulse(25)
