import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { openWith } from './client.mjs'

export const open = ({ command, args }) => openWith(new StdioClientTransport({ command, args }))
