import type { Upstream } from '@tenon/bridge'
import { connect, isMcpError } from '@tenon/sdk/client'

/** Connects once, and throws if there is no server. One that asks for credentials is there. */
export async function probe({ target, connect: options = {} }: Upstream, timeoutMs = 10_000): Promise<void> {
  try {
    const client = await connect(target, { ...options, timeoutMs, signal: AbortSignal.timeout(timeoutMs) })
    await client.close()
  } catch (error) {
    if (!isMcpError(error) || error.code !== 'unauthorized') throw error
  }
}
