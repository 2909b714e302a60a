import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { openWith } from './client.mjs'

export const open = ({ url }) => openWith(new StreamableHTTPClientTransport(new URL(url)))
