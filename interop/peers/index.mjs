import { coldStarts } from './cold-start/peer.mjs'
import { fastmcp } from './fastmcp/peer.mjs'
import { goSdk } from './go/peer.mjs'
import { mcpLite } from './mcp-lite/peer.mjs'
import { mcpProxy, mcpProxy2026 } from './mcp-proxy/peer.mjs'
import { pythonFastmcp, pythonFastmcp1, pythonSdk, pythonSdkOldest } from './python/peer.mjs'
import { everything, everything2024 } from './reference-servers/everything.mjs'
import { filesystem, filesystem2024 } from './reference-servers/filesystem.mjs'
import { memory, memory2024 } from './reference-servers/memory.mjs'
import { rmcp } from './rust/peer.mjs'
import { sdkV1 } from './sdk-v1/peer.mjs'
import { sdkV2 } from './sdk-v2/peer.mjs'
import { tmcp } from './tmcp/peer.mjs'

/** The peers of Tenon: the official SDK from the oldest on, servers of its authors, other libraries, Python, Go, Rust, slow starts. */
export const peers = [
  ...sdkV1,
  sdkV2,
  everything2024,
  everything,
  filesystem2024,
  filesystem,
  memory2024,
  memory,
  fastmcp,
  tmcp,
  mcpLite,
  mcpProxy,
  mcpProxy2026,
  pythonSdkOldest,
  pythonSdk,
  pythonFastmcp1,
  pythonFastmcp,
  goSdk,
  rmcp,
  ...coldStarts,
]

/** Built programs of these run in CI too. Building them takes longer than that share should. */
const compiledPeers = [goSdk, rmcp]

/** One of every age, for the share that runs in CI. */
export const quickPeers = [
  'sdk-v0.5',
  'sdk-v1.17',
  'sdk-v2.4',
  'server-everything',
  'server-filesystem-2024',
  'tmcp',
  'mcp-proxy',
  ...compiledPeers.filter(({ isBuilt }) => isBuilt()).map(({ name }) => name),
]
