/** Files of users and servers are replaced by one function, which no kill or power failure leaves half done. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const packages = fileURLToPath(new URL('../../', import.meta.url))

/** Every function of `node:fs` that changes the target of a name, or the content of a file. */
const writes =
  /\b(?:writeFile|appendFile|rename|copyFile|truncate|ftruncate|link|symlink|cp|createWriteStream)(?:Sync)?\s*\(|\bopen(?:Sync)?\(\s*[^)]*['"](?:w|a|r\+)/g

/** Other files that write, how often, and why they do not use `replaceFile`. */
const others: { [file: string]: [count: number, reason: string] } = {
  'cli/src/commands/use/doctor.ts': [1, 'a report, made again with the next run'],
  'cli/src/commands/check/eval.ts': [1, 'a report, made again with the next run'],
  'cli/src/commands/check/lint.ts': [1, 'a report, made again with the next run'],
  'cli/src/commands/check/test.ts': [1, 'a report, made again with the next run'],
  'cli/src/generate/generated-file.ts': [1, 'generated source, made again by the same command'],
  'cli/src/keep/socket-address.ts': [1, 'the name of a pipe, which means nothing after its process'],
  'cli/src/new/folder.ts': [1, 'new files only, flag wx'],
  'cli/src/repl/history.ts': [1, 'a line is appended'],
  'cli/src/replay/session-calls.ts': [1, 'new files only, flag wx'],
  'cli/src/show/media.ts': [1, 'new files only, flag wx'],
  'gateway/src/vault/key-file.ts': [1, 'a new file only, flag wx, before anything is sealed'],
  'host/src/audit/audit-file.ts': [1, 'a log grows line by line, and is readable up to a cut'],
  'host/src/chat/transcript/transcript-file.ts': [4, 'a transcript grows line by line, and is readable up to a cut'],
  'inspector/src/kept/kept-file.ts': [1, 'a broken list is given another name, for its owner to look at'],
  'replay/src/session/file.ts': [2, 'a recording grows line by line, and is readable up to a cut'],
  'sdk/src/auth/client/stores/file-lock.ts': [5, 'a lock, which means nothing after its process'],
  'sdk/src/files/durable.ts': [2, 'what replaceFile is made of'],
  'sdk/src/files/replace-file.ts': [1, 'replaceFile'],
  'sdk/src/socket/unix-file.ts': [2, 'a socket, which means nothing after its process'],
  'sdk/src/task-files/task-folders.ts': [2, 'a folder gets its name when the record in it is on the disk'],
  'sdk/src/task-files/set-aside.ts': [1, 'a record that cannot be read is moved away'],
  'sdk/src/task-files/task-record-file.ts': [
    2,
    'a version is linked when it is on the disk; its predecessor is emptied then',
  ],
}

/** Modules that use files at all, so that a method called `rename` elsewhere does not count. */
const usesFiles = /node:fs|builtin\('node:fs/

function found(): { [file: string]: number } {
  const counts: { [file: string]: number } = {}
  for (const name of readdirSync(packages)) {
    const folder = join(packages, name, 'src')
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || /\.(test|suite)\.ts$|fixtures/.test(file)) continue
      const text = readFileSync(join(folder, file), 'utf8').replace(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
      const count = usesFiles.test(text) ? (text.match(writes)?.length ?? 0) : 0
      if (count > 0) counts[`${name}/src/${file.replaceAll('\\', '/')}`] = count
    }
  }
  return counts
}

test('whatever else writes to files is named here with its reason', () => {
  const expected = Object.fromEntries(Object.entries(others).map(([file, [count]]) => [file, count]))
  expect(found()).toEqual(expected)
})
