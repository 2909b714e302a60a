import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findJsonSchemaSuite, requires } from '../../../../scripts/requires.ts'
import type { JsonSchema } from '../model/tools.ts'
import type { DialectName } from './dialect.ts'
import { metaschemas } from './metaschemas.suite.ts'
import { compileSchema } from './validator.ts'

interface SuiteGroup {
  description: string
  schema: JsonSchema | boolean
  tests: { description: string; data: unknown; valid: boolean }[]
}

const suite = findJsonSchemaSuite()

const readJson = (path: string | URL): unknown => JSON.parse(readFileSync(path, 'utf8'))

function remoteDocuments(root: string): Map<string, JsonSchema | boolean> {
  const documents = new Map<string, JsonSchema | boolean>(metaschemas)
  for (const file of readdirSync(join(root, 'remotes'), { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.json'))
      documents.set(`http://localhost:1234/${file}`, readJson(join(root, 'remotes', file)) as JsonSchema)
  }
  return documents
}

function requiredGroups(folder: string): { file: string; group: SuiteGroup }[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'))
  return files.flatMap((file) => (readJson(join(folder, file)) as SuiteGroup[]).map((group) => ({ file, group })))
}

for (const [dialect, folder] of [
  ['2020-12', 'draft2020-12'],
  ['draft-07', 'draft7'],
] as [DialectName, string][]) {
  describe(`the official JSON Schema test suite, required tests of ${dialect}`, requires('json-schema-suite'), () => {
    if (suite === undefined) {
      test('all of them', () => {})
      return
    }
    const documents = remoteDocuments(suite)
    for (const { file, group } of requiredGroups(join(suite, 'tests', folder))) {
      test(`${file}: ${group.description} (${group.tests.length})`, () => {
        const schema = compileSchema(group.schema, { defaultDialect: dialect, documents })
        for (const { description, data, valid } of group.tests) {
          expect(schema.isValid(data), description).toBe(valid)
          expect(schema.validate(data).length === 0, description).toBe(valid)
        }
      })
    }
  })
}
