import { serveStdio } from '@tenon/sdk/stdio'
import { server } from './calculator.js'

// Without top-level await, which bundles of CommonJS cannot have.
void serveStdio(server)
