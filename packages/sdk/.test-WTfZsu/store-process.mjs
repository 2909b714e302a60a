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
function builtin(name2) {
  return globalThis.process?.getBuiltinModule?.(name2)
}

// packages/sdk/src/jsonrpc/classify.ts
var isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)

// packages/sdk/src/auth/client/file-lock.ts
function fileLock(directory, { staleMs = 3e4 } = {}) {
  return {
    hold: async (key, work, signal) => {
      const file2 = await fileFor(directory, key)
      const release = await acquire(file2, staleMs, signal)
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
  const name2 = builtin('node:crypto').createHash('sha256').update(key).digest('hex').slice(0, 32)
  return builtin('node:path').join(directory, `${name2}.lock`)
}
async function acquire(file2, staleMs, signal) {
  const { writeFile, utimes } = files()
  const mine = `${process.pid} ${builtin('node:os').hostname()} ${crypto.randomUUID()}`
  for (let pauseMs = 10; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    if (signal?.aborted) throw new McpError('cancelled', 'Nobody waits for the lock any more')
    try {
      await writeFile(file2, mine, { flag: 'wx', mode: 384 })
      break
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error
    }
    if (!(await breakStale(file2, staleMs))) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  const beat = setInterval(
    () => utimes(file2, /* @__PURE__ */ new Date(), /* @__PURE__ */ new Date()).catch(() => {}),
    staleMs / 3,
  )
  beat.unref()
  return async () => {
    clearInterval(beat)
    if ((await contentOf(file2)) === mine) await files().rm(file2, { force: true })
  }
}
async function breakStale(file2, staleMs) {
  const { rename, link, rm } = files()
  const holder = await contentOf(file2)
  if (holder === void 0 || !(await isStale(file2, holder, staleMs))) return false
  const aside = `${file2}.${crypto.randomUUID()}`
  try {
    await rename(file2, aside)
  } catch {
    return false
  }
  const isCorpse = (await contentOf(aside)) === holder
  if (!isCorpse) await link(aside, file2).catch(() => {})
  await rm(aside, { force: true })
  return isCorpse
}
async function isStale(file2, holder, staleMs) {
  const { mtimeMs } = await files()
    .stat(file2)
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
var contentOf = (file2) =>
  files()
    .readFile(file2, 'utf8')
    .catch(() => void 0)
var codeOf = (error) => error.code

// packages/sdk/src/auth/client/file-store.ts
function fileStore(file2) {
  const path = builtin('node:path')
  const fs = builtin('node:fs/promises')
  if (path === void 0 || fs === void 0) throw new McpError('unsupported', 'There are no files here')
  const directory = path.dirname(path.resolve(file2))
  const lock = fileLock(directory)
  let last = Promise.resolve()
  const read = async () => {
    let text
    try {
      text = await fs.readFile(file2, 'utf8')
    } catch (error) {
      if (error.code === 'ENOENT') return /* @__PURE__ */ new Map()
      throw error
    }
    return parse(text, file2)
  }
  const write = async (values) => {
    const draft = `${file2}.${process.pid}.${crypto.randomUUID()}`
    try {
      await fs.writeFile(draft, JSON.stringify(Object.fromEntries(values), null, 2), { mode: 384, flag: 'wx' })
      await fs.rename(draft, file2)
    } catch (error) {
      await fs.rm(draft, { force: true })
      throw error
    }
  }
  const change = (edit) => {
    const work = () =>
      lock.hold(`store ${path.resolve(file2)}`, async () => {
        const values = await read()
        edit(values)
        await write(values)
      })
    const done = last.then(work, work)
    last = done.catch(() => {})
    return done
  }
  return {
    get: async (key) => (await read()).get(key),
    set: (key, value) => change((values) => void values.set(key, value)),
    delete: (key) => change((values) => void values.delete(key)),
  }
}
function parse(text, file2) {
  try {
    const value = JSON.parse(text)
    if (isObject(value)) return new Map(Object.entries(value).filter((entry) => typeof entry[1] === 'string'))
  } catch {}
  throw new McpError('invalid_argument', `${file2} is not a file of tokens`)
}

// packages/sdk/src/auth/client/fixtures/store-process.ts
var [file, name, count] = process.argv.slice(2)
var store = fileStore(file)
for (let index = 0; index < Number(count); index += 1) await store.set(`${name} ${index}`, 'x'.repeat(500))
