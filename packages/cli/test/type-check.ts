/** Type-checks sources as a user's project would: with the declarations of the built library. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** As strict as it gets, and as people begin. */
export const strictest: string[] =
  '--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --noImplicitOverride --noPropertyAccessFromIndexSignature --noUnusedLocals --noUnusedParameters --verbatimModuleSyntax --erasableSyntaxOnly --isolatedDeclarations --declaration'.split(
    ' ',
  )
export const usual: string[] = ['--strict']

/** A folder from which the library can be imported; gone after the test. */
export function projectFolder(): string {
  // Outside of the published files: another test packs the package meanwhile.
  const folder = mkdtempSync(join(root, 'packages/cli/.test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The errors of the compiler for the files of a folder. */
export async function typeCheck(
  folder: string,
  sources: { [file: string]: string },
  flags: readonly string[] = strictest,
): Promise<string> {
  const files = Object.entries(sources).map(([name, source]) => {
    writeFileSync(join(folder, name), source)
    return join(folder, name)
  })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const always = '--noEmit --skipLibCheck --module nodenext --target es2023 --types node --pretty false'.split(' ')
  return await new Promise((resolve) => {
    execFile(process.execPath, [tsc, ...always, ...flags, ...files], { maxBuffer: 1e8 }, (_error, stdout, stderr) =>
      resolve((stdout + stderr).replaceAll(folder, '')),
    )
  })
}
