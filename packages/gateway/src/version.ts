/** The version of the gateway, as its servers tell it. */
export const version = '0.1.0'
