/** The host and the port that a URL names, with the port that its scheme implies. */
export const urlAddress = ({ hostname, port, protocol }: URL): { address: string; port: number } => ({
  address: hostname,
  port: port === '' ? (/^(?:https|wss):$/.test(protocol) ? 443 : 80) : Number(port),
})
