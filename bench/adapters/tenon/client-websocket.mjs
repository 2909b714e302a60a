export { open } from './client-http.mjs'
