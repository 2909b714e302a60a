import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { openWith } from './client.mjs'

export const open = ({ command, args }) => openWith(new StdioClientTransport({ command, args }))
