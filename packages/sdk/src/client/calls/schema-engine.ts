/** Loaded when there is a schema to check against. */
export { compileSchema } from '../../schema/validator.ts'
