import type { Client } from '../client/client.ts'
import { connect } from '../client/connect.ts'
import type { ServerTarget } from '../client/connecting/target.ts'
import type { ConnectOptions } from '../client/options.ts'
import { ErrorCode, RpcError } from '../errors.ts'
import type { ClientCapabilities } from '../model/capabilities.ts'
import type { ElicitResult } from '../model/elicitation.ts'
import type { Revision } from '../model/revision.ts'
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
}

/** A client that records all messages. */
export type TestClient = Client & { readonly transcript: Transcript }

/**
 * Connects a client to a server, in memory: no port, no process, nothing to clean up but the client.
 *
 * @example
 * await using client = await testClient(server, { revision: '2025-06-18' })
 * expect(await client.callTool('add', { a: 1, b: 2 })).toHaveText('3')
 */
export async function testClient(server: ServerTarget, options: TestClientOptions = {}): Promise<TestClient> {
  const { revision, capabilities = {}, ...rest } = options
  const transcript = new Transcript()
  const open = () => {
    const [near, far] = memoryPair()
    server.connect(far, { transport: 'memory' })
    return record(near, 'client', transcript)
  }
  const client = await connect(open, {
    ...refusing(capabilities),
    ...rest,
    ...(revision && { revisions: [revision] }),
  })
  return Object.assign(client, { transcript })
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
