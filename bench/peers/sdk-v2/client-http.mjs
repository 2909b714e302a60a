import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { openWith } from './client.mjs'

export const open = ({ url }) => openWith(new StreamableHTTPClientTransport(new URL(url)))
