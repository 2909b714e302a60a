export * from './cold-start-zod.mjs'
