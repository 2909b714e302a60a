import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js'
import { fromSdk } from '../../lib/from-sdk.mjs'
import { openWith } from './client.mjs'

// The transport requires the platform's WebSocket, which Node has from version 22 on.
globalThis.WebSocket ??= fromSdk('ws').WebSocket

export const open = ({ url }) => openWith(new WebSocketClientTransport(new URL(url)))
