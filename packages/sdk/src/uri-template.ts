export type {
  TemplateMatch,
  TemplateScalar,
  TemplateValue,
  TemplateValues,
  UriTemplate,
} from './uri-template/uri-template.ts'
export { parseUriTemplate } from './uri-template/uri-template.ts'
