import { McpError } from '@tenon/sdk/client'

/** A gateway that other machines reach has to know its callers. */
export class OpenDoorError extends McpError {
  readonly host: string

  constructor(host: string) {
    super('invalid_argument', `${host}: other machines could use the gateway, and nobody has to prove who they are`)
    this.host = host
  }
}

/** A name that begins like an address of this machine may lead to another one. */
const isThisMachine = (host: string): boolean => /^(?:localhost|::1|127(?:\.\d{1,3}){3})$/i.test(host)

/** Refuses to serve everybody on an address that other machines reach. */
export function refuseOpenDoor(host: string, { auth }: { readonly auth?: unknown }): void {
  if (auth === undefined && !isThisMachine(host)) throw new OpenDoorError(host)
}
