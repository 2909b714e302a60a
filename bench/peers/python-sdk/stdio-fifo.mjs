export { program } from './stdio-server.mjs'
