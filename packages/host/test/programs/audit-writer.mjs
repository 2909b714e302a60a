// Notes events as fast as it can, and prints how many; made to be killed.
import { createHost, policy } from '@tenon/host'
import { createServer, tool } from '@tenon/sdk/server'

const server = createServer({ name: 's', version: '1.0.0', tools: [tool({ name: 'go', run: () => 'gone' })] })
const host = await createHost({ servers: { server }, consent: policy({ allow: ['server'] }), audit: process.argv[2] })
for (let count = 0; ; count += 2) {
  await host.callTool('server__go', { count })
  console.log(count)
}
