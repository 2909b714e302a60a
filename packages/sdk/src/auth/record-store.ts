import type { MaybePromise } from '../internal/maybe-promise.ts'

/** A record as it was read. */
export interface StoredRecord {
  readonly text: string
  /** The name of this version: another one after every change, also if the record was away in between. */
  readonly version: string
}

/**
 * Keeps the records of an authorization server: texts of a few kinds, each until a time in ms since 1970. Several
 * processes may share a store, so each of these is one step.
 */
export interface RecordStore {
  /** Undefined if there is none. A record whose time is over may be found for another moment. */
  get(kind: string, id: string): MaybePromise<StoredRecord | undefined>
  /** Adds a record; false if there is one. */
  add(kind: string, id: string, text: string, until: number): MaybePromise<boolean>
  /** Puts a record in the place of a version; false if that is no longer there. */
  replace(kind: string, id: string, text: string, until: number, version: string): MaybePromise<boolean>
  /** Keeps a record, whatever was there. */
  set(kind: string, id: string, text: string, until: number): MaybePromise<void>
  /** Removes a record, or only one version of it; false if that is not there. */
  delete(kind: string, id: string, version?: string): MaybePromise<boolean>
}
