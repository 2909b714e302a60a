/** The side of a connection that sends a message. */
export type Side = 'client' | 'server'
