import { StdioTransport } from '@tmcp/transport-stdio'
import { definition } from './definition.mjs'

new StdioTransport(definition()).listen()
