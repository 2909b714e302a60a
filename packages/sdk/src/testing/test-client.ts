import { assertScopes } from '../auth/scope-names.ts'
import type { Client } from '../client/client.ts'
import { connect } from '../client/connect.ts'
import type { ServerTarget } from '../client/connecting/target.ts'
import type { ConnectOptions } from '../client/options.ts'
import type { ToolsOf } from '../client/tool-types.ts'
import { ErrorCode, McpError, RpcError } from '../errors.ts'
import type { AuthInfo } from '../jsonrpc/auth-info.ts'
import { describe } from '../jsonrpc/classify.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { ElicitResult } from '../model/elicitation.ts'
import type { Revision } from '../model/revision.ts'
import type { KnowsTools } from '../server/server.ts'
import { memoryPair } from '../transport/memory.ts'
import { record, Transcript } from './transcript.ts'

export interface TestClientOptions extends Omit<ConnectOptions, 'capabilities'> {
  /** The only revision to use. Default: the newest of the server. */
  revision?: Revision
  /**
   * The capabilities to declare. One without a callback gets a default that refuses: forms and URLs are declined,
   * sampling is rejected, and there are no roots.
   */
  capabilities?: ClientCapabilities
  /**
   * The caller, as authentication over HTTP would describe it: for `visible`, `scopes`, `context` and `ctx.auth`. Default: the
   * process that embeds the server, which needs no scopes.
   */
  as?: AuthInfo
}

/** A client that records all messages. */
export type TestClient<Tools = unknown> = Client & KnowsTools<Tools> & { readonly transcript: Transcript }

/**
 * Connects a client to a server, in memory: no port, no process, nothing to clean up but the client.
 *
 * @example
 * await using client = await testClient(server, { revision: '2025-06-18' })
 * expect(await client.callTool('add', { a: 1, b: 2 })).toHaveText('3')
 */
export async function testClient<const T extends ServerTarget>(
  server: T,
  options: TestClientOptions = {},
): Promise<TestClient<ToolsOf<T>>> {
  const { revision, capabilities = {}, as: auth, ...rest } = options
  if (auth !== undefined) checkCaller(auth)
  const transcript = new Transcript()
  const open = () => {
    const [near, far] = memoryPair()
    server.connect(far, { transport: 'memory', ...(auth && { auth }) })
    return record(near, 'client', transcript)
  }
  const client = await connect(open, {
    ...refusing(capabilities),
    ...rest,
    ...(revision && { revisions: [revision] }),
  })
  return Object.assign(client, { transcript }) as TestClient<ToolsOf<T>>
}

/** A misspelled caller would be one without rights, and the test would pass for the wrong reason. */
function checkCaller({ principal, scopes }: AuthInfo): void {
  if (typeof principal !== 'string' || principal === '') {
    throw new McpError('invalid_argument', `testClient as.principal: expected a text, got ${describe(principal)}`)
  }
  if (scopes !== undefined) assertScopes(scopes, 'testClient as.scopes')
}

function refusing({ elicitation, sampling, roots, experimental, extensions }: ClientCapabilities): ConnectOptions {
  const decline = (): ElicitResult => ({ action: 'decline' })
  const reject = (): never => {
    throw new RpcError(ErrorCode.UserRejected, 'User rejected sampling request')
  }
  const forms = elicitation?.form !== undefined || elicitation?.url === undefined
  return {
    ...(elicitation && { elicit: { ...(forms && { form: decline }), ...(elicitation.url && { url: decline }) } }),
    ...(sampling && {
      sample: { handler: reject, tools: sampling.tools !== undefined, context: sampling.context !== undefined },
    }),
    ...(roots && { roots: [] }),
    capabilities: { ...(experimental && { experimental }), ...(extensions && { extensions }) },
  }
}
