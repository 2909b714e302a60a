/**
 * Flags that keep Chromium to the proxy. Loopback goes through it like everything else, names are not resolved by
 * Chromium itself, and protocols over UDP, which no HTTP proxy carries, are off.
 */
export const guardFlags: readonly string[] = [
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--deny-permission-prompts',
]

/** Flags with which pages would get past the proxy, or others into the browser. */
const reserved = new Set([
  ...['--proxy-server', '--proxy-pac-url', '--proxy-auto-detect', '--proxy-bypass-list', '--no-proxy-server'],
  ...['--host-resolver-rules', '--host-rules', '--dns-over-https-templates'],
  ...['--remote-debugging-port', '--remote-debugging-pipe', '--remote-debugging-address', '--remote-allow-origins'],
  ...['--user-data-dir', '--headless', '--enable-quic', '--origin-to-force-quic-on'],
  ...['--force-webrtc-ip-handling-policy', '--webrtc-ip-handling-policy', '--no-sandbox', '--disable-setuid-sandbox'],
])

/** Checks flags of the operator. A wrong one throws a `TypeError` that names it. */
export function checkLaunchFlags(flags: readonly string[]): void {
  for (const flag of flags) {
    const [name = ''] = flag.split('=', 1)
    if (!/^--[a-z0-9][a-z0-9-]*$/.test(name)) {
      throw new TypeError(`expected a flag of Chromium such as --user-agent=Reader, got ${JSON.stringify(flag)}`)
    }
    if (reserved.has(name)) throw new TypeError(`${name} is set by this server and cannot be passed on to Chromium`)
  }
}
