// packages/sdk/src/errors.ts
var McpError = class extends Error {
  code
  constructor(code, message, options) {
    super(message, options)
    this.name = 'McpError'
    this.code = code
  }
}

// packages/sdk/src/auth/builtin.ts
function builtin(name) {
  return globalThis.process?.getBuiltinModule?.(name)
}

// packages/sdk/src/auth/client/file-lock.ts
function fileLock(directory, { staleMs = 3e4 } = {}) {
  return {
    hold: async (key, work, signal) => {
      const file = await fileFor(directory, key)
      const release = await acquire(file, staleMs, signal)
      try {
        return await work()
      } finally {
        await release()
      }
    },
  }
}
function files() {
  const found = builtin('node:fs/promises')
  if (found === void 0) throw new McpError('unsupported', 'There are no files here')
  return found
}
async function fileFor(directory, key) {
  await files().mkdir(directory, { recursive: true, mode: 448 })
  const name = builtin('node:crypto').createHash('sha256').update(key).digest('hex').slice(0, 32)
  return builtin('node:path').join(directory, `${name}.lock`)
}
async function acquire(file, staleMs, signal) {
  const { writeFile, utimes } = files()
  const mine = `${process.pid} ${builtin('node:os').hostname()} ${crypto.randomUUID()}`
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    if (signal?.aborted) throw new McpError('cancelled', 'Nobody waits for the lock any more')
    try {
      await writeFile(file, mine, { flag: 'wx', mode: 384 })
      break
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    if (!(await breakStale(file, staleMs))) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  const beat = setInterval(
    () => utimes(file, /* @__PURE__ */ new Date(), /* @__PURE__ */ new Date()).catch(() => {}),
    staleMs / 3,
  )
  beat.unref()
  return async () => {
    clearInterval(beat)
    if ((await contentOf(file)) === mine) await files().rm(file, { force: true })
  }
}
async function breakStale(file, staleMs) {
  const { rename, link, rm } = files()
  const holder = await contentOf(file)
  if (holder === void 0 || !(await isStale(file, holder, staleMs))) return false
  const aside = `${file}.${crypto.randomUUID()}`
  try {
    await rename(file, aside)
  } catch {
    return false
  }
  const isCorpse = (await contentOf(aside)) === holder
  if (!isCorpse) await link(aside, file).catch(() => {})
  await rm(aside, { force: true })
  return isCorpse
}
async function isStale(file, holder, staleMs) {
  const { mtimeMs } = await files()
    .stat(file)
    .catch(() => ({ mtimeMs: Date.now() }))
  if (Date.now() - mtimeMs > staleMs) return true
  const [pid, host] = holder.split(' ')
  return host === builtin('node:os').hostname() && isDead(Number(pid))
}
function isDead(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}
var contentOf = (file) =>
  files()
    .readFile(file, 'utf8')
    .catch(() => void 0)
var codeOf = (error) => error.code

// packages/sdk/src/auth/client/fixtures/lock-process.ts
var [folder] = process.argv.slice(2)
await fileLock(folder).hold('key', async () => {
  console.log('held')
  await new Promise((resolve) => setTimeout(resolve, 6e4))
})
