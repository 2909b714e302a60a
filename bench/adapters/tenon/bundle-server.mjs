export * from './cold-start.mjs'
