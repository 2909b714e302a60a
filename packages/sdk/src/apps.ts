export { type AppResourceOptions, type AppToolOptions, appResource, appTool, supportsApps } from './apps/define.ts'
export {
  type AppCsp,
  type AppMeta,
  type AppPermissions,
  type AppVisibility,
  appMimeType,
  appsExtension,
} from './apps/vocabulary.ts'
