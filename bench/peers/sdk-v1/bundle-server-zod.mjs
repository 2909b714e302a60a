import './cold-start-zod.mjs'
