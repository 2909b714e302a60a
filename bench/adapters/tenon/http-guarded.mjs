export { start } from './http-server.mjs'
