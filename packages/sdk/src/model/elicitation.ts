import type { Meta } from './meta.ts'

interface Field {
  title?: string
  description?: string
}

export interface StringField extends Field {
  type: 'string'
  minLength?: number
  maxLength?: number
  format?: 'email' | 'uri' | 'date' | 'date-time'
  default?: string
}

export interface NumberField extends Field {
  type: 'number' | 'integer'
  minimum?: number
  maximum?: number
  default?: number
}

export interface BooleanField extends Field {
  type: 'boolean'
  default?: boolean
}

/** One of several strings; `enumNames` is the older way to title them. */
interface EnumField extends Field {
  type: 'string'
  enum: string[]
  enumNames?: string[]
  default?: string
}

/** One of several titled strings. */
interface TitledEnumField extends Field {
  type: 'string'
  oneOf: { const: string; title: string }[]
  default?: string
}

/** Some of several strings, titled or not. */
export interface MultiSelectField extends Field {
  type: 'array'
  items: { type: 'string'; enum: string[] } | { anyOf: { const: string; title: string }[] }
  minItems?: number
  maxItems?: number
  default?: string[]
}

export type ElicitationField = StringField | NumberField | BooleanField | EnumField | TitledEnumField | MultiSelectField

/** The flat form for the user to fill in. */
export interface ElicitationSchema {
  $schema?: string
  type: 'object'
  properties: { [name: string]: ElicitationField }
  required?: string[]
}

export interface ElicitFormParams {
  mode?: 'form'
  message: string
  requestedSchema: ElicitationSchema
  _meta?: Meta
}

export interface ElicitUrlParams {
  mode: 'url'
  message: string
  url: string
  /** 2025-11-25 only. */
  elicitationId?: string
  _meta?: Meta
}

export type ElicitParams = ElicitFormParams | ElicitUrlParams

export type ElicitValue = string | number | boolean | string[]

export interface ElicitResult {
  action: 'accept' | 'decline' | 'cancel'
  /** With `accept` in form mode. A member that is undefined is not sent. */
  content?: { [name: string]: ElicitValue | undefined }
  _meta?: Meta
}
