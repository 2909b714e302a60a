export {
  type AskedParams,
  type AskedResult,
  type Extension,
  type ExtensionHandlers,
  type ExtensionOptions,
  type ExtensionSettings,
  extension,
  type HandledParams,
  type HandledResult,
  type MethodSchemas,
  type Methods,
  type UsedExtension,
} from './extension/extension.ts'
export type { ServedExtension } from './server/served-extension.ts'
