import { type Finding, failed, ok, warned } from '@tenon/host/diagnosis'
import { connect } from '@tenon/sdk/client'
import { toProblem } from '../problem.ts'
import type { UrlSpec } from '../protocol.ts'
import { connectOptionsOf } from '../servers/connect-options.ts'

/** Connects as the workbench would, without asking a person, and names the negotiated revision. */
export async function lookAtRevision(spec: UrlSpec): Promise<Finding> {
  const timeoutMs = 10_000
  try {
    await using client = await connect(spec.url, { ...connectOptionsOf(spec), timeoutMs, maxTotalMs: timeoutMs })
    const { revision, info } = client.server
    return ok(`${info?.name ?? 'The server'} speaks ${revision}`)
  } catch (error) {
    const { kind, code, message } = toProblem(error)
    if (kind === 'unauthorized') return warned(message, 'It can be asked once you have signed in.')
    if (code === 'negotiation') return failed(message, 'Choose another revision, or let the newest common one be used.')
    return failed(message, 'The server answers, but not as an MCP server does. Is the path right?')
  }
}
