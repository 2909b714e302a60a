var __defProp = Object.defineProperty
var __getOwnPropNames = Object.getOwnPropertyNames
var __esm = (fn, res, err) =>
  function __init() {
    if (err) throw err[0]
    try {
      return (fn && (res = (0, fn[__getOwnPropNames(fn)[0]])((fn = 0))), res)
    } catch (e) {
      throw ((err = [e]), e)
    }
  }
var __export = (target, all2) => {
  for (var name in all2) __defProp(target, name, { get: all2[name], enumerable: true })
}

// packages/sdk/src/errors.ts
var ErrorCode, RpcError, McpError, isNamed, isRpcError, isMcpError
var init_errors = __esm({
  'packages/sdk/src/errors.ts'() {
    ErrorCode = {
      ParseError: -32700,
      InvalidRequest: -32600,
      MethodNotFound: -32601,
      InvalidParams: -32602,
      InternalError: -32603,
      /** A resource does not exist, up to 2025-11-25; later revisions say `InvalidParams`. */
      ResourceNotFound: -32002,
      /** 2025-11-25 only: the call needs a URL elicitation first. */
      UrlElicitationRequired: -32042,
      /** The user said no to sampling. */
      UserRejected: -1,
      /** From 2026-07-28: header and body disagree. */
      HeaderMismatch: -32020,
      /** From 2026-07-28: the request did not declare a client capability that answering it needs. */
      MissingRequiredClientCapability: -32021,
      /** From 2026-07-28: the request names a protocol version that the server does not speak. */
      UnsupportedProtocolVersion: -32022,
      /** What was asked for needs scopes that the caller was not granted; over HTTP the status is 403 as well. */
      InsufficientScope: 403,
    }
    RpcError = class extends Error {
      code
      data
      /** True if the peer sent this error; false if it was raised here to be sent. */
      remote
      constructor(code, message, data2, options) {
        super(message, options)
        this.name = 'RpcError'
        this.code = code
        this.data = data2
        this.remote = options?.remote ?? false
      }
      /** The error as it travels. */
      toWire() {
        return this.data === void 0
          ? { code: this.code, message: this.message }
          : { code: this.code, message: this.message, data: this.data }
      }
    }
    McpError = class extends Error {
      code
      constructor(code, message, options) {
        super(message, options)
        this.name = 'McpError'
        this.code = code
      }
    }
    isNamed = (value, name) => value instanceof Error && value.name === name
    isRpcError = (value) => isNamed(value, 'RpcError')
    isMcpError = (value) => isNamed(value, 'McpError')
  },
})

// packages/sdk/src/http-client/http-error.ts
function excerpt(body, contentType) {
  const text2 = contentType?.includes('html') ? withoutMarkup(body) : body
  const line = text2.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return line.length > excerptLength ? `${line.slice(0, excerptLength)}\u2026` : line
}
function refusedError(what, head, body, session) {
  const contentType = head.header('content-type')
  const text2 = excerpt(body, contentType)
  const said = text2 === '' ? '' : `: ${text2}`
  const { status } = head
  if (status === 401 || status === 403) {
    const challenge = head.header('www-authenticate')
    const wanted2 = challenge === void 0 ? '' : ` (it asks for ${challenge})`
    return new HttpError('unauthorized', `${what} was refused with HTTP ${status}${wanted2}${said}`, head, text2)
  }
  if (session && isSessionRefusal(status, text2)) {
    return new HttpError(
      'session_expired',
      `The server no longer knows the session: HTTP ${status}${said}`,
      head,
      text2,
    )
  }
  return new HttpError('http', `${what} was answered with HTTP ${status}${said}`, head, text2)
}
var HttpError, isHttpError, excerptLength, withoutMarkup, isSessionRefusal
var init_http_error = __esm({
  'packages/sdk/src/http-client/http-error.ts'() {
    init_errors()
    HttpError = class extends McpError {
      status
      contentType
      /** The beginning of what the server wrote, as plain text. */
      body
      /** The header `WWW-Authenticate`: what the server wants to see. */
      challenge
      constructor(code, message, head, body = '', options) {
        super(code, message, options)
        this.status = head.status
        this.contentType = head.header('content-type')
        this.challenge = head.header('www-authenticate')
        this.body = body
      }
    }
    isHttpError = (value) => isMcpError(value) && typeof value.status === 'number'
    excerptLength = 200
    withoutMarkup = (html) =>
      html
        .slice(0, 16384)
        .replace(/<(script|style)\b[^<]*(?:<(?!\/\1)[^<]*)*<\/\1[^>]*>/gi, ' ')
        .replace(/<[^<>]*>/g, ' ')
    isSessionRefusal = (status, text2) =>
      status === 404 ||
      (status === 400 && /\bsession\b/i.test(text2) && /\b(no valid|invalid|unknown|expired|not found)\b/i.test(text2))
  },
})

// packages/sdk/src/jsonrpc/classify.ts
function classify(value) {
  if (Array.isArray(value)) return 'batch'
  if (!isObject(value) || value.jsonrpc !== '2.0') return 'invalid'
  return value.method === void 0 ? classifyResponse(value) : classifyCall(value)
}
function classifyCall(value) {
  if (typeof value.method !== 'string') return 'invalid'
  if (value.params !== void 0 && value.params !== null && !isObject(value.params)) return 'invalid'
  if (value.id === void 0) return 'notification'
  return isRequestId(value.id) ? 'request' : 'invalid'
}
function classifyResponse(value) {
  if (isGiven(value.error)) {
    if (isGiven(value.result) || !isWireError(value.error)) return 'invalid'
    return value.id === void 0 || value.id === null || isRequestId(value.id) ? 'error' : 'invalid'
  }
  return isObject(value.result) && isRequestId(value.id) ? 'result' : 'invalid'
}
function explainInvalid(value) {
  const why = isObject(value) ? reason(value) : `expected a JSON-RPC message object, got ${describe(value)}`
  return {
    code: ErrorCode.InvalidRequest,
    message: `Invalid request: ${why}`,
    meant: meaning(value),
    ...(isObject(value) && isRequestId(value.id) && { id: value.id }),
  }
}
function meaning(value) {
  if (!isObject(value) || value.jsonrpc !== '2.0') return 'foreign'
  if (value.method === void 0) return isResponse(value) ? 'response' : 'request'
  return value.id === void 0 && typeof value.method === 'string' ? 'notification' : 'request'
}
function reason(value) {
  if (value.jsonrpc !== '2.0') return `jsonrpc: expected "2.0", got ${describe(value.jsonrpc)}`
  if (isResponse(value)) {
    if (isGiven(value.result) && isGiven(value.error)) return 'a response has either result or error, not both'
    if (isGiven(value.error) && !isWireError(value.error)) return 'error: expected an integer code and a message'
    if (!isGiven(value.error) && !isObject(value.result)) {
      return `result: expected an object, got ${describe(value.result)}`
    }
    return `id: expected a string or an integer, got ${describe(value.id)}`
  }
  if (typeof value.method !== 'string') return `method: expected a string, got ${describe(value.method)}`
  if (value.params !== void 0 && value.params !== null && !isObject(value.params)) {
    return `params: expected an object, got ${describe(value.params)}`
  }
  return `id: expected a string or an integer, got ${describe(value.id)}`
}
function describeNumber(value) {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return `a number beyond ${Number.MAX_SAFE_INTEGER}`
  return Number.isInteger(value) ? 'an integer' : 'a fractional number'
}
function describe(value) {
  if (value === void 0) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'number') return describeNumber(value)
  return `a ${typeof value}`
}
var isObject, isRequestId, isGiven, isWireError, isResponse
var init_classify = __esm({
  'packages/sdk/src/jsonrpc/classify.ts'() {
    init_errors()
    isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
    isRequestId = (value) => typeof value === 'string' || Number.isSafeInteger(value)
    isGiven = (member2) => member2 !== void 0 && member2 !== null
    isWireError = (value) => isObject(value) && Number.isInteger(value.code) && typeof value.message === 'string'
    isResponse = (value) => value.method === void 0 && (value.result !== void 0 || value.error !== void 0)
  },
})

// packages/sdk/src/jsonrpc/limits.ts
function exceedsDepth(text2, maxDepth2) {
  if (text2.length < 2 * (maxDepth2 + 1) || hasFewBrackets(text2, maxDepth2)) return false
  let depth = 0
  for (let i = 0; i < text2.length; i++) {
    const code = text2.charCodeAt(i)
    if (code === quote) {
      i = endOfString(text2, i)
      if (i < 0) return false
    } else if (code === 123 || code === 91) {
      if (++depth > maxDepth2) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}
function hasFewBrackets(text2, most) {
  let count = 0
  for (let i = text2.indexOf('{'); i >= 0; i = text2.indexOf('{', i + 1)) if (++count > most) return false
  for (let i = text2.indexOf('['); i >= 0; i = text2.indexOf('[', i + 1)) if (++count > most) return false
  return true
}
function endOfString(text2, start3) {
  for (let end = text2.indexOf('"', start3 + 1); end >= 0; end = text2.indexOf('"', end + 1)) {
    let before3 = end - 1
    while (text2.charCodeAt(before3) === backslash) before3--
    if ((end - before3) % 2 === 1) return end
  }
  return -1
}
var defaultMaxDepth, quote, backslash
var init_limits = __esm({
  'packages/sdk/src/jsonrpc/limits.ts'() {
    defaultMaxDepth = 64
    quote = 34
    backslash = 92
  },
})

// packages/sdk/src/base64.ts
function bytesToBase64(bytes) {
  const native = bytes
  if (native.toBase64 !== void 0) return native.toBase64()
  let binary = ''
  for (let start3 = 0; start3 < bytes.length; start3 += chunkSize) {
    binary += String.fromCharCode(...bytes.subarray(start3, start3 + chunkSize))
  }
  return btoa(binary)
}
var chunkSize, Buffer2
var init_base64 = __esm({
  'packages/sdk/src/base64.ts'() {
    chunkSize = 32768
    ;({ Buffer: Buffer2 } = globalThis)
  },
})

// packages/sdk/src/http-client/fetch-engine.ts
function fetchEngine(fetchFunction = globalThis.fetch) {
  return {
    send(request2, reader) {
      const exchange = new FetchExchange(reader)
      exchange.run(fetchFunction, request2)
      return exchange
    },
    close: () => {},
  }
}
function unreachable({ origin }, error) {
  if (error instanceof McpError) return error
  const { message = String(error), cause } = error
  const why = cause instanceof Error ? `${message}: ${cause.message}` : message
  return new McpError('closed', `The connection to ${origin} failed: ${why}`, { cause: error })
}
var FetchExchange, headOf, hiddenRedirect
var init_fetch_engine = __esm({
  'packages/sdk/src/http-client/fetch-engine.ts'() {
    init_errors()
    FetchExchange = class {
      #reader
      #controller = new AbortController()
      #over = false
      constructor(reader) {
        this.#reader = reader
      }
      abort() {
        this.#over = true
        this.#controller.abort()
      }
      async run(fetchFunction, request2) {
        try {
          const response = await fetchFunction(request2.url.href, this.#init(request2))
          if (this.#over) return
          if (response.type === 'opaqueredirect') throw hiddenRedirect(request2.url)
          this.#reader.head(headOf(response))
          await this.#read(response)
        } catch (error) {
          this.#fail(unreachable(request2.url, error))
        }
      }
      #init({ method, headers, body }) {
        const { signal } = this.#controller
        return { method, headers, signal, redirect: 'manual', ...(body === void 0 ? {} : { body }) }
      }
      async #read(response) {
        const body = response.body?.getReader()
        while (body !== void 0) {
          if (this.#over) return
          const { done, value } = await body.read()
          if (done) break
          if (!this.#over) this.#reader.chunk(value)
        }
        if (this.#over) return
        this.#over = true
        this.#reader.end()
      }
      #fail(error) {
        if (this.#over) return
        this.#over = true
        this.#reader.broken(error)
      }
    }
    headOf = ({ status, headers }) => ({
      status,
      decoded: true,
      header: (name) => headers.get(name) ?? void 0,
    })
    hiddenRedirect = ({ href }) =>
      new McpError('http', `${href} redirects, and browsers do not tell where to: connect to the final URL`)
  },
})

// packages/sdk/src/version.ts
var version
var init_version = __esm({
  'packages/sdk/src/version.ts'() {
    version = '0.1.0'
  },
})

// packages/sdk/src/http-client/node-engine.ts
function builtin2(id) {
  const { process: process2, Bun, Deno } = globalThis
  if (Bun !== void 0 || Deno !== void 0) return void 0
  return process2?.versions?.node === void 0 ? void 0 : process2.getBuiltinModule?.(id)
}
function nodeEngine(secure, options) {
  const http = builtin2(secure ? 'node:https' : 'node:http')
  if (http === void 0) return void 0
  const own2 = options.agent === void 0 ? new http.Agent({ keepAlive: true, timeout: idleMs }) : void 0
  const agent = own2 ?? options.agent
  return {
    send(request2, reader) {
      const exchange = new NodeExchange(http, agent, request2, reader, options.connectTimeoutMs)
      exchange.run()
      return exchange
    },
    close: () => own2?.destroy(),
  }
}
function placeOf(url3) {
  const known2 = places.get(url3)
  if (known2 !== void 0) return known2
  const { protocol, hostname, port, pathname, search } = url3
  const place = { protocol, hostname: hostname.replace(/^\[|\]$/g, ''), port, path: pathname + search }
  places.set(url3, place)
  return place
}
function limitConnecting(sent, socket, limitMs) {
  if (!socket.connecting) return
  const timer2 = setTimeout(() => sent.destroy(new Error(`no connection within ${limitMs} ms`)), limitMs)
  const stop2 = () => clearTimeout(timer2)
  socket.once('connect', stop2)
  socket.once('close', stop2)
}
var idleMs, maxRepeats, NodeExchange, places
var init_node_engine = __esm({
  'packages/sdk/src/http-client/node-engine.ts'() {
    init_errors()
    init_version()
    idleMs = 4e3
    maxRepeats = 16
    NodeExchange = class {
      #http
      #agent
      #request
      #reader
      #connectTimeoutMs
      #sent
      #answered = false
      #over = false
      #repeats = 0
      constructor(http, agent, request2, reader, connectTimeoutMs) {
        this.#http = http
        this.#agent = agent
        this.#request = request2
        this.#reader = reader
        this.#connectTimeoutMs = connectTimeoutMs
      }
      abort() {
        this.#over = true
        this.#sent?.destroy()
      }
      run() {
        let sent
        try {
          sent = this.#http.request(this.#options())
        } catch (error) {
          queueMicrotask(() => this.#fail(error))
          return
        }
        this.#sent = sent
        sent.on('socket', (socket) => limitConnecting(sent, socket, this.#connectTimeoutMs))
        sent.on('response', (reply) => this.#read(reply))
        sent.on('error', (error) => this.#broken(error))
        sent.end(this.#request.body)
      }
      #options() {
        const { method, url: url3, headers, body } = this.#request
        return {
          agent: this.#agent,
          ...placeOf(url3),
          method,
          headers: {
            'User-Agent': `tenon/${version}`,
            ...headers,
            ...(body === void 0 ? {} : { 'Content-Length': Buffer.byteLength(body) }),
          },
        }
      }
      #read(reply) {
        if (this.#over) return
        this.#answered = true
        reply.on('data', (bytes) => {
          if (!this.#over) this.#reader.chunk(bytes)
        })
        reply.on('end', () => {
          if (this.#over) return
          this.#over = true
          this.#reader.end()
        })
        reply.on('error', (error) => this.#fail(error))
        reply.on('close', () => {
          if (!this.#over) this.#fail(new Error('the connection was closed before the end of the reply'))
        })
        this.#reader.head({
          status: reply.statusCode,
          header: (name) => {
            const value = reply.headers[name]
            return Array.isArray(value) ? value.join(', ') : value
          },
        })
      }
      #broken(error) {
        const stale = this.#sent?.reusedSocket === true && !this.#answered
        if (this.#over || !stale || this.#repeats >= maxRepeats || this.#request.repeatable !== true) {
          this.#fail(error)
          return
        }
        this.#repeats += 1
        this.run()
      }
      #fail(error) {
        if (this.#over) return
        this.#over = true
        const { origin } = this.#request.url
        const why = error.message || error.code || 'unknown'
        this.#reader.broken(
          error instanceof McpError
            ? error
            : new McpError('closed', `The connection to ${origin} failed: ${why}`, { cause: error }),
        )
      }
    }
    places = /* @__PURE__ */ new WeakMap()
  },
})

// packages/sdk/src/model/meta.ts
var metaKeys
var init_meta = __esm({
  'packages/sdk/src/model/meta.ts'() {
    metaKeys = {
      progressToken: 'progressToken',
      protocolVersion: 'io.modelcontextprotocol/protocolVersion',
      clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
      clientInfo: 'io.modelcontextprotocol/clientInfo',
      logLevel: 'io.modelcontextprotocol/logLevel',
      serverInfo: 'io.modelcontextprotocol/serverInfo',
      subscriptionId: 'io.modelcontextprotocol/subscriptionId',
      /** 2025-11-25 only: the task that a message belongs to. */
      relatedTask: 'io.modelcontextprotocol/related-task',
    }
  },
})

// packages/sdk/src/transport/is-answer.ts
var isAnswer
var init_is_answer = __esm({
  'packages/sdk/src/transport/is-answer.ts'() {
    isAnswer = (payload) => Array.isArray(payload) || !('method' in payload)
  },
})

// packages/sdk/src/schema/value.ts
function own(object2, name) {
  const value = object2[name]
  return value !== void 0 && Object.hasOwn(object2, name) ? value : void 0
}
function typeName(value) {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
function preview(value) {
  if (typeof value === 'object' && value !== null) return typeName(value)
  const text2 = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value)
  return text2.length > 50 ? `${text2.slice(0, 47)}...` : text2
}
function codePoints(text2) {
  let count = 0
  for (let index = 0; index < text2.length; index++, count++) {
    if (text2.codePointAt(index) > 65535) index++
  }
  return count
}
function isEqual(one, other, pay) {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other
  if (Array.isArray(one) || Array.isArray(other)) return areEqualLists(one, other, pay)
  const names = Object.keys(one)
  if (names.length !== Object.keys(other).length) return false
  pay(names.length)
  return names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name], pay))
}
function areEqualLists(one, other, pay) {
  if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false
  pay(one.length)
  return one.every((item, index) => isEqual(item, other[index], pay))
}
function canonical(value, pay, depth = 0) {
  if (depth > maxTextDepth) return void 0
  pay(typeof value === 'string' ? 1 + (value.length >> 4) : 1)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const parts = []
  const isList = Array.isArray(value)
  const members = isList ? value.entries() : Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [name, member2] of members) {
    const text2 = canonical(member2, pay, depth + 1)
    if (text2 === void 0) return void 0
    parts.push(isList ? text2 : `${JSON.stringify(name)}:${text2}`)
  }
  return isList ? `[${parts.join()}]` : `{${parts.join()}}`
}
var maxTextDepth
var init_value = __esm({
  'packages/sdk/src/schema/value.ts'() {
    init_classify()
    maxTextDepth = 500
  },
})

// packages/sdk/src/schema/dialect.ts
function dialectOf(uri) {
  const name = metaschemas.get(uri.endsWith('#') ? uri.slice(0, -1) : uri)
  return name && dialects2[name]
}
function dialectWith(vocabulary, base) {
  const vocabularies = /* @__PURE__ */ new Set()
  for (const [uri, required2] of Object.entries(vocabulary)) {
    const name = uri.startsWith(vocabularyPrefix) ? uri.slice(vocabularyPrefix.length) : uri
    if (knownVocabularies.has(name)) vocabularies.add(name)
    else if (required2 === true) return uri
  }
  return { ...base, vocabularies }
}
var dialects2, metaschemas, vocabularyPrefix, knownVocabularies, common, schemaKeywords
var init_dialect = __esm({
  'packages/sdk/src/schema/dialect.ts'() {
    dialects2 = {
      '2020-12': { name: '2020-12' },
      'draft-07': { name: 'draft-07' },
    }
    metaschemas = /* @__PURE__ */ new Map([
      ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
      ['http://json-schema.org/draft-07/schema', 'draft-07'],
      ['https://json-schema.org/draft-07/schema', 'draft-07'],
    ])
    vocabularyPrefix = 'https://json-schema.org/draft/2020-12/vocab/'
    knownVocabularies = /* @__PURE__ */ new Set([
      'core',
      'applicator',
      'unevaluated',
      'validation',
      'meta-data',
      'format-annotation',
      'content',
    ])
    common = [
      ['additionalProperties', 'schema'],
      ['contains', 'schema'],
      ['if', 'schema'],
      ['then', 'schema'],
      ['else', 'schema'],
      ['not', 'schema'],
      ['propertyNames', 'schema'],
      ['allOf', 'list'],
      ['anyOf', 'list'],
      ['oneOf', 'list'],
      ['$defs', 'map'],
      ['definitions', 'map'],
      ['patternProperties', 'map'],
      ['properties', 'map'],
    ]
    schemaKeywords = {
      '2020-12': new Map([
        ...common,
        ['items', 'schema'],
        ['unevaluatedItems', 'schema'],
        ['unevaluatedProperties', 'schema'],
        ['contentSchema', 'schema'],
        ['prefixItems', 'list'],
        ['dependentSchemas', 'map'],
        ['dependencies', 'map-or-names'],
      ]),
      'draft-07': new Map([
        ...common,
        ['items', 'schema-or-list'],
        ['additionalItems', 'schema'],
        ['dependencies', 'map-or-names'],
      ]),
    }
  },
})

// packages/sdk/src/schema/registry.ts
function refuse(pointer, reason2) {
  throw new McpError('invalid_definition', `invalid JSON Schema at ${pointer}: ${reason2}`)
}
function pointTo(pointer, name) {
  const token2 = String(name)
  return /[~/]/.test(token2)
    ? `${pointer}/${token2.replaceAll('~', '~0').replaceAll('/', '~1')}`
    : `${pointer}/${token2}`
}
function splitReference(reference3, pointer) {
  const hash = reference3.indexOf('#')
  if (hash < 0) return [reference3, '']
  try {
    return [reference3.slice(0, hash), decodeURIComponent(reference3.slice(hash + 1))]
  } catch {
    return refuse(pointer, `'${reference3}' is not a URI reference`)
  }
}
function resolveUri(reference3, base, pointer) {
  try {
    return new URL(reference3, base).href
  } catch {
    return refuse(pointer, `'${reference3}' is not a URI reference`)
  }
}
function addAnchor(anchors, name, location) {
  if (name === void 0 || name === '') return
  if (typeof name !== 'string') refuse(location.pointer, 'an anchor must be a string')
  if (anchors.has(name)) refuse(location.pointer, `two schemas have the anchor '${name}'`)
  anchors.set(name, location)
}
function schemasIn(value, holds, pointer) {
  if (holds === 'schema' || (holds === 'schema-or-list' && !Array.isArray(value))) return [[void 0, value]]
  if (holds === 'list' || holds === 'schema-or-list')
    return Array.isArray(value) ? [...value.entries()] : refuse(pointer, 'must be a list of schemas')
  if (!isObject(value)) return refuse(pointer, 'must be an object of schemas')
  const members = Object.entries(value).filter(([, member2]) => member2 !== void 0)
  return holds === 'map' ? members : members.filter(([, member2]) => !Array.isArray(member2))
}
var namelessDocument, Registry
var init_registry = __esm({
  'packages/sdk/src/schema/registry.ts'() {
    init_errors()
    init_dialect()
    init_value()
    namelessDocument = 'schema:///'
    Registry = class {
      resources = /* @__PURE__ */ new Map()
      /** All locations that a dynamic anchor marks, one per resource. */
      dynamicAnchors = /* @__PURE__ */ new Map()
      usesDynamicScope = false
      #documents
      #defaultDialect
      #limits
      #locations = /* @__PURE__ */ new Map()
      #count = 0
      constructor(limits, defaultDialect, documents) {
        this.#limits = limits
        this.#defaultDialect = dialects2[defaultDialect]
        this.#documents = documents
      }
      /** Adds the document that is being compiled. */
      addRoot(schema) {
        return this.#addDocument(schema, namelessDocument, '#')
      }
      /** What a reference points to; `dynamicAnchor` is set if a `$dynamicRef` may point elsewhere at run time. */
      resolve(reference3, from, keyword2) {
        const pointer = pointTo(from.pointer, keyword2)
        const [address, fragment] = splitReference(reference3, pointer)
        const uri = address === '' ? from.resource.uri : resolveUri(address, from.resource.uri, pointer)
        const resource = this.resources.get(uri) ?? this.#load(uri)
        if (!resource)
          return refuse(pointer, `'${reference3}' is not part of the schema, and schemas are never fetched`)
        if (fragment === '') return { target: resource.root }
        if (fragment.startsWith('/')) return { target: this.#follow(resource, fragment, reference3, pointer) }
        const dynamic = resource.dynamicAnchors.get(fragment)
        if (dynamic) return { target: dynamic, dynamicAnchor: fragment }
        return { target: resource.anchors.get(fragment) ?? refuse(pointer, `nothing is called '${reference3}'`) }
      }
      /** The location of a schema inside of another, which scanning has found before. */
      locate(schema, resource, pointer) {
        if (typeof schema === 'boolean') return { schema, resource, pointer }
        const known2 = isObject(schema) ? this.#locations.get(schema) : void 0
        return (
          known2?.find((location) => location.resource === resource) ??
          known2?.[0] ??
          this.#scan(schema, resource, pointer, 0)
        )
      }
      #load(uri) {
        const document = this.#documents.get(uri) ?? this.#documents.get(`${uri}#`)
        if (document === void 0) return void 0
        const { resource } = this.#addDocument(document, uri, `${uri}#`)
        this.resources.set(uri, resource)
        return resource
      }
      #addDocument(schema, uri, pointer) {
        if (typeof schema === 'boolean') return this.#makeResource(schema, uri, this.#defaultDialect, pointer).root
        const location = this.#scan(schema, void 0, pointer, 0, uri)
        return location
      }
      #makeResource(schema, uri, dialect, pointer) {
        if (this.resources.has(uri)) return refuse(pointer, `two schemas have the $id '${uri}'`)
        const root = { schema, pointer }
        const resource = {
          uri,
          dialect,
          root,
          anchors: /* @__PURE__ */ new Map(),
          dynamicAnchors: /* @__PURE__ */ new Map(),
        }
        root.resource = resource
        this.resources.set(uri, resource)
        return resource
      }
      #scan(schema, parent, pointer, depth, base = parent?.uri ?? namelessDocument) {
        if (typeof schema === 'boolean' && parent) return { schema, resource: parent, pointer }
        if (!isObject(schema)) return refuse(pointer, 'a schema must be an object or a boolean')
        const seen = this.#locations
          .get(schema)
          ?.find(({ resource }) => resource === parent || resource.root.schema === schema)
        if (seen) return seen
        if (depth > this.#limits.maxDepth)
          return refuse(pointer, `schemas are nested more than ${this.#limits.maxDepth} deep`)
        if (++this.#count > this.#limits.maxNodes)
          return refuse(pointer, `there are more than ${this.#limits.maxNodes} schemas`)
        const location = this.#enter(schema, parent, pointer, base)
        const known2 = this.#locations.get(schema)
        if (known2) known2.push(location)
        else this.#locations.set(schema, [location])
        this.#addAnchors(schema, location)
        this.#scanInside(schema, location, depth)
        return location
      }
      /** Starts a new resource if the schema has an `$id` or is the root of a document. */
      #enter(schema, parent, pointer, base) {
        const dialect = this.#dialectFor(schema, parent, pointer)
        const address = this.#ownAddress(schema, dialect, pointer)
        if (address === '' && parent) return { schema, resource: parent, pointer }
        const uri = address === '' ? base : resolveUri(address, base, pointTo(pointer, '$id'))
        return this.#makeResource(schema, uri, dialect, pointer).root
      }
      #ownAddress(schema, dialect, pointer) {
        const id = own(schema, '$id')
        if (id === void 0 || (dialect.name === 'draft-07' && own(schema, '$ref') !== void 0)) return ''
        if (typeof id !== 'string') return refuse(pointTo(pointer, '$id'), 'must be a string')
        const [address, fragment] = splitReference(id, pointTo(pointer, '$id'))
        if (fragment !== '' && dialect.name !== 'draft-07')
          return refuse(pointTo(pointer, '$id'), 'must not have a fragment')
        return address
      }
      #dialectFor(schema, parent, pointer) {
        const inherited = parent?.dialect ?? this.#defaultDialect
        const uri = own(schema, '$schema')
        if (uri === void 0) return inherited
        const at2 = pointTo(pointer, '$schema')
        if (typeof uri !== 'string') return refuse(at2, 'must be a string')
        return dialectOf(uri) ?? this.#customDialect(uri, at2)
      }
      #customDialect(uri, pointer) {
        const metaschema = this.#documents.get(uri)
        const base = isObject(metaschema) ? dialectOf(String(metaschema.$schema)) : void 0
        if (!isObject(metaschema) || !base)
          return refuse(pointer, `the dialect '${uri}' is not supported; use 2020-12 or draft-07`)
        const dialect = isObject(metaschema.$vocabulary) ? dialectWith(metaschema.$vocabulary, base) : base
        return typeof dialect === 'string' ? refuse(pointer, `the vocabulary '${dialect}' is not supported`) : dialect
      }
      #addAnchors(schema, location) {
        const { resource, pointer } = location
        if (resource.dialect.name === 'draft-07') {
          const id = own(schema, '$id')
          if (typeof id === 'string' && id.includes('#') && own(schema, '$ref') === void 0)
            addAnchor(resource.anchors, splitReference(id, pointer)[1], location)
          return
        }
        addAnchor(resource.anchors, own(schema, '$anchor'), location)
        const dynamicAnchor = own(schema, '$dynamicAnchor')
        addAnchor(resource.dynamicAnchors, dynamicAnchor, location)
        if (typeof dynamicAnchor === 'string')
          this.dynamicAnchors.set(dynamicAnchor, [...(this.dynamicAnchors.get(dynamicAnchor) ?? []), location])
        if (own(schema, '$dynamicRef') !== void 0) this.usesDynamicScope = true
      }
      #scanInside(schema, { resource, pointer }, depth) {
        const keywords = schemaKeywords[resource.dialect.name]
        for (const [keyword2, value] of Object.entries(schema)) {
          const holds = keywords.get(keyword2)
          if (holds === void 0 || value === void 0) continue
          for (const [name, inner] of schemasIn(value, holds, pointTo(pointer, keyword2))) {
            this.#scan(
              inner,
              resource,
              name === void 0 ? pointTo(pointer, keyword2) : pointTo(pointTo(pointer, keyword2), name),
              depth + 1,
            )
          }
        }
      }
      #follow(resource, fragment, reference3, pointer) {
        let location = resource.root
        let value = location.schema
        let at2 = location.pointer
        for (const token2 of fragment.slice(1).split('/')) {
          const name = token2.replaceAll('~1', '/').replaceAll('~0', '~')
          if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
            return refuse(pointer, `nothing is at '${reference3}'`)
          value = value[name]
          at2 = pointTo(at2, name)
          const known2 = typeof value === 'object' && value !== null ? this.#locations.get(value) : void 0
          if (known2) location = known2.find((candidate) => candidate.resource === location.resource) ?? known2[0]
        }
        return this.locate(value, location.resource, at2)
      }
    }
  },
})

// packages/sdk/src/schema/keyword.ts
var Site
var init_keyword = __esm({
  'packages/sdk/src/schema/keyword.ts'() {
    init_registry()
    init_value()
    Site = class _Site {
      keyword
      location
      compiler
      constructor(keyword2, location, compiler) {
        this.keyword = keyword2
        this.location = location
        this.compiler = compiler
      }
      /** The value of a keyword beside this one. */
      sibling(keyword2) {
        return own(this.location.schema, keyword2)
      }
      /** The same schema seen from another of its keywords. */
      at(keyword2) {
        return new _Site(keyword2, this.location, this.compiler)
      }
      /** A schema for a part of the value. */
      inner(schema, name) {
        const pointer = pointTo(this.location.pointer, this.keyword)
        return this.compiler.node(schema, this.location, name === void 0 ? pointer : pointTo(pointer, name))
      }
      /** A schema for the value itself. */
      inPlace(schema, name) {
        const node = this.inner(schema, name)
        this.compiler.linkInPlace(this.location, node)
        return node
      }
      members(value) {
        return isObject(value)
          ? Object.entries(value).filter(([, member2]) => member2 !== void 0)
          : this.refuse('must be an object')
      }
      list(value) {
        return Array.isArray(value) && value.length > 0 ? value : this.refuse('must be a list with at least one schema')
      }
      strings(value) {
        return Array.isArray(value) && value.every((item) => typeof item === 'string')
          ? value
          : this.refuse('must be a list of strings')
      }
      number(value) {
        return typeof value === 'number' && Number.isFinite(value) ? value : this.refuse('must be a number')
      }
      count(value) {
        return Number.isInteger(value) && value >= 0 ? value : this.refuse('must be a non-negative integer')
      }
      pattern(source) {
        try {
          return this.compiler.pattern(source)
        } catch (error) {
          return this.refuse(
            `'${source.slice(0, 100)}' is not a usable regular expression: ${error instanceof Error ? error.message : error}`,
          )
        }
      }
      refuse(reason2) {
        return refuse(pointTo(this.location.pointer, this.keyword), reason2)
      }
    }
  },
})

// packages/sdk/src/schema/keywords-array.ts
function remainingItems(node, start3) {
  return (found, run2) => {
    if (!Array.isArray(found)) return true
    if (run2.evaluated) run2.evaluated.allItems = true
    let valid = true
    for (let index = start3; index < found.length; index++) {
      if (run2.applyTo(index, node, found[index])) continue
      if (!run2.issues) return false
      valid = false
    }
    return valid
  }
}
function contains(node, min, max) {
  return (found, run2) => {
    if (!Array.isArray(found)) return true
    const count = countMatches(node, found, run2, max === Infinity ? min : max + 1)
    if (count < min) return run2.fail('contains', () => `expected at least ${min} matching items, got ${count}`)
    return count <= max || run2.fail('maxContains', () => `expected at most ${max} matching items, got more`)
  }
}
function countMatches(node, found, run2, enough) {
  const { evaluated, issues } = run2
  let count = 0
  run2.issues = null
  for (let index = 0; index < found.length && (evaluated || count < enough); index++) {
    if (!run2.applyTo(index, node, found[index])) continue
    evaluated?.items.add(index)
    count++
  }
  run2.issues = issues
  return count
}
function findRepeated(items3, run2) {
  const pay = (steps) => run2.spend(steps)
  const seen = /* @__PURE__ */ new Set()
  return items3.findIndex((item) => {
    const text2 = canonical(item, pay) ?? run2.stopTooDeep()
    return seen.size === seen.add(text2).size
  })
}
var prefixItems,
  items2,
  itemsOfDraft07,
  additionalItems,
  unevaluatedItems,
  containsCounted,
  containsOne,
  uniqueItems,
  arrayKeywords,
  arrayKeywordsOfDraft07,
  uniqueItemsKeyword,
  unevaluatedItemsKeyword
var init_keywords_array = __esm({
  'packages/sdk/src/schema/keywords-array.ts'() {
    init_value()
    prefixItems = (value, site) => {
      const nodes = site.list(value).map((schema, index) => site.inner(schema, index))
      return (found, run2) => {
        if (!Array.isArray(found)) return true
        const end = Math.min(nodes.length, found.length)
        let valid = true
        for (let index = 0; index < end; index++) {
          run2.evaluated?.items.add(index)
          if (run2.applyTo(index, nodes[index], found[index])) continue
          if (!run2.issues) return false
          valid = false
        }
        return valid
      }
    }
    items2 = (value, site) => {
      const prefix2 = site.sibling('prefixItems')
      return remainingItems(site.inner(value), Array.isArray(prefix2) ? prefix2.length : 0)
    }
    itemsOfDraft07 = (value, site) => {
      if (!Array.isArray(value)) return remainingItems(site.inner(value), 0)
      return value.length > 0 ? prefixItems(value, site) : void 0
    }
    additionalItems = (value, site) => {
      const listed3 = site.sibling('items')
      return Array.isArray(listed3) ? remainingItems(site.inner(value), listed3.length) : void 0
    }
    unevaluatedItems = (value, site) => {
      const node = site.inner(value)
      return (found, run2) => {
        const { evaluated } = run2
        if (!Array.isArray(found) || !evaluated || evaluated.allItems) return true
        let valid = true
        for (let index = 0; index < found.length; index++) {
          if (evaluated.items.has(index) || run2.applyTo(index, node, found[index])) continue
          if (!run2.issues) return false
          valid = false
        }
        evaluated.allItems = true
        return valid
      }
    }
    containsCounted = (value, site) => {
      const [min, max] = [site.sibling('minContains'), site.sibling('maxContains')]
      return contains(
        site.inner(value),
        min === void 0 ? 1 : site.at('minContains').count(min),
        max === void 0 ? Infinity : site.at('maxContains').count(max),
      )
    }
    containsOne = (value, site) => contains(site.inner(value), 1, Infinity)
    uniqueItems = (value, site) => {
      if (typeof value !== 'boolean') return site.refuse('must be a boolean')
      if (!value) return void 0
      return (found, run2) => {
        if (!Array.isArray(found)) return true
        const repeated = findRepeated(found, run2)
        return (
          repeated < 0 ||
          run2.fail('uniqueItems', () => `expected items that differ, but item ${repeated} repeats an earlier one`)
        )
      }
    }
    arrayKeywords = [
      ['prefixItems', prefixItems],
      ['items', items2],
      ['contains', containsCounted],
    ]
    arrayKeywordsOfDraft07 = [
      ['items', itemsOfDraft07],
      ['additionalItems', additionalItems],
      ['contains', containsOne],
    ]
    uniqueItemsKeyword = [['uniqueItems', uniqueItems]]
    unevaluatedItemsKeyword = [['unevaluatedItems', unevaluatedItems]]
  },
})

// packages/sdk/src/schema/keywords-logic.ts
function failWithClosest(nodes, found, run2, keyword2) {
  const closest = run2.issues && run2.explaining < maxExplained ? closestIssues(nodes, found, run2) : []
  const isHelpful = closest.length > 0 && (nodes.length === 1 || depthOf(closest) > run2.path.length)
  if (!isHelpful)
    return run2.fail(keyword2, () => `expected a match of one of ${nodes.length} alternatives, got ${typeName(found)}`)
  for (const issue of closest) run2.fail(issue.keyword, () => issue.message, ...issue.path.slice(run2.path.length))
  return false
}
function closestIssues(nodes, found, run2) {
  const reported = run2.issues
  let closest = []
  run2.explaining++
  for (const node of nodes) {
    const issues = []
    run2.issues = issues
    run2.branch(node, found)
    if (depthOf(issues) > depthOf(closest)) closest = issues
  }
  run2.explaining--
  run2.issues = reported
  return closest
}
function outermost(targets, run2) {
  let node
  for (let scope = run2.scope; scope; scope = scope.outer) {
    run2.spend(1)
    node = targets.get(scope.resource) ?? node
  }
  return node
}
var nodesOf,
  allOf,
  anyOf,
  oneOf2,
  maxExplained,
  depthOf,
  not,
  conditional,
  reference2,
  dynamicReference,
  referenceKeyword,
  dynamicReferenceKeyword,
  logicKeywords
var init_keywords_logic = __esm({
  'packages/sdk/src/schema/keywords-logic.ts'() {
    init_value()
    nodesOf = (value, site) => site.list(value).map((schema, index) => site.inPlace(schema, index))
    allOf = (value, site) => {
      const nodes = nodesOf(value, site)
      return (found, run2) => {
        let valid = true
        for (const node of nodes) {
          if (run2.apply(node, found)) continue
          if (!run2.issues) return false
          valid = false
        }
        return valid
      }
    }
    anyOf = (value, site) => {
      const nodes = nodesOf(value, site)
      return (found, run2) => {
        let valid = false
        for (const node of nodes) {
          if (!run2.probe(node, found)) continue
          valid = true
          if (!run2.evaluated) break
        }
        return valid || failWithClosest(nodes, found, run2, 'anyOf')
      }
    }
    oneOf2 = (value, site) => {
      const nodes = nodesOf(value, site)
      return (found, run2) => {
        let matches = 0
        for (const node of nodes) {
          if (run2.probe(node, found) && ++matches > 1) break
        }
        if (matches === 1) return true
        if (matches > 1)
          return run2.fail('oneOf', () => `expected exactly one of ${nodes.length} alternatives to match, got several`)
        return failWithClosest(nodes, found, run2, 'oneOf')
      }
    }
    maxExplained = 3
    depthOf = (issues) =>
      issues.reduce((depth, issue) => Math.min(depth, issue.path.length), issues[0]?.path.length ?? -1)
    not = (value, site) => {
      const node = site.inPlace(value)
      return (found, run2) => {
        const { evaluated } = run2
        run2.evaluated = null
        const matches = run2.probe(node, found)
        run2.evaluated = evaluated
        return (
          !matches || run2.fail('not', () => `expected a value that does not match a schema, got ${typeName(found)}`)
        )
      }
    }
    conditional = (value, site) => {
      const condition = site.inPlace(value)
      const branch = (keyword2) => {
        const schema = site.sibling(keyword2)
        return schema === void 0 ? void 0 : site.at(keyword2).inPlace(schema)
      }
      const [then, otherwise] = [branch('then'), branch('else')]
      return (found, run2) => {
        const chosen = run2.probe(condition, found) ? then : otherwise
        return !chosen || run2.apply(chosen, found)
      }
    }
    reference2 = (value, site) => {
      if (typeof value !== 'string') return site.refuse('must be a string')
      const { target } = site.compiler.resolve(value, site.location, site.keyword)
      const node = site.compiler.nodeAt(target)
      site.compiler.linkInPlace(site.location, node)
      return (found, run2) => run2.apply(node, found)
    }
    dynamicReference = (value, site) => {
      if (typeof value !== 'string') return site.refuse('must be a string')
      const { target, dynamicAnchor } = site.compiler.resolve(value, site.location, site.keyword)
      if (dynamicAnchor === void 0) return reference2(value, site)
      const initial = site.compiler.nodeAt(target)
      const targets = site.compiler.dynamicTargets(dynamicAnchor)
      return (found, run2) => run2.apply(outermost(targets, run2) ?? initial, found)
    }
    referenceKeyword = [['$ref', reference2]]
    dynamicReferenceKeyword = [['$dynamicRef', dynamicReference]]
    logicKeywords = [
      ['allOf', allOf],
      ['anyOf', anyOf],
      ['oneOf', oneOf2],
      ['not', not],
      ['if', conditional],
    ]
  },
})

// packages/sdk/src/schema/keywords-object.ts
var properties,
  byNamesInSchema,
  byMembersOfValue,
  required,
  patternsOf,
  patternProperties,
  additionalProperties,
  unevaluatedProperties,
  propertyNames,
  needs,
  applyWhenPresent,
  dependentRequired,
  dependentSchemas,
  dependencies,
  objectKeywords,
  requiredKeyword,
  dependentRequiredKeyword,
  dependentSchemasKeyword,
  dependenciesKeyword,
  unevaluatedPropertiesKeyword
var init_keywords_object = __esm({
  'packages/sdk/src/schema/keywords-object.ts'() {
    init_value()
    properties = (value, site) => {
      const members = site.members(value).map(([name, schema]) => [name, site.inner(schema, name)])
      return members.length > 50 ? byMembersOfValue(new Map(members)) : byNamesInSchema(members)
    }
    byNamesInSchema = (members) => (found, run2) => {
      if (!isObject(found)) return true
      run2.spend(members.length)
      let valid = true
      for (let index = 0; index < members.length; index++) {
        const [name, node] = members[index]
        const member2 = own(found, name)
        if (member2 === void 0) continue
        run2.evaluated?.properties.add(name)
        if (run2.applyTo(name, node, member2)) continue
        if (!run2.issues) return false
        valid = false
      }
      return valid
    }
    byMembersOfValue = (nodes) => (found, run2) => {
      if (!isObject(found)) return true
      let valid = true
      for (const [name, member2] of Object.entries(found)) {
        run2.spend(1)
        const node = member2 === void 0 ? void 0 : nodes.get(name)
        if (!node) continue
        run2.evaluated?.properties.add(name)
        if (run2.applyTo(name, node, member2)) continue
        if (!run2.issues) return false
        valid = false
      }
      return valid
    }
    required = (value, site) => {
      const names = site.strings(value)
      return (found, run2) => {
        if (!isObject(found)) return true
        run2.spend(names.length)
        let valid = true
        for (const name of names) {
          if (own(found, name) !== void 0) continue
          valid = run2.fail('required', () => 'is required', name)
          if (!run2.issues) return false
        }
        return valid
      }
    }
    patternsOf = (value, site) =>
      site.members(value).map(([source, schema]) => [site.pattern(source), site.inner(schema, source)])
    patternProperties = (value, site) => {
      const patterns = patternsOf(value, site)
      return (found, run2) => {
        if (!isObject(found)) return true
        let valid = true
        for (const [name, member2] of Object.entries(found)) {
          run2.spend(patterns.length)
          for (const [pattern2, node] of patterns) {
            if (member2 === void 0 || !pattern2.test(name, run2)) continue
            run2.evaluated?.properties.add(name)
            if (run2.applyTo(name, node, member2)) continue
            if (!run2.issues) return false
            valid = false
          }
        }
        return valid
      }
    }
    additionalProperties = (value, site) => {
      const listed3 = site.sibling('properties')
      const names = new Set(listed3 === void 0 ? [] : Object.keys(listed3))
      const sources = site.sibling('patternProperties')
      const patterns =
        sources === void 0 ? [] : site.members(sources).map(([source]) => site.at('patternProperties').pattern(source))
      const node = value === false ? void 0 : site.inner(value)
      return (found, run2) => {
        if (!isObject(found)) return true
        const keys = Object.keys(found)
        run2.spend(keys.length * (1 + patterns.length))
        let valid = true
        for (const name of keys) {
          if (names.has(name) || found[name] === void 0 || patterns.some((pattern2) => pattern2.test(name, run2)))
            continue
          run2.evaluated?.properties.add(name)
          if (
            node
              ? run2.applyTo(name, node, found[name])
              : run2.fail('additionalProperties', () => 'is not allowed', name)
          )
            continue
          if (!run2.issues) return false
          valid = false
        }
        return valid
      }
    }
    unevaluatedProperties = (value, site) => {
      const node = value === false ? void 0 : site.inner(value)
      return (found, run2) => {
        const { evaluated } = run2
        if (!isObject(found) || !evaluated || evaluated.allProperties) return true
        const keys = Object.keys(found)
        run2.spend(keys.length)
        let valid = true
        for (const name of keys) {
          if (evaluated.properties.has(name) || found[name] === void 0) continue
          if (
            node
              ? run2.applyTo(name, node, found[name])
              : run2.fail('unevaluatedProperties', () => 'is not allowed', name)
          )
            continue
          if (!run2.issues) return false
          valid = false
        }
        evaluated.allProperties = true
        return valid
      }
    }
    propertyNames = (value, site) => {
      const node = site.inner(value)
      return (found, run2) => {
        if (!isObject(found)) return true
        const { issues } = run2
        let valid = true
        run2.issues = null
        for (const name of Object.keys(found)) {
          if (run2.applyTo(name, node, name)) continue
          run2.issues = issues
          valid = run2.fail('propertyNames', () => 'is not an allowed name', name)
          if (!run2.issues) return false
          run2.issues = null
        }
        run2.issues = issues
        return valid
      }
    }
    needs = (names, keyword2) => {
      const total = names.reduce((sum, [, others]) => sum + 2 + others.length, 0)
      return (found, run2) => {
        if (!isObject(found)) return true
        run2.spend(total)
        let valid = true
        for (const [name, others] of names) {
          if (own(found, name) === void 0) continue
          for (const other of others) {
            if (own(found, other) === void 0)
              valid = run2.fail(keyword2, () => `is required when '${name}' is present`, other)
          }
        }
        return valid
      }
    }
    applyWhenPresent = (schemas) => (found, run2) => {
      if (!isObject(found)) return true
      run2.spend(schemas.length)
      let valid = true
      for (const [name, node] of schemas) {
        if (own(found, name) !== void 0 && !run2.apply(node, found)) valid = false
      }
      return valid
    }
    dependentRequired = (value, site) => {
      const names = site.members(value).map(([name, others]) => [name, site.strings(others)])
      return needs(names, 'dependentRequired')
    }
    dependentSchemas = (value, site) =>
      applyWhenPresent(site.members(value).map(([name, schema]) => [name, site.inPlace(schema, name)]))
    dependencies = (value, site) => {
      const members = site.members(value)
      const names = members
        .filter(([, other]) => Array.isArray(other))
        .map(([name, other]) => [name, site.strings(other)])
      const schemas = members
        .filter(([, other]) => !Array.isArray(other))
        .map(([name, schema]) => [name, site.inPlace(schema, name)])
      const [required2, applied] = [needs(names, 'dependencies'), applyWhenPresent(schemas)]
      return (found, run2) => required2(found, run2) && applied(found, run2)
    }
    objectKeywords = [
      ['properties', properties],
      ['patternProperties', patternProperties],
      ['additionalProperties', additionalProperties],
      ['propertyNames', propertyNames],
    ]
    requiredKeyword = [['required', required]]
    dependentRequiredKeyword = [['dependentRequired', dependentRequired]]
    dependentSchemasKeyword = [['dependentSchemas', dependentSchemas]]
    dependenciesKeyword = [['dependencies', dependencies]]
    unevaluatedPropertiesKeyword = [['unevaluatedProperties', unevaluatedProperties]]
  },
})

// packages/sdk/src/schema/formats.ts
function isDate(text2) {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text2)
  if (!match) return false
  const [year, month, day] = match.slice(1).map(Number)
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : (daysInMonth[month - 1] ?? 0)
  return day >= 1 && day <= days
}
function isTime(text2) {
  const match = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text2)
  if (!match) return false
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [offsetHours, offsetMinutes] = [Number(match[5] ?? 0), Number(match[6] ?? 0)]
  if (hours > 23 || minutes > 59 || offsetHours > 23 || offsetMinutes > 59) return false
  return seconds <= 59 || (seconds === 60 && isLastMinuteOfUtc(hours, minutes, match[4], offsetHours, offsetMinutes))
}
function isLastMinuteOfUtc(hours, minutes, sign, offsetHours, offsetMinutes) {
  const offset = (offsetHours * 60 + offsetMinutes) * (sign === '-' ? -1 : 1)
  return (hours * 60 + minutes - offset + 1440) % 1440 === 1439
}
function isDateTime(text2) {
  return /^[tT]$/.test(text2.charAt(10)) && isDate(text2.slice(0, 10)) && isTime(text2.slice(11))
}
function isEmail(text2) {
  const at2 = text2.lastIndexOf('@')
  const [local, host] = [text2.slice(0, at2), text2.slice(at2 + 1)]
  if (at2 < 1 || at2 > 64 || !isHostname(host)) return false
  return (
    /^[\w!#$%&'*+/=?^`{|}~.-]+$/.test(local) && !local.startsWith('.') && !local.endsWith('.') && !local.includes('..')
  )
}
function isHostname(text2) {
  if (text2.length > 253) return false
  return text2
    .split('.')
    .every(
      (label2) =>
        label2.length <= 63 && /^[a-z0-9-]+$/i.test(label2) && !label2.startsWith('-') && !label2.endsWith('-'),
    )
}
function isIpv4(text2) {
  const parts = text2.split('.', 5)
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
}
function isIpv6(text2) {
  if (text2.length > 45) return false
  const [head = '', tail, more] = text2.split('::')
  if (more !== void 0) return false
  const groups2 = [...groupsOf2(head), ...groupsOf2(tail ?? '')]
  const lastIsIpv4 = groups2.length > 0 && isIpv4(groups2.at(-1))
  const width = groups2.length + (lastIsIpv4 ? 1 : 0)
  const hex = lastIsIpv4 ? groups2.slice(0, -1) : groups2
  return hex.every((group) => /^[0-9a-f]{1,4}$/i.test(group)) && (tail === void 0 ? width === 8 : width <= 7)
}
function isUri(text2) {
  return (
    /^[a-z][a-z0-9+.-]*:[^\s<>"{}|\\^`]*$/i.test(text2) &&
    !/[^\x21-\x7e]/.test(text2) &&
    !/%(?![0-9a-f]{2})/i.test(text2) &&
    URL.canParse(text2)
  )
}
var formats, daysInMonth, groupsOf2
var init_formats = __esm({
  'packages/sdk/src/schema/formats.ts'() {
    formats = /* @__PURE__ */ new Map([
      ['date', isDate],
      ['time', isTime],
      ['date-time', isDateTime],
      ['email', isEmail],
      ['hostname', isHostname],
      ['ipv4', isIpv4],
      ['ipv6', isIpv6],
      ['uri', isUri],
      ['uuid', (text2) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text2)],
    ])
    daysInMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    groupsOf2 = (text2) => (text2 === '' ? [] : text2.split(':'))
  },
})

// packages/sdk/src/schema/multiple-of.ts
function isMultipleOf(value, divisor) {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(divisor)) return value % divisor === 0
  if (!Number.isFinite(value)) return false
  const one = toDecimal(value)
  const other = toDecimal(divisor)
  const exponent = Math.min(one.exponent, other.exponent)
  return scale(one, exponent) % scale(other, exponent) === 0n
}
function toDecimal(value) {
  const [mantissa = '', power = '0'] = String(value).split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length }
}
var scale
var init_multiple_of = __esm({
  'packages/sdk/src/schema/multiple-of.ts'() {
    scale = ({ digits, exponent }, to) => digits * 10n ** BigInt(exponent - to)
  },
})

// packages/sdk/src/schema/keywords-value.ts
function isOneOf(allowed, found, run2) {
  run2.spend(allowed.length)
  return allowed.some((item) => isEqual(item, found, (steps) => run2.spend(steps)))
}
var typeTests,
  type,
  describe2,
  enumeration,
  expectedOneOf,
  constant,
  bound,
  multipleOf,
  itemCount,
  memberCount,
  isWithin,
  expectedCount,
  length,
  pattern,
  format,
  valueKeywords,
  formatKeywords
var init_keywords_value = __esm({
  'packages/sdk/src/schema/keywords-value.ts'() {
    init_formats()
    init_multiple_of()
    init_value()
    typeTests = /* @__PURE__ */ new Map([
      ['string', (value) => typeof value === 'string'],
      ['number', Number.isFinite],
      ['integer', (value) => Number.isInteger(value)],
      ['boolean', (value) => typeof value === 'boolean'],
      ['null', (value) => value === null],
      ['array', (value) => Array.isArray(value)],
      ['object', isObject],
    ])
    type = (value, site) => {
      const names = site.strings(Array.isArray(value) ? value : [value])
      if (names.length === 0) return site.refuse('must name at least one type')
      const tests = names.map((name) => typeTests.get(name) ?? site.refuse(`'${name}' is not a JSON type`))
      const message = (found) => () => `expected ${names.join(' or ')}, got ${describe2(found, names)}`
      const [first] = tests
      if (first && tests.length === 1) return (found, run2) => first(found) || run2.fail('type', message(found))
      return (found, run2) => tests.some((test) => test(found)) || run2.fail('type', message(found))
    }
    describe2 = (found, expected) =>
      typeof found === 'number' && expected.includes('integer') ? `number ${found}` : typeName(found)
    enumeration = (value, site) => {
      if (!Array.isArray(value)) return site.refuse('must be a list')
      const simple = new Set(value.filter((item) => typeof item !== 'object' || item === null))
      const nested = value.filter((item) => typeof item === 'object' && item !== null)
      return (found, run2) => {
        const isAllowed = typeof found === 'object' && found !== null ? isOneOf(nested, found, run2) : simple.has(found)
        if (typeof found === 'string') run2.spend(found.length >> 8)
        return isAllowed || run2.fail('enum', () => expectedOneOf(value, found))
      }
    }
    expectedOneOf = (allowed, found) =>
      `expected one of ${allowed.slice(0, 12).map(preview).join(', ')}${allowed.length > 12 ? ', ...' : ''}, got ${preview(found)}`
    constant = (value) => (found, run2) => {
      if (typeof found === 'string') run2.spend(found.length >> 8)
      const isSame2 = isEqual(value, found, (steps) => run2.spend(steps))
      return isSame2 || run2.fail('const', () => `expected ${preview(value)}, got ${preview(found)}`)
    }
    bound = (sign, holds) => (value, site) => {
      const limit = site.number(value)
      return (found, run2) =>
        typeof found !== 'number' ||
        holds(found, limit) ||
        run2.fail(site.keyword, () => `expected ${sign} ${limit}, got ${found}`)
    }
    multipleOf = (value, site) => {
      const divisor = site.number(value)
      if (divisor <= 0) return site.refuse('must be greater than 0')
      return (found, run2) =>
        typeof found !== 'number' ||
        isMultipleOf(found, divisor) ||
        run2.fail('multipleOf', () => `expected a multiple of ${divisor}, got ${found}`)
    }
    itemCount = (most) => (value, site) => {
      const limit = site.count(value)
      return (found, run2) =>
        !Array.isArray(found) ||
        isWithin(found.length, limit, most) ||
        run2.fail(site.keyword, () => expectedCount(found.length, limit, most, 'items'))
    }
    memberCount = (most) => (value, site) => {
      const limit = site.count(value)
      return (found, run2) => {
        if (!isObject(found)) return true
        const count = Object.keys(found).length
        run2.spend(count * 2)
        return (
          isWithin(count, limit, most) || run2.fail(site.keyword, () => expectedCount(count, limit, most, 'properties'))
        )
      }
    }
    isWithin = (count, limit, most) => (most ? count <= limit : count >= limit)
    expectedCount = (count, limit, most, unit) =>
      `expected at ${most ? 'most' : 'least'} ${limit} ${unit}, got ${count}`
    length = (most) => (value, site) => {
      const limit = site.count(value)
      return (found, run2) => {
        if (typeof found !== 'string' || (most ? found.length <= limit : found.length >= limit * 2)) return true
        run2.spend(found.length >> 3)
        const count = codePoints(found)
        return (
          isWithin(count, limit, most) || run2.fail(site.keyword, () => expectedCount(count, limit, most, 'characters'))
        )
      }
    }
    pattern = (value, site) => {
      if (typeof value !== 'string') return site.refuse('must be a string')
      const regex = site.pattern(value)
      return (found, run2) =>
        typeof found !== 'string' ||
        regex.test(found, run2) ||
        run2.fail('pattern', () => `expected a match of ${preview(value)}, got ${preview(found)}`)
    }
    format = (value, site) => {
      if (typeof value !== 'string') return site.refuse('must be a string')
      const test = site.compiler.assertFormats ? formats.get(value) : void 0
      if (!test) return void 0
      return (found, run2) => {
        if (typeof found !== 'string') return true
        run2.spend(found.length >> 4)
        return test(found) || run2.fail('format', () => `expected a value of format ${value}, got ${preview(found)}`)
      }
    }
    valueKeywords = [
      ['type', type],
      ['enum', enumeration],
      ['const', constant],
      ['minimum', bound('>=', (found, limit) => found >= limit)],
      ['maximum', bound('<=', (found, limit) => found <= limit)],
      ['exclusiveMinimum', bound('>', (found, limit) => found > limit)],
      ['exclusiveMaximum', bound('<', (found, limit) => found < limit)],
      ['multipleOf', multipleOf],
      ['minLength', length(false)],
      ['maxLength', length(true)],
      ['pattern', pattern],
      ['minItems', itemCount(false)],
      ['maxItems', itemCount(true)],
      ['minProperties', memberCount(false)],
      ['maxProperties', memberCount(true)],
    ]
    formatKeywords = [['format', format]]
  },
})

// packages/sdk/src/schema/keywords.ts
function tableOf(name) {
  const table = tables.get(name) ?? rank(groups[name])
  tables.set(name, table)
  return table
}
function rank(groups2) {
  const flat = groups2.flatMap(([vocabulary, keywords]) =>
    keywords.map(([name, compile]) => ({ name, vocabulary, compile })),
  )
  return new Map(flat.map((keyword2, index) => [keyword2.name, { ...keyword2, rank: index }]))
}
function keywordsOf(schema, { name, vocabularies }) {
  const table = tableOf(name)
  if (name === 'draft-07' && Object.hasOwn(schema, '$ref')) return [table.get('$ref')]
  const found = []
  for (const [key, value] of Object.entries(schema)) {
    const keyword2 = value === void 0 ? void 0 : table.get(key)
    if (keyword2 && (!vocabularies || vocabularies.has(keyword2.vocabulary))) found.push(keyword2)
  }
  return found.sort((one, other) => one.rank - other.rank)
}
var shared, groups, tables
var init_keywords = __esm({
  'packages/sdk/src/schema/keywords.ts'() {
    init_keywords_array()
    init_keywords_logic()
    init_keywords_object()
    init_keywords_value()
    shared = [
      ['validation', valueKeywords],
      ['validation', requiredKeyword],
      ['core', referenceKeyword],
      ['applicator', objectKeywords],
      ['applicator', logicKeywords],
      ['validation', uniqueItemsKeyword],
      ['format-annotation', formatKeywords],
    ]
    groups = {
      '2020-12': [
        ...shared,
        ['core', dynamicReferenceKeyword],
        ['applicator', arrayKeywords],
        ['applicator', dependentSchemasKeyword],
        ['validation', dependentRequiredKeyword],
        // Not part of 2020-12 any more, but allowed to keep its meaning: schemas without `$schema` are often older.
        ['applicator', dependenciesKeyword],
        ['unevaluated', unevaluatedItemsKeyword],
        ['unevaluated', unevaluatedPropertiesKeyword],
      ],
      'draft-07': [...shared, ['applicator', arrayKeywordsOfDraft07], ['applicator', dependenciesKeyword]],
    }
    tables = /* @__PURE__ */ new Map()
  },
})

// packages/sdk/src/schema/regex/cursor.ts
function charAt(subject, position, backward) {
  if (!backward) return position < subject.length ? subject.codePointAt(position) : -1
  if (position <= 0) return -1
  const low = subject.charCodeAt(position - 1)
  const isLow = low >= 56320 && low <= 57343
  const code = isLow && position > 1 ? subject.codePointAt(position - 2) : low
  return code > 65535 ? code : low
}
function edgeHolds(at2, subject, position) {
  if (at2 === 'start') return position === 0
  if (at2 === 'end') return position === subject.length
  const boundary = isWord(subject.charCodeAt(position - 1)) !== isWord(subject.charCodeAt(position))
  return boundary === (at2 === 'word')
}
var isWord
var init_cursor = __esm({
  'packages/sdk/src/schema/regex/cursor.ts'() {
    isWord = (code) =>
      (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  },
})

// packages/sdk/src/schema/regex/simulate.ts
function simulate(program, subject, budget) {
  return new Simulation(subject, budget).run(program, 0, true)
}
var patternLimit, startingPrice, Simulation, ThreadList
var init_simulate = __esm({
  'packages/sdk/src/schema/regex/simulate.ts'() {
    init_cursor()
    patternLimit = /* @__PURE__ */ Symbol('pattern limit')
    startingPrice = 40
    Simulation = class {
      subject
      budget
      pending = []
      looked
      constructor(subject, budget) {
        this.subject = subject
        this.budget = budget
      }
      /** Whether the program matches at `start`, or with `search` anywhere from there on. */
      run(program, start3, search) {
        const { code, backward } = program
        this.budget.patternSteps -= startingPrice + (code.length >> 4)
        let current = new ThreadList(code.length)
        let next = new ThreadList(code.length)
        let position = start3
        let waiting2 = search
        if (this.follow(program, 0, position, current)) return true
        for (;;) {
          if (current.size === 0 && !waiting2) return false
          const char = charAt(this.subject, position, backward)
          if (char < 0) return false
          const width = char > 65535 ? 2 : 1
          position += backward ? -width : width
          next.clear()
          if (this.step(program, char, position, current, next)) return true
          waiting2 = search && !program.anchored
          if (waiting2 && this.follow(program, 0, position, next)) return true
          ;[current, next] = [next, current]
        }
      }
      /** Moves every thread over one character; true if one of them reaches the end of the program. */
      step(program, char, position, current, next) {
        const { code } = program
        for (let index = 0; index < current.size; index++) {
          const pc = current.threads[index]
          const instruction = code[pc]
          if (instruction.op === 'char' && instruction.set.has(char) && this.follow(program, pc + 1, position, next))
            return true
        }
        return false
      }
      /** Adds every character test reachable from `from` without reading; true if the end of the program is. */
      follow({ code }, from, position, list2) {
        const { pending } = this
        const base = pending.length
        pending.push(from)
        while (pending.length > base) {
          const pc = pending.pop()
          if (!list2.visit(pc)) continue
          if (--this.budget.patternSteps < 0) throw patternLimit
          const step = code[pc]
          if (step.op === 'match') {
            pending.length = base
            return true
          }
          if (step.op === 'char') list2.add(pc)
          else if (step.op === 'jump') pending.push(step.to)
          else if (step.op === 'split') pending.push(step.second, step.first)
          else if (
            step.op === 'edge'
              ? edgeHolds(step.at, this.subject, position)
              : step.op === 'look' && this.looks(step, position)
          )
            pending.push(pc + 1)
        }
        return false
      }
      looks(step, position) {
        this.looked ??= /* @__PURE__ */ new Map()
        const answers = this.looked.get(step.program) ?? /* @__PURE__ */ new Map()
        this.looked.set(step.program, answers)
        let answer4 = answers.get(position)
        if (answer4 === void 0) {
          answer4 = this.run(step.program, position, false) !== step.negative
          answers.set(position, answer4)
        }
        return answer4
      }
    }
    ThreadList = class {
      threads
      seen
      size = 0
      generation = 1
      constructor(length2) {
        this.threads = new Int32Array(length2)
        this.seen = new Int32Array(length2)
      }
      visit(pc) {
        if (this.seen[pc] === this.generation) return false
        this.seen[pc] = this.generation
        return true
      }
      add(pc) {
        this.threads[this.size++] = pc
      }
      clear() {
        this.size = 0
        this.generation++
      }
    }
  },
})

// packages/sdk/src/schema/regex/backtrack.ts
function backtrack(program, subject, budget) {
  const empty = new Array(program.slotCount).fill(-1)
  const lastStart = program.anchored ? 0 : subject.length
  for (let start3 = 0; start3 <= lastStart; start3++) {
    if (run(program, subject, start3, empty, budget)) return true
    if (subject.codePointAt(start3) > 65535) start3++
  }
  return false
}
function run(program, subject, start3, slots2, budget) {
  const pending = [[0, start3, slots2]]
  while (pending.length > 0) {
    let [pc, position, remembered] = pending.pop()
    for (;;) {
      const step = program.code[pc]
      budget.patternSteps -= step.op === 'save' || step.op === 'clear' ? 4 + (remembered.length >> 3) : 4
      if (budget.patternSteps < 0) throw patternLimit
      if (step.op === 'match') return remembered
      pc++
      if (step.op === 'split') {
        pending.push([step.second, position, remembered])
        pc = step.first
      } else if (step.op === 'jump') pc = step.to
      else if (step.op === 'save') remembered = remembered.with(step.slot, position)
      else if (step.op === 'clear')
        remembered = remembered.map((at2, slot) => (slot >= step.from && slot <= step.to ? -1 : at2))
      else if (step.op === 'look') {
        const found = run(step.program, subject, position, remembered, budget)
        if ((found === void 0) !== step.negative) break
        if (found) remembered = found
      } else {
        position = advance2(step, program.backward, subject, position, remembered)
        if (position < 0) break
      }
    }
  }
  return void 0
}
function advance2(step, backward, subject, position, slots2) {
  if (step.op === 'edge') return edgeHolds(step.at, subject, position) ? position : -1
  if (step.op === 'progress') return slots2[step.slot] === position ? -1 : position
  if (step.op === 'backreference') return repeatGroup(step.group, backward, subject, position, slots2)
  const char = charAt(subject, position, backward)
  if (char < 0 || !step.set.has(char)) return -1
  const width = char > 65535 ? 2 : 1
  return backward ? position - width : position + width
}
function repeatGroup(group, backward, subject, position, slots2) {
  const [from, to] = [slots2[group * 2] ?? -1, slots2[group * 2 + 1] ?? -1]
  if (from < 0 || to < 0) return position
  const text2 = subject.slice(from, to)
  if (!backward) return subject.startsWith(text2, position) ? position + text2.length : -1
  return position >= text2.length && subject.startsWith(text2, position - text2.length) ? position - text2.length : -1
}
var init_backtrack = __esm({
  'packages/sdk/src/schema/regex/backtrack.ts'() {
    init_cursor()
    init_simulate()
  },
})

// packages/sdk/src/schema/regex/program.ts
function compileRegex(regex, budget = { left: maxInstructions }) {
  const shared2 = { regex, budget, instructions: 0, slots: (regex.groupCount + 1) * 2 }
  const draft = compileBody(regex.root, false, shared2)
  return finish(draft, false, regex.root, shared2)
}
function compileBody(node, backward, shared2) {
  const draft = { code: [], backward, shared: shared2 }
  emit(node, draft)
  push({ op: 'match' }, draft)
  return draft
}
function startsAnchored(node) {
  if (node.kind === 'edge') return node.at === 'start'
  if (node.kind === 'sequence') return node.items.length > 0 && startsAnchored(node.items[0])
  if (node.kind === 'choice') return node.options.every(startsAnchored)
  return node.kind === 'group' && startsAnchored(node.body)
}
function push(instruction, { code, shared: shared2 }) {
  if (++shared2.instructions > maxInstructions || --shared2.budget.left < 0)
    throw new SyntaxError('the pattern is too large once its repeats are counted out')
  return code.push(instruction) - 1
}
function emit(node, draft) {
  switch (node.kind) {
    case 'char':
      push({ op: 'char', set: node.set }, draft)
      return
    case 'edge':
      push({ op: 'edge', at: node.at }, draft)
      return
    case 'sequence':
      for (const item of draft.backward ? node.items.toReversed() : node.items) emit(item, draft)
      return
    case 'choice':
      emitChoice(node.options, draft)
      return
    case 'group':
      emitGroup(node, draft)
      return
    case 'look': {
      const body = compileBody(node.body, node.behind, draft.shared)
      push({ op: 'look', negative: node.negative, program: finish(body, node.behind, node.body, draft.shared) }, draft)
      return
    }
    case 'backreference':
      push({ op: 'backreference', group: groupOf(node.to, draft.shared.regex) }, draft)
      return
    case 'repeat':
      emitRepeat(node, draft)
  }
}
function emitChoice(options, draft) {
  const exits = []
  for (const [index, option] of options.entries()) {
    if (index === options.length - 1) {
      emit(option, draft)
      break
    }
    const split = { op: 'split', first: 0, second: 0 }
    split.first = push(split, draft) + 1
    emit(option, draft)
    const exit = { op: 'jump', to: 0 }
    push(exit, draft)
    exits.push(exit)
    split.second = draft.code.length
  }
  for (const exit of exits) exit.to = draft.code.length
}
function emitGroup(node, draft) {
  if (!remembers(draft)) {
    emit(node.body, draft)
    return
  }
  const [open, close] = [node.index * 2, node.index * 2 + 1]
  push({ op: 'save', slot: draft.backward ? close : open }, draft)
  emit(node.body, draft)
  push({ op: 'save', slot: draft.backward ? open : close }, draft)
}
function emitRepeat(node, draft) {
  for (let count = 0; count < node.min; count++) {
    const before3 = draft.code.length
    emitIteration(node, draft)
    if (draft.code.length === before3) return
  }
  if (node.max === Infinity) emitLoop(node, draft)
  else emitOptionals(node, draft)
}
function emitIteration(node, draft) {
  const [from, to] = node.groups
  if (remembers(draft) && from <= to) push({ op: 'clear', from: from * 2, to: to * 2 + 1 }, draft)
  emit(node.body, draft)
}
function emitLoop(node, draft) {
  const split = { op: 'split', first: 0, second: 0 }
  const start3 = push(split, draft)
  const body = draft.code.length
  emitGuarded(node, draft)
  push({ op: 'jump', to: start3 }, draft)
  setBranches(split, body, draft.code.length, node.greedy)
}
function emitOptionals(node, draft) {
  const splits = []
  for (let count = node.min; count < node.max; count++) {
    const split = { op: 'split', first: 0, second: 0 }
    splits.push({ split, body: push(split, draft) + 1 })
    emitGuarded(node, draft)
  }
  for (const { split, body } of splits) setBranches(split, body, draft.code.length, node.greedy)
}
function emitGuarded(node, draft) {
  if (!remembers(draft)) {
    emitIteration(node, draft)
    return
  }
  const slot = draft.shared.slots++
  push({ op: 'save', slot }, draft)
  emitIteration(node, draft)
  push({ op: 'progress', slot }, draft)
}
function setBranches(split, body, exit, greedy) {
  split.first = greedy ? body : exit
  split.second = greedy ? exit : body
}
var maxInstructions, finish, groupOf, remembers
var init_program = __esm({
  'packages/sdk/src/schema/regex/program.ts'() {
    maxInstructions = 1e4
    finish = (draft, backward, root, shared2) => ({
      code: draft.code,
      backward,
      anchored: startsAnchored(root),
      get slotCount() {
        return shared2.slots
      },
    })
    groupOf = (to, regex) => (typeof to === 'number' ? to : (regex.groupNames.get(to) ?? 0))
    remembers = (draft) => draft.shared.regex.hasBackreference
  },
})

// packages/sdk/src/schema/regex/linear.ts
function isSurelyLinear(root) {
  const { ways, unbounded, length: length2 } = new Measurer().measure(root, nothing())
  const anchored = startsAnchored(root)
  return anchored ? ways <= 100 && ways * length2 <= 1e5 : !unbounded && ways * length2 <= 100
}
function repeatedWays(node, ways, decided) {
  if (node.max === 0) return 1
  if (node.max === Infinity) return decided && ways === 1 ? 1 : Infinity
  return (decided ? 1 : node.max - node.min + 1) * ways ** node.max
}
var beyondAscii, endOfSubject, nothing, union, overlap, before2, Measurer
var init_linear = __esm({
  'packages/sdk/src/schema/regex/linear.ts'() {
    init_program()
    beyondAscii = 128
    endOfSubject = 129
    nothing = () => new Uint8Array(130)
    union = (one, other) => one.map((flag, index) => flag | other[index])
    overlap = (one, other) => one.some((flag, index) => flag === 1 && other[index] === 1)
    before2 = (start3, follow) => (start3.nullable ? union(start3.first, follow) : start3.first)
    Measurer = class {
      // Remembered because each loop asks for the start of its body: nested loops would ask exponentially often.
      starts = /* @__PURE__ */ new Map()
      measure(node, follow) {
        switch (node.kind) {
          case 'char':
            return { ways: 1, unbounded: false, length: 1 }
          case 'edge':
            return { ways: node.at === 'start' || node.at === 'end' ? 1 : Infinity, unbounded: false, length: 0 }
          case 'group':
            return this.measure(node.body, follow)
          case 'sequence':
            return this.sequence(node.items, follow)
          case 'choice':
            return this.choice(node.options, follow)
          case 'repeat':
            return this.repeat(node, follow)
          default:
            return { ways: Infinity, unbounded: true, length: 0 }
        }
      }
      sequence(items3, follow) {
        const whole = { ways: 1, unbounded: false, length: 0 }
        let after = follow
        for (const item of items3.toReversed()) {
          const part = this.measure(item, after)
          after = before2(this.start(item), after)
          whole.ways *= part.ways
          whole.unbounded ||= part.unbounded
          whole.length += part.length
        }
        return whole
      }
      choice(options, follow) {
        const parts = options.map((option) => this.measure(option, follow))
        const ways = parts.map((part) => part.ways)
        return {
          ways: this.decided(options, follow) ? Math.max(...ways) : ways.reduce((sum, next) => sum + next, 0),
          unbounded: parts.some((part) => part.unbounded),
          length: Math.max(...parts.map((part) => part.length)),
        }
      }
      decided(options, follow) {
        let seen = nothing()
        return options.every((option) => {
          const first = before2(this.start(option), follow)
          const isNew = !overlap(seen, first)
          seen = union(seen, first)
          return isNew
        })
      }
      repeat(node, follow) {
        const start3 = this.start(node.body)
        const body = this.measure(node.body, union(start3.first, follow))
        const decided = !start3.nullable && !overlap(start3.first, follow)
        return {
          ways: repeatedWays(node, body.ways, decided),
          unbounded: body.unbounded || node.max === Infinity,
          length: body.length * Math.max(1, node.max === Infinity ? node.min : node.max),
        }
      }
      start(node) {
        const start3 = this.starts.get(node) ?? this.findStart(node)
        this.starts.set(node, start3)
        return start3
      }
      findStart(node) {
        switch (node.kind) {
          case 'char': {
            const first = nothing()
            first.set(node.set.ascii)
            first[beyondAscii] = node.set.beyondAscii ? 1 : 0
            return { first, nullable: false }
          }
          case 'group':
            return this.start(node.body)
          case 'sequence':
            return this.startOfSequence(node.items)
          case 'choice': {
            const starts = node.options.map((option) => this.start(option))
            return {
              first: starts.reduce((all2, { first }) => union(all2, first), nothing()),
              nullable: starts.some(({ nullable }) => nullable),
            }
          }
          case 'repeat': {
            const { first, nullable } = this.start(node.body)
            return { first, nullable: nullable || node.min === 0 }
          }
          default: {
            const first = nothing()
            const isEnd = node.kind === 'edge' && node.at === 'end'
            if (isEnd) first[endOfSubject] = 1
            return { first, nullable: !isEnd }
          }
        }
      }
      startOfSequence(items3) {
        let start3 = { first: nothing(), nullable: true }
        for (const item of items3) {
          if (!start3.nullable) break
          const next = this.start(item)
          start3 = { first: union(start3.first, next.first), nullable: next.nullable }
        }
        return start3
      }
    }
  },
})

// packages/sdk/src/schema/regex/char-set.ts
function charSetOf(atom) {
  let set = cache.get(atom)
  if (!set) {
    set = makeCharSet(atom)
    if (cache.size >= cacheSize) cache.clear()
    cache.set(atom, set)
  }
  return set
}
function makeCharSet(atom) {
  const native = new RegExp(`^${atom}$`, 'u')
  const ascii = Uint8Array.from({ length: 128 }, (_, code) => (native.test(String.fromCharCode(code)) ? 1 : 0))
  return {
    ascii,
    beyondAscii: mayExceedAscii(atom),
    has: (code) => (code < 128 ? ascii[code] === 1 : native.test(String.fromCodePoint(code))),
  }
}
var cache, cacheSize, mayExceedAscii
var init_char_set = __esm({
  'packages/sdk/src/schema/regex/char-set.ts'() {
    cache = /* @__PURE__ */ new Map()
    cacheSize = 500
    mayExceedAscii = (atom) => atom === '.' || /^\[\^|\\[DSWspPux]|[^\x20-\x7e]/.test(atom)
  },
})

// packages/sdk/src/schema/regex/parse.ts
function parseRegex(source) {
  return new Parser(source).parse()
}
var maxNesting, Parser
var init_parse = __esm({
  'packages/sdk/src/schema/regex/parse.ts'() {
    init_char_set()
    maxNesting = 100
    Parser = class {
      source
      groupNames = /* @__PURE__ */ new Map()
      position = 0
      groupCount = 0
      nesting = 0
      hasBackreference = false
      constructor(source) {
        this.source = source
      }
      parse() {
        const root = this.choice()
        if (this.position < this.source.length) throw new SyntaxError(`unexpected '${this.source[this.position]}'`)
        const { groupCount, groupNames, hasBackreference } = this
        return { root, groupCount, groupNames, hasBackreference }
      }
      choice() {
        if (++this.nesting > maxNesting) throw new SyntaxError(`groups are nested more than ${maxNesting} deep`)
        const options = [this.sequence()]
        while (this.accept('|')) options.push(this.sequence())
        this.nesting--
        return options.length === 1 ? options[0] : { kind: 'choice', options }
      }
      sequence() {
        const items3 = []
        while (this.position < this.source.length && !this.at('|') && !this.at(')')) {
          const groupsBefore = this.groupCount
          items3.push(this.quantified(this.atom(), groupsBefore))
        }
        return items3.length === 1 ? items3[0] : { kind: 'sequence', items: items3 }
      }
      atom() {
        const start3 = this.position
        const code = this.source.codePointAt(start3)
        this.position += code > 65535 ? 2 : 1
        if (code === 40) return this.group()
        if (code === 94) return { kind: 'edge', at: 'start' }
        if (code === 36) return { kind: 'edge', at: 'end' }
        if (code === 92) return this.escape(start3)
        if (code === 91) this.skipClass()
        return { kind: 'char', set: charSetOf(this.source.slice(start3, this.position)) }
      }
      group() {
        if (this.accept('?:')) return this.close(this.choice())
        if (this.accept('?=')) return this.look(false, false)
        if (this.accept('?!')) return this.look(false, true)
        if (this.accept('?<=')) return this.look(true, false)
        if (this.accept('?<!')) return this.look(true, true)
        const index = ++this.groupCount
        if (this.accept('?<')) this.groupName(index)
        else if (this.at('?')) throw new SyntaxError('groups with flags are not supported')
        return { kind: 'group', index, body: this.close(this.choice()) }
      }
      groupName(index) {
        const name = this.until('>')
        if (this.groupNames.has(name)) throw new SyntaxError(`two groups are named '${name}'`)
        this.groupNames.set(name, index)
      }
      look(behind, negative) {
        return { kind: 'look', behind, negative, body: this.close(this.choice()) }
      }
      close(body) {
        if (!this.accept(')')) throw new SyntaxError('a group is not closed')
        return body
      }
      escape(start3) {
        const letter = this.source[this.position++]
        if (letter === 'b') return { kind: 'edge', at: 'word' }
        if (letter === 'B') return { kind: 'edge', at: 'not-word' }
        if (letter === 'k') return this.backreference(this.accept('<') ? this.until('>') : '')
        if (letter >= '1' && letter <= '9') {
          const digits = /^\d*/.exec(this.source.slice(this.position, this.position + 6))[0]
          this.position += digits.length
          return this.backreference(Number(letter + digits))
        }
        this.skipEscapeArgument(letter)
        return { kind: 'char', set: charSetOf(this.source.slice(start3, this.position)) }
      }
      backreference(to) {
        this.hasBackreference = true
        return { kind: 'backreference', to }
      }
      skipEscapeArgument(letter) {
        if (letter === 'c') this.position += 1
        else if (letter === 'x') this.position += 2
        else if (letter === 'p' || letter === 'P') this.until('}')
        else if (letter === 'u' && this.at('{')) this.until('}')
        else if (letter === 'u') {
          this.position += 4
          const pair = /^[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/
          if (pair.test(this.source.slice(this.position - 4, this.position + 6))) this.position += 6
        }
      }
      skipClass() {
        while (!this.at(']')) {
          if (this.position >= this.source.length) throw new SyntaxError('a character class is not closed')
          this.position += this.at('\\') ? 2 : 1
        }
        this.position++
      }
      quantified(body, groupsBefore) {
        const range = this.quantifier()
        if (!range) return body
        const greedy = !this.accept('?')
        return {
          kind: 'repeat',
          body,
          min: range[0],
          max: range[1],
          greedy,
          groups: [groupsBefore + 1, this.groupCount],
        }
      }
      quantifier() {
        if (this.accept('*')) return [0, Infinity]
        if (this.accept('+')) return [1, Infinity]
        if (this.accept('?')) return [0, 1]
        if (!this.accept('{')) return void 0
        const [min, max] = this.until('}').split(',')
        return [Number(min), max === void 0 ? Number(min) : max === '' ? Infinity : Number(max)]
      }
      at(text2) {
        return this.source.startsWith(text2, this.position)
      }
      accept(text2) {
        if (!this.at(text2)) return false
        this.position += text2.length
        return true
      }
      until(end) {
        const stop2 = this.source.indexOf(end, this.position)
        if (stop2 < 0) throw new SyntaxError(`'${end}' is missing`)
        const text2 = this.source.slice(this.position, stop2)
        this.position = stop2 + 1
        return text2
      }
    }
  },
})

// packages/sdk/src/schema/regex/pattern.ts
function compilePattern(source, budget = { left: 2 * maxSourceLength }) {
  budget.left -= source.length
  if (source.length > maxSourceLength || budget.left < 0) throw new SyntaxError('there is too much of it')
  const { native, text: text2 } = checkSyntax(source)
  const parsed2 = parseRegex(text2)
  if (!parsed2.hasBackreference && isSurelyLinear(parsed2.root))
    return { test: (subject, steps) => testNative(native, subject, steps) }
  const program = compileRegex(parsed2, budget)
  const match = parsed2.hasBackreference ? backtrack : simulate
  return { test: (subject, steps) => match(program, subject, steps) }
}
function checkSyntax(source) {
  try {
    return { native: new RegExp(source, 'u'), text: source }
  } catch (error) {
    const text2 = withoutNeedlessEscapes(source)
    if (text2 === source) throw error
    return { native: new RegExp(text2, 'u'), text: text2 }
  }
}
function testNative(native, subject, budget) {
  budget.patternSteps -= subject.length >> 3
  if (budget.patternSteps < 0) throw patternLimit
  return native.test(subject)
}
var maxSourceLength, withoutNeedlessEscapes
var init_pattern = __esm({
  'packages/sdk/src/schema/regex/pattern.ts'() {
    init_backtrack()
    init_linear()
    init_parse()
    init_program()
    init_simulate()
    maxSourceLength = 1e4
    withoutNeedlessEscapes = (source) =>
      source.replace(/\\(?:([-_"'@#%&:;<=>,~`! ])|.)/gs, (whole, needless) =>
        needless === void 0 ? whole : `\\x${needless.charCodeAt(0).toString(16).padStart(2, '0')}`,
      )
  },
})

// packages/sdk/src/schema/run.ts
var LimitReached, outOfSteps, tooDeep, maxIssues, Run, Evaluated
var init_run = __esm({
  'packages/sdk/src/schema/run.ts'() {
    LimitReached = class {
      reason
      constructor(reason2) {
        this.reason = reason2
      }
    }
    outOfSteps = new LimitReached('validating took too many steps')
    tooDeep = new LimitReached('the value is nested too deep')
    maxIssues = 10
    Run = class {
      steps
      patternSteps
      depth
      /** Where to report, or null while only the answer matters. */
      issues
      /** Kept up to date only while issues are collected. */
      path = []
      /** What has been evaluated of the current value, while an `unevaluated…` keyword wants to know. */
      evaluated = null
      scope = null
      /** How many alternatives are being explained around the current one. */
      explaining = 0
      constructor(limits, issues) {
        this.steps = limits.maxSteps
        this.patternSteps = limits.maxPatternSteps
        this.depth = limits.maxDepth
        this.issues = issues
      }
      /** Pays for work that grows with the value or the schema. */
      spend(steps) {
        this.steps -= steps
        if (this.steps < 0) throw outOfSteps
      }
      stopTooDeep() {
        throw tooDeep
      }
      /** Checks the current value against a schema. */
      apply(node, value) {
        if (--this.steps < 0) throw outOfSteps
        if (--this.depth < 0) throw tooDeep
        const valid = node.check(value, this)
        this.depth++
        return valid
      }
      /** Checks a member or item of the current value. */
      applyTo(key, node, value) {
        const { evaluated, issues } = this
        this.evaluated = null
        if (issues) this.path.push(key)
        const valid = this.apply(node, value)
        if (issues) this.path.pop()
        this.evaluated = evaluated
        return valid
      }
      /** Checks without reporting. What a failing schema evaluated does not count, so it is only kept on success. */
      probe(node, value) {
        const { issues } = this
        this.issues = null
        const valid = this.branch(node, value)
        this.issues = issues
        return valid
      }
      /** Checks one of several alternatives, keeping what it evaluated if it holds. */
      branch(node, value) {
        const outer = this.evaluated
        if (!outer) return this.apply(node, value)
        const own2 = new Evaluated()
        this.evaluated = own2
        const valid = this.apply(node, value)
        this.evaluated = outer
        if (valid) this.spend(outer.add(own2))
        return valid
      }
      /** Reports if anyone listens; always false. The message is only built when it is needed. */
      fail(keyword2, message, ...at2) {
        if (this.issues && this.issues.length < maxIssues)
          this.issues.push({ path: [...this.path, ...at2], message: message(), keyword: keyword2 })
        return false
      }
    }
    Evaluated = class {
      properties = /* @__PURE__ */ new Set()
      items = /* @__PURE__ */ new Set()
      allProperties = false
      allItems = false
      /** Takes over what another one has; returns how much work that was. */
      add(other) {
        for (const name of other.properties) this.properties.add(name)
        for (const index of other.items) this.items.add(index)
        this.allProperties ||= other.allProperties
        this.allItems ||= other.allItems
        return other.properties.size + other.items.size
      }
    }
  },
})

// packages/sdk/src/schema/compile.ts
function compileNodes(registry, root, assertFormats) {
  const compilation = new Compilation(registry, assertFormats)
  const node = compilation.nodeAt(root)
  compilation.finish()
  return node
}
function inOrder(checks) {
  const [first, second] = checks
  if (!first) return alwaysValid.check
  if (!second) return first
  return (value, run2) => {
    let valid = true
    for (let index = 0; index < checks.length; index++) {
      if (checks[index](value, run2)) continue
      if (!run2.issues) return false
      valid = false
    }
    return valid
  }
}
function tracking(check2) {
  return (value, run2) => {
    const outer = run2.evaluated
    const inner = new Evaluated()
    run2.evaluated = inner
    const valid = check2(value, run2)
    run2.evaluated = outer
    if (valid && outer) run2.spend(outer.add(inner))
    return valid
  }
}
function enterScope(draft) {
  const { check: check2, location } = draft
  const { resource } = location
  draft.check = (value, run2) => {
    const outer = run2.scope
    if (outer?.resource === resource) return check2(value, run2)
    run2.scope = { resource, outer }
    const valid = check2(value, run2)
    run2.scope = outer
    return valid
  }
}
var alwaysValid, neverValid, Compilation, isDraft
var init_compile = __esm({
  'packages/sdk/src/schema/compile.ts'() {
    init_keyword()
    init_keywords()
    init_pattern()
    init_registry()
    init_run()
    init_value()
    alwaysValid = { check: () => true }
    neverValid = {
      check: (value, run2) => run2.fail('false', () => `expected nothing, got ${typeName(value)}`),
    }
    Compilation = class {
      assertFormats
      #registry
      #drafts = /* @__PURE__ */ new Map()
      #open = []
      #patterns = /* @__PURE__ */ new Map()
      #patternBudget = { left: 1e5 }
      #dynamicTargets = /* @__PURE__ */ new Map()
      constructor(registry, assertFormats) {
        this.#registry = registry
        this.assertFormats = assertFormats
      }
      node(schema, from, pointer) {
        return this.nodeAt(this.#registry.locate(schema, from.resource, pointer))
      }
      nodeAt(location) {
        if (typeof location.schema === 'boolean') return location.schema ? alwaysValid : neverValid
        let draft = this.#drafts.get(location)
        if (!draft) {
          draft = { location, inPlace: [], check: alwaysValid.check }
          this.#drafts.set(location, draft)
          this.#open.push(draft)
        }
        return draft
      }
      pattern(source) {
        const pattern2 = this.#patterns.get(source) ?? compilePattern(source, this.#patternBudget)
        this.#patterns.set(source, pattern2)
        return pattern2
      }
      resolve(reference3, from, keyword2) {
        return this.#registry.resolve(reference3, from, keyword2)
      }
      linkInPlace(from, to) {
        this.#drafts.get(from)?.inPlace.push(to)
      }
      dynamicTargets(anchor) {
        const targets = this.#dynamicTargets.get(anchor) ?? /* @__PURE__ */ new Map()
        this.#dynamicTargets.set(anchor, targets)
        return targets
      }
      finish() {
        do this.#compileOpen()
        while (this.#addDynamicTargets())
        this.#refuseCircles()
        if (this.#registry.usesDynamicScope) for (const draft of this.#drafts.values()) enterScope(draft)
      }
      #compileOpen() {
        for (let draft = this.#open.pop(); draft; draft = this.#open.pop()) draft.check = this.#compile(draft.location)
      }
      /** Every resource that has the anchor is a possible target; true if that brought new work. */
      #addDynamicTargets() {
        for (const [anchor, targets] of this.#dynamicTargets) {
          for (const location of this.#registry.dynamicAnchors.get(anchor) ?? [])
            targets.set(location.resource, this.nodeAt(location))
        }
        return this.#open.length > 0
      }
      #compile(location) {
        const keywords = keywordsOf(location.schema, location.resource.dialect)
        const checks = []
        for (const { name, compile } of keywords) {
          const check2 = compile(location.schema[name], new Site(name, location, this))
          if (check2) checks.push(check2)
        }
        const all2 = inOrder(checks)
        return keywords.some(({ vocabulary }) => vocabulary === 'unevaluated') ? tracking(all2) : all2
      }
      /** A schema that applies itself to the same value again would never come to an end. */
      #refuseCircles() {
        const state = /* @__PURE__ */ new Map()
        for (const start3 of this.#drafts.values()) {
          const path = state.has(start3) || start3.inPlace.length === 0 ? [] : [{ draft: start3, next: 0 }]
          for (let top = path.at(-1); top; top = path.at(-1)) {
            state.set(top.draft, 'open')
            const target = top.draft.inPlace[top.next++]
            if (!target) state.set(path.pop().draft, 'done')
            else if (state.get(target) === 'open')
              refuse(top.draft.location.pointer, 'the schema refers to itself without looking into the value')
            else if (isDraft(target) && !state.has(target)) path.push({ draft: target, next: 0 })
          }
        }
      }
    }
    isDraft = (node) => 'inPlace' in node
  },
})

// packages/sdk/src/schema/limits.ts
var defaultLimits
var init_limits2 = __esm({
  'packages/sdk/src/schema/limits.ts'() {
    defaultLimits = {
      maxDepth: 500,
      maxNodes: 1e4,
      maxSteps: 1e6,
      maxPatternSteps: 2e6,
    }
  },
})

// packages/sdk/src/schema/validator.ts
function compileSchema(schema, options = {}) {
  const limits = { ...defaultLimits, ...options.limits }
  const registry = new Registry(
    limits,
    options.defaultDialect ?? '2020-12',
    options.documents ?? /* @__PURE__ */ new Map(),
  )
  const root = guardStack(() => compileNodes(registry, registry.addRoot(schema), options.formats ?? false))
  return {
    isValid: (value) => check(root, value, limits, null) === true,
    validate(value) {
      const answer4 = check(root, value, limits, null)
      if (answer4 === true) return []
      const issues = []
      const reason2 = answer4 === false ? check(root, value, limits, issues) : answer4
      if (typeof reason2 === 'string' && issues.length === 0)
        issues.push({ path: [], message: reason2, keyword: 'limit' })
      return issues
    },
  }
}
function check(root, value, limits, issues) {
  const run2 = new Run(limits, issues)
  try {
    return run2.apply(root, value)
  } catch (thrown) {
    const reason2 = limitReason(thrown)
    if (reason2 === void 0) throw thrown
    return reason2
  }
}
function limitReason(thrown) {
  if (thrown instanceof LimitReached) return thrown.reason
  if (thrown === patternLimit) return 'matching a pattern took too many steps'
  return thrown instanceof RangeError ? 'the value needs more stack than there is' : void 0
}
function guardStack(work) {
  try {
    return work()
  } catch (thrown) {
    if (thrown instanceof RangeError) return refuse('#', 'it is nested too deep')
    throw thrown
  }
}
var init_validator = __esm({
  'packages/sdk/src/schema/validator.ts'() {
    init_compile()
    init_limits2()
    init_simulate()
    init_registry()
    init_run()
  },
})

// packages/sdk/src/client/schema-engine.ts
var schema_engine_exports = {}
__export(schema_engine_exports, {
  compileSchema: () => compileSchema,
})
var init_schema_engine = __esm({
  'packages/sdk/src/client/schema-engine.ts'() {
    init_validator()
  },
})

// packages/sdk/src/http-client/http-options.ts
var httpDefaults
var init_http_options = __esm({
  'packages/sdk/src/http-client/http-options.ts'() {
    httpDefaults = {
      maxMessageBytes: 16 * 1024 * 1024,
      maxDepth: 64,
      maxRedirects: 5,
      connectTimeoutMs: 1e4,
      acceptTimeoutMs: 15e3,
      closeTimeoutMs: 1500,
      reconnectMs: 1e3,
      maxReconnectMs: 3e4,
      maxResumptions: 5,
    }
  },
})

// packages/sdk/src/http-client/backoff.ts
function backoffMs(attempt2, baseMs, limitMs) {
  const pause3 = Math.min(limitMs, baseMs * 2 ** Math.min(attempt2 - 1, 20))
  return Math.round(pause3 * (0.5 + Math.random() / 2))
}
var init_backoff = __esm({
  'packages/sdk/src/http-client/backoff.ts'() {},
})

// packages/sdk/src/http-client/verdicts.ts
function verdictFor(url3) {
  const known2 = verdicts.get(keyOf(url3))
  return known2 !== void 0 && known2.until > Date.now() ? known2.verdict : {}
}
function remember(url3, verdict) {
  const key = keyOf(url3)
  const merged = { ...verdictFor(url3), ...verdict }
  verdicts.delete(key)
  verdicts.set(key, { verdict: merged, until: Date.now() + ttlMs })
  if (verdicts.size > maxEntries) verdicts.delete(verdicts.keys().next().value)
}
var ttlMs, maxEntries, verdicts, keyOf
var init_verdicts = __esm({
  'packages/sdk/src/http-client/verdicts.ts'() {
    ttlMs = 60 * 60 * 1e3
    maxEntries = 1e3
    verdicts = /* @__PURE__ */ new Map()
    keyOf = (url3) => url3.origin + url3.pathname
  },
})

// packages/sdk/src/transport/peek.ts
function peek(head, tail = '') {
  const glimpse = {}
  readForwards(head, glimpse)
  if (glimpse.id === void 0 || glimpse.kind === void 0) readBackwards(tail, glimpse)
  return glimpse
}
function readForwards(text2, glimpse) {
  const start3 = skipSpace(text2, text2.charCodeAt(0) === 65279 ? 1 : 0)
  if (text2[start3] !== '{') return
  let depth = 1
  for (let i = start3 + 1; i < text2.length && depth > 0; i++) {
    const char = text2[i]
    if (char === '"') {
      const end = endOfString(text2, i)
      if (end < 0) return
      if (depth === 1) note(text2, i, end, glimpse)
      i = end
    } else if (char === '{' || char === '[') depth++
    else if (char === '}' || char === ']') depth--
  }
}
function readBackwards(text2, glimpse) {
  let last = text2.length - 1
  while (last >= 0 && isSpace(text2.charCodeAt(last))) last--
  if (text2[last] !== '}') return
  let depth = 1
  for (let i = last - 1; i >= 0 && depth > 0; i--) {
    const char = text2[i]
    if (char === '"') {
      const start3 = startOfString(text2, i)
      if (start3 < 0) return
      if (depth === 1) note(text2, start3, i, glimpse)
      i = start3
    } else if (char === '}' || char === ']') depth++
    else if (char === '{' || char === '[') depth--
  }
}
function note(text2, start3, end, glimpse) {
  const colon = skipSpace(text2, end + 1)
  if (text2[colon] !== ':') return
  const name = text2.slice(start3 + 1, end)
  if (name === 'method') glimpse.kind ??= 'request'
  else if (name === 'result' || name === 'error') glimpse.kind ??= 'response'
  else if (name === 'id') {
    const id = readId(text2, skipSpace(text2, colon + 1))
    if (id !== void 0) glimpse.id ??= id
  }
}
function readId(text2, start3) {
  if (text2[start3] === '"') {
    const end = endOfString(text2, start3)
    return end < 0 ? void 0 : parsed(text2.slice(start3, end + 1))
  }
  const number2 = Number(/^-?\d+(?=[\s,}])/.exec(text2.slice(start3, start3 + 20))?.[0] ?? Number.NaN)
  return Number.isSafeInteger(number2) ? number2 : void 0
}
function parsed(text2) {
  try {
    return JSON.parse(text2)
  } catch {
    return void 0
  }
}
function startOfString(text2, end) {
  for (let start3 = end; start3 > 1; ) {
    start3 = text2.lastIndexOf('"', start3 - 1)
    if (start3 <= 0) return -1
    let before3 = start3 - 1
    while (text2.charCodeAt(before3) === 92) before3--
    if ((start3 - before3) % 2 === 1) return start3
  }
  return -1
}
function skipSpace(text2, from) {
  let at2 = from
  while (isSpace(text2.charCodeAt(at2))) at2++
  return at2
}
var isSpace
var init_peek = __esm({
  'packages/sdk/src/transport/peek.ts'() {
    init_limits()
    isSpace = (code) => code === 32 || code === 9 || code === 13 || code === 10
  },
})

// packages/sdk/src/transport/wait.ts
function gate() {
  let open
  const passed = new Promise((resolve) => {
    open = resolve
  })
  return { passed, open }
}
async function withinMs(limitMs, something) {
  let timer2
  const tooLate2 = new Promise((resolve) => {
    timer2 = setTimeout(resolve, limitMs, false)
  })
  try {
    return await Promise.race([something.then(() => true), tooLate2])
  } finally {
    clearTimeout(timer2)
  }
}
var init_wait = __esm({
  'packages/sdk/src/transport/wait.ts'() {},
})

// packages/sdk/src/transport/kept-text.ts
var encoder, KeptText
var init_kept_text = __esm({
  'packages/sdk/src/transport/kept-text.ts'() {
    encoder = new TextEncoder()
    KeptText = class _KeptText {
      head
      kept
      tail
      constructor(head, kept, tail) {
        this.head = head
        this.kept = kept
        this.tail = tail
      }
      within(before3, after) {
        return new _KeptText(before3 + this.head, this.kept, this.tail + after)
      }
      toString() {
        return this.head + this.kept.text + this.tail
      }
      /** All of it as bytes that nobody else has. */
      toBytes() {
        const { bytes } = this.kept
        const head = encoder.encode(this.head)
        const tail = encoder.encode(this.tail)
        const all2 = new Uint8Array(head.length + bytes.length + tail.length)
        all2.set(head)
        all2.set(bytes, head.length)
        all2.set(tail, head.length + bytes.length)
        return all2
      }
    }
  },
})

// packages/sdk/src/transport/to-json.ts
function toText(payload) {
  const { id, result: result2 } = payload
  const kept = result2 === void 0 ? void 0 : keptResults.get(result2)
  if (kept === void 0) return JSON.stringify(payload)
  return new KeptText(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, kept, '}')
}
var keptResults, toJson
var init_to_json = __esm({
  'packages/sdk/src/transport/to-json.ts'() {
    init_kept_text()
    keptResults = /* @__PURE__ */ new WeakMap()
    toJson = (payload) => String(toText(payload))
  },
})

// packages/sdk/src/transport/lines.ts
function join(left, right) {
  const joined = new Uint8Array(left.length + right.length)
  joined.set(left)
  joined.set(right, left.length)
  return joined
}
function isJson(text2) {
  try {
    JSON.parse(text2)
    return true
  } catch {
    return false
  }
}
function decodeWithTextDecoder() {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return (bytes, start3, end) => decoder.decode(bytes.subarray(start3, end))
}
var encodeLine, defaultMaxLineBytes, newline, byteOrderMark, keptBytes, glimpseBytes, nothing2, LineDecoder, SkippedLine
var init_lines = __esm({
  'packages/sdk/src/transport/lines.ts'() {
    init_errors()
    init_limits()
    init_peek()
    init_to_json()
    encodeLine = (payload) => `${toJson(payload)}
`
    defaultMaxLineBytes = 4 * 1024 * 1024
    newline = 10
    byteOrderMark = 65279
    keptBytes = 64 * 1024
    glimpseBytes = 4 * 1024
    nothing2 = new Uint8Array(0)
    LineDecoder = class {
      #sink
      #maxLineBytes
      #maxDepth
      #decode
      // The unfinished line. Bytes are copied into a growing buffer, so that many tiny chunks cost no more than one big one.
      #buffer = nothing2
      #held = 0
      #skipped
      #stopped = false
      constructor(sink, options = {}) {
        this.#sink = sink
        this.#maxLineBytes = options.maxLineBytes ?? defaultMaxLineBytes
        this.#maxDepth = options.maxDepth ?? defaultMaxDepth
        this.#decode = options.decode ?? decodeWithTextDecoder()
      }
      /** Takes the next bytes; they are free to be reused afterwards. */
      push(chunk) {
        if (this.#stopped) return
        let from = 0
        if (this.#held > 0 || this.#skipped) {
          const end = chunk.indexOf(newline)
          this.#hold(chunk, 0, end < 0 ? chunk.length : end)
          if (end < 0) return
          this.#finishLine()
          from = end + 1
        }
        const last = chunk.lastIndexOf(newline)
        if (last >= from) {
          this.#takeLines(chunk, from, last + 1)
          from = last + 1
        }
        if (from < chunk.length) this.#hold(chunk, from, chunk.length)
      }
      /** No more bytes will come: what is held is the last line. */
      end() {
        if (this.#held > 0 || this.#skipped) this.#finishLine()
        this.stop()
      }
      /** Hands out nothing more, not even lines that have already arrived. */
      stop() {
        this.#stopped = true
        this.#buffer = nothing2
        this.#held = 0
        this.#skipped = void 0
      }
      #takeLines(chunk, from, to) {
        if (to - from <= this.#maxLineBytes) this.#takeText(this.#decode(chunk, from, to))
        else this.#takeOneByOne(chunk, from, to)
      }
      // One decoding for many lines: the crossing into native code costs more than the bytes do.
      #takeText(text2) {
        let start3 = 0
        for (let end = text2.indexOf('\n'); end >= 0; end = text2.indexOf('\n', start3)) {
          if (end > start3) this.#take(text2.slice(start3, end))
          if (this.#stopped) return
          start3 = end + 1
        }
      }
      #takeOneByOne(chunk, from, to) {
        for (let start3 = from; start3 < to && !this.#stopped; ) {
          const end = chunk.indexOf(newline, start3)
          this.#hold(chunk, start3, end)
          this.#finishLine()
          start3 = end + 1
        }
      }
      #hold(chunk, from, to) {
        if (this.#stopped) return
        const bytes = chunk.subarray(from, to)
        const length2 = this.#held + bytes.length
        if (this.#skipped) this.#skipped.add(bytes)
        else if (length2 > this.#maxLineBytes) this.#startSkipping(bytes)
        else {
          if (length2 > this.#buffer.length) this.#grow(length2)
          this.#buffer.set(bytes, this.#held)
          this.#held = length2
        }
      }
      #startSkipping(bytes) {
        this.#skipped = new SkippedLine()
        this.#skipped.add(this.#buffer.subarray(0, this.#held))
        this.#skipped.add(bytes)
        this.#releaseBuffer()
      }
      #grow(length2) {
        const larger = new Uint8Array(Math.max(4096, length2, Math.min(this.#buffer.length * 2, this.#maxLineBytes)))
        larger.set(this.#buffer.subarray(0, this.#held))
        this.#buffer = larger
      }
      #releaseBuffer() {
        this.#held = 0
        if (this.#buffer.length > keptBytes) this.#buffer = nothing2
      }
      #finishLine() {
        if (this.#skipped) {
          const { head, tail } = this.#skipped
          this.#skipped = void 0
          const glimpse = peek(this.#decode(head, 0, head.length), this.#decode(tail, 0, tail.length))
          this.#refuse(`Message exceeds the limit of ${this.#maxLineBytes} bytes (maxLineBytes)`, glimpse)
        } else if (this.#held > 0) {
          const line = this.#decode(this.#buffer, 0, this.#held)
          this.#releaseBuffer()
          this.#take(line)
        }
      }
      #take(line) {
        if (exceedsDepth(line, this.#maxDepth)) {
          const glimpse = peek(line, line.slice(-glimpseBytes))
          this.#refuse(`Message nests deeper than the limit of ${this.#maxDepth} levels`, glimpse)
          return
        }
        let value
        try {
          value = JSON.parse(line)
        } catch {
          this.#takeMalformed(line)
          return
        }
        this.#sink.receive(value)
      }
      #takeMalformed(line) {
        const text2 = line.trim()
        if (text2 === '') return
        if (line.charCodeAt(0) === byteOrderMark && isJson(text2)) {
          this.#sink.receive(JSON.parse(text2))
          return
        }
        const start3 = JSON.stringify(text2.slice(0, 60))
        this.#sink.refuse({ code: ErrorCode.ParseError, message: `Parse error: not JSON: ${start3}` })
      }
      #refuse(message, glimpse) {
        const refusal = { code: ErrorCode.InvalidRequest, message, ...glimpse }
        this.#sink.refuse(refusal)
      }
    }
    SkippedLine = class {
      head = nothing2
      tail = nothing2
      add(bytes) {
        if (this.head.length < glimpseBytes)
          this.head = join(this.head, bytes.subarray(0, glimpseBytes - this.head.length))
        const last = bytes.subarray(-glimpseBytes)
        this.tail = join(this.tail.subarray(Math.max(0, this.tail.length + last.length - glimpseBytes)), last)
      }
    }
  },
})

// packages/sdk/src/transport/line-reader.ts
import { Buffer as Buffer3 } from 'node:buffer'

function keep() {}
function decodeWithBuffer(bytes, start3, end) {
  const buffer = Buffer3.isBuffer(bytes) ? bytes : Buffer3.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString('utf8', start3, end)
}
var LineReader
var init_line_reader = __esm({
  'packages/sdk/src/transport/line-reader.ts'() {
    init_lines()
    LineReader = class {
      #input
      #limits
      #onEnd
      #receiver
      #decoder
      #finished
      #ended = false
      /** `onEnd` is called once, when the stream has nothing more to give; the owner then decides when to `finish`. */
      constructor(input, limits, onEnd) {
        this.#input = input
        this.#limits = limits
        this.#onEnd = onEnd
        input.on('error', this.#end)
        input.on('readable', keep)
      }
      open(receiver) {
        this.#receiver = receiver
        if (this.#finished) this.#tellClosed()
        else this.#start(receiver)
      }
      #start(receiver) {
        const decoder = new LineDecoder(receiver, { ...this.#limits, decode: decodeWithBuffer })
        this.#decoder = decoder
        this.#input.off('readable', keep)
        this.#input.on('data', (chunk) => {
          decoder.push(typeof chunk === 'string' ? Buffer3.from(chunk) : chunk)
        })
        this.#input.on('end', this.#end)
        this.#input.on('close', () => this.#end())
        if (this.#input.readableEnded || this.#input.destroyed) process.nextTick(this.#end)
        else this.#input.resume()
      }
      /** Ends the receiving: nothing more is handed out but `closed`. What still arrives is read and dropped. */
      finish(reason2) {
        if (this.#finished) return
        this.#finished = reason2 ? { reason: reason2 } : {}
        this.#decoder?.stop()
        if (this.#receiver) this.#tellClosed()
        else this.#input.off('readable', keep).resume()
      }
      /** Why the receiving ended, if it did and not just so. */
      get reason() {
        return this.#finished?.reason
      }
      #end = (error) => {
        if (this.#ended) return
        this.#ended = true
        this.#decoder?.end()
        this.#onEnd(error)
      }
      #tellClosed() {
        queueMicrotask(() => this.#receiver?.closed(this.#finished?.reason))
      }
    }
  },
})

// packages/sdk/src/transport/line-writer.ts
var eagerLength, LineWriter
var init_line_writer = __esm({
  'packages/sdk/src/transport/line-writer.ts'() {
    init_lines()
    init_wait()
    eagerLength = 64 * 1024
    LineWriter = class {
      #stream
      #write
      #text = ''
      #scheduled = false
      #inFlight = 0
      #drained
      #idle
      #failed = false
      /** `write` replaces `stream.write`, for a stream whose own is taken. */
      constructor(stream, write) {
        this.#stream = stream
        this.#write = write ?? ((text2, done) => stream.write(text2, done))
        stream.on('drain', this.#onDrain)
      }
      /** Returns a promise while the reader is behind; it resolves when there is room again, or nobody left to wait for. */
      send(payload) {
        if (this.#failed) return
        this.#text += encodeLine(payload)
        if (this.#drained) return this.#drained.passed
        if (this.#text.length >= eagerLength) this.#flush()
        else if (!this.#scheduled) {
          this.#scheduled = true
          process.nextTick(this.#flush)
        }
        return this.#drained?.passed
      }
      /** How much text waits for the reader to catch up. */
      get waiting() {
        return this.#text.length
      }
      /** Resolves when everything sent so far is out of our hands. */
      async flushed() {
        this.#flush()
        if (this.#failed || (this.#text === '' && this.#inFlight === 0)) return
        this.#idle ??= gate()
        await this.#idle.passed
      }
      /** The stream is broken: drops what is left and lets go of everyone who waits. */
      fail() {
        this.#failed = true
        this.#text = ''
        this.#stream.off('drain', this.#onDrain)
        this.#drained?.open()
        this.#drained = void 0
        this.#settle()
      }
      #flush = () => {
        this.#scheduled = false
        if (this.#stream.destroyed) this.fail()
        if (this.#text === '' || this.#drained) return
        const text2 = this.#text
        this.#text = ''
        this.#inFlight++
        if (!this.#write(text2, this.#onWritten)) this.#drained = gate()
      }
      #onWritten = () => {
        this.#inFlight--
        if (this.#inFlight === 0 && this.#text === '') this.#settle()
      }
      #onDrain = () => {
        const drained = this.#drained
        this.#drained = void 0
        drained?.open()
        this.#flush()
      }
      #settle() {
        this.#idle?.open()
        this.#idle = void 0
      }
    }
  },
})

// packages/sdk/src/transport/orphan-guard.ts
import { spawn } from 'node:child_process'

function guardGroup(pid) {
  registered.add(pid)
  tell(`add ${pid}
`)
  return () => {
    if (registered.delete(pid))
      tell(`del ${pid}
`)
  }
}
function startGuard() {
  if (guard) return
  const started = spawn('/bin/sh', ['-c', script2], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    env: { PATH: '/usr/bin:/bin' },
    cwd: '/',
  })
  guard = started
  const forget = () => {
    if (guard === started) guard = void 0
  }
  started.on('error', forget)
  started.on('exit', forget)
  started.stdin.on('error', forget)
  started.unref()
  started.stdin.unref?.()
  for (const pid of registered)
    tell(`add ${pid}
`)
}
function tell(line) {
  if (guard?.stdin?.writable) guard.stdin.write(line)
}
var script2, registered, guard
var init_orphan_guard = __esm({
  'packages/sdk/src/transport/orphan-guard.ts'() {
    script2 = `
groups=' '
while read -r verb id; do
  case $verb in
    add) groups="$groups$id " ;;
    del) case $groups in *" $id "*) groups="\${groups%% $id *} \${groups#* $id }" ;; esac ;;
  esac
done
signal() {
  alive=' '
  for id in $groups; do
    kill -s "$1" -- "-$id" && alive="$alive$id "
  done
  groups=$alive
}
wait_for() {
  for round in $1; do
    signal 0
    [ "$groups" = ' ' ] && exit
    sleep 0.1 || sleep 1
  done
}
wait_for '1 2 3'
signal TERM
wait_for '1 2 3 4 5'
signal KILL
`
    registered = /* @__PURE__ */ new Set()
  },
})

// packages/sdk/src/transport/process-env.ts
function serverEnv(given = {}, inherit = 'safe', host = process.env, platform = process.platform) {
  const windows = platform === 'win32'
  const same = (name) => (windows ? name.toUpperCase() : name)
  const env = /* @__PURE__ */ new Map()
  const inherits = inheritedBy(inherit, windows ? windowsNames : posixNames, same)
  for (const [name, value] of Object.entries(host)) {
    if (value !== void 0 && inherits(name) && !value.startsWith('()')) env.set(same(name), [name, value])
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === void 0) env.delete(same(name))
    else env.set(same(name), [name, value])
  }
  return Object.fromEntries(env.values())
}
function inheritedBy(inherit, safe, same) {
  if (typeof inherit === 'boolean') return () => inherit
  const names = new Set([...safe, ...(inherit === 'safe' ? [] : inherit)].map(same))
  return (name) => names.has(same(name)) || name.startsWith('LC_')
}
var posixNames, windowsNames
var init_process_env = __esm({
  'packages/sdk/src/transport/process-env.ts'() {
    posixNames = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'LANG', 'LANGUAGE', 'TMPDIR', 'TZ']
    windowsNames = [
      'ALLUSERSPROFILE',
      'APPDATA',
      'COMMONPROGRAMFILES',
      'COMPUTERNAME',
      'COMSPEC',
      'HOMEDRIVE',
      'HOMEPATH',
      'LOCALAPPDATA',
      'NUMBER_OF_PROCESSORS',
      'OS',
      'PATH',
      'PATHEXT',
      'PROCESSOR_ARCHITECTURE',
      'PROGRAMDATA',
      'PROGRAMFILES',
      'PROGRAMFILES(X86)',
      'SYSTEMDRIVE',
      'SYSTEMROOT',
      'TEMP',
      'TMP',
      'USERNAME',
      'USERPROFILE',
      'WINDIR',
    ]
  },
})

// packages/sdk/src/transport/process-errors.ts
import { statSync } from 'node:fs'

function describeCommand({ command, args = [] }) {
  const line = [command, ...args].join(' ')
  return `'${line.length > 120 ? `${line.slice(0, 119)}\u2026` : line}'`
}
function spawnError(options, error) {
  return new McpError('spawn', `Cannot start server ${describeCommand(options)}: ${explain2(options, error)}`, {
    cause: error,
  })
}
function explain2({ command, args = [], cwd }, error) {
  if (cwd !== void 0 && !isDirectory(cwd)) return `the working directory '${cwd}' is not a directory that exists`
  switch (error.code) {
    case 'ENOENT':
      return args.length === 0 && /\s/.test(command)
        ? `there is no program of that name; pass the program as 'command' and the rest as 'args'`
        : `the program '${command}' was not found; install it, or give its full path (PATH is looked through)`
    case 'EACCES':
    case 'EPERM':
      return `'${command}' may not be executed; make it executable, or start it through its interpreter`
    case 'ENOEXEC':
      return `'${command}' is not a program; start it through its interpreter`
    case 'E2BIG':
      return 'arguments and environment are too long together'
    default:
      return error.message
  }
}
function isDirectory(path) {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
var init_process_errors = __esm({
  'packages/sdk/src/transport/process-errors.ts'() {
    init_errors()
  },
})

// packages/sdk/src/transport/process-group.ts
import { spawn as spawn2 } from 'node:child_process'
import { join as join2 } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

function signalGroup(pid, signal) {
  try {
    if (isWindows) killWindowsTree(pid)
    else process.kill(-pid, signal)
  } catch {}
}
function isGroupAlive(pid) {
  if (isWindows) return false
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false
  }
}
async function reapGroup(pid, graceMs3) {
  if (!isGroupAlive(pid)) return
  signalGroup(pid, 'SIGTERM')
  if (await isGroupGone(pid, graceMs3)) return
  signalGroup(pid, 'SIGKILL')
  await isGroupGone(pid, 200)
}
async function isGroupGone(pid, limitMs) {
  for (const end = Date.now() + limitMs; Date.now() < end; ) {
    if (!isGroupAlive(pid)) return true
    await sleep(pollMs)
  }
  return !isGroupAlive(pid)
}
function killWindowsTree(pid) {
  const taskkill = join2(process.env.SYSTEMROOT ?? 'C:\\Windows', 'System32', 'taskkill.exe')
  spawn2(taskkill, ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => {})
}
var isWindows, pollMs
var init_process_group = __esm({
  'packages/sdk/src/transport/process-group.ts'() {
    isWindows = process.platform === 'win32'
    pollMs = 10
  },
})

// packages/sdk/src/transport/text-tail.ts
var TextTail
var init_text_tail = __esm({
  'packages/sdk/src/transport/text-tail.ts'() {
    TextTail = class {
      #limit
      #text = ''
      constructor(limit) {
        this.#limit = limit
      }
      add(text2) {
        this.#text += text2.length > this.#limit ? text2.slice(-this.#limit) : text2
        if (this.#text.length > 2 * this.#limit) this.#text = this.toString()
      }
      toString() {
        return this.#text.slice(-this.#limit)
      }
    }
  },
})

// packages/sdk/src/transport/process.ts
var process_exports = {}
__export(process_exports, {
  spawnChannel: () => spawnChannel,
})

import { spawn as spawnNatively } from 'node:child_process'

async function spawnChannel(options) {
  const guarded = !isWindows2 && options.orphanGuard !== false
  if (guarded) startGuard()
  const spawn3 = isWindows2 ? (await import('cross-spawn')).default : spawnNatively
  const child = start2(spawn3, options)
  const { pid } = child
  if (pid === void 0) throw await startFailure(child, options)
  return new ServerProcess(child, pid, guarded ? guardGroup(pid) : () => {}, options)
}
function start2(spawn3, options) {
  const { stderr = 'capture' } = options
  try {
    return spawn3(options.command, options.args ?? [], {
      cwd: options.cwd,
      env: serverEnv(options.env, options.inheritEnv),
      stdio: ['pipe', 'pipe', stderr === 'inherit' || stderr === 'ignore' ? stderr : 'pipe'],
      shell: false,
      windowsHide: true,
      // On POSIX a group of its own, so that all it starts can be ended with it; on Windows it would open a window.
      detached: !isWindows2,
    })
  } catch (error) {
    throw spawnError(options, error)
  }
}
var isWindows2, drainMs, killMs, maxUnreadAnswers, startFailure, ServerProcess
var init_process = __esm({
  'packages/sdk/src/transport/process.ts'() {
    init_errors()
    init_is_answer()
    init_line_reader()
    init_line_writer()
    init_orphan_guard()
    init_process_env()
    init_process_errors()
    init_process_group()
    init_text_tail()
    init_wait()
    isWindows2 = process.platform === 'win32'
    drainMs = 250
    killMs = 1e3
    maxUnreadAnswers = 16 * 1024 * 1024
    startFailure = (child, options) =>
      new Promise((resolve) => child.once('error', (error) => resolve(spawnError(options, error))))
    ServerProcess = class {
      about = { transport: 'stdio' }
      pid
      exited
      #child
      #options
      #unguard
      #writer
      #reader
      #stderr = new TextTail(8 * 1024)
      #opened = gate()
      #outputEnded = gate()
      #exit
      #reaped = Promise.resolve()
      #closing
      /** What the server has not read, counted anew each time it catches up. */
      #unread
      constructor(child, pid, unguard, options) {
        this.pid = pid
        this.#child = child
        this.#options = options
        this.#unguard = unguard
        const stdin = child.stdin
        this.#writer = new LineWriter(stdin)
        stdin.on('error', () => this.#onStreamLost('input'))
        this.#reader = new LineReader(child.stdout, options, () => {
          this.#outputEnded.open()
          this.#onStreamLost('output')
        })
        this.#listenToStderr()
        child.on('error', () => {})
        this.exited = new Promise((resolve) => {
          child.once('exit', (code, signal) => {
            this.#exit = { code, signal }
            resolve(this.#exit)
            void this.#onExit()
          })
        })
      }
      open(receiver) {
        this.#reader.open(receiver)
        this.#opened.open()
      }
      send(payload) {
        if (this.#exit || this.#closing || this.#reader.reason) {
          throw new McpError('closed', this.#reader.reason?.message ?? 'The channel is closed')
        }
        const waiting2 = this.#writer.waiting
        const sending = this.#writer.send(payload)
        if (sending && isAnswer(payload)) this.#boundAnswers(sending, this.#writer.waiting - waiting2)
        return sending
      }
      close() {
        this.#closing ??= this.#close()
        return this.#closing
      }
      stderrTail() {
        return this.#stderr.toString()
      }
      async #close() {
        this.#reader.finish()
        await this.#stop()
        await this.#reaped
        this.#release()
      }
      /** Asks politely, asks firmly, kills: each only if the one before did not help. */
      async #stop() {
        const { exitMs = 1e3, termMs = 1e3 } = this.#options.closeTimeouts ?? {}
        void this.#writer.flushed().then(() => this.#child.stdin?.end())
        if (await withinMs(exitMs, this.exited)) return
        signalGroup(this.pid, 'SIGTERM')
        if (await withinMs(termMs, this.exited)) return
        signalGroup(this.pid, 'SIGKILL')
        await withinMs(killMs, this.exited)
      }
      async #onExit() {
        this.#writer.fail()
        this.#reaped = reapGroup(this.pid, this.#options.closeTimeouts?.termMs ?? 1e3).finally(this.#unguard)
        await this.#opened.passed
        await withinMs(drainMs, Promise.all([this.#outputEnded.passed, this.#stderrEnded()]))
        this.#reader.finish(new McpError('closed', this.#describeExit()))
        await this.#reaped
        this.#release()
      }
      /** A server that closes a stream is about to exit, and its exit says more; if it stays, it is of no use. */
      async #onStreamLost(which) {
        this.#writer.fail()
        if (this.#closing || (await withinMs(drainMs, this.exited))) return
        this.#reader.finish(
          new McpError('closed', `Server process ${this.#name()} closed its standard ${which}${this.#lastWords()}`),
        )
        await this.close()
      }
      #boundAnswers(until, length2) {
        if (this.#unread?.until !== until) this.#unread = { until, answers: 0 }
        this.#unread.answers += length2
        if (this.#unread.answers <= maxUnreadAnswers) return
        this.#writer.fail()
        const problem = `does not read its standard input: the answers it asked for exceed ${maxUnreadAnswers} bytes`
        this.#reader.finish(new McpError('closed', `Server process ${this.#name()} ${problem}${this.#lastWords()}`))
        void this.close()
      }
      #listenToStderr() {
        const { stderr } = this.#child
        const { stderr: listener } = this.#options
        stderr?.setEncoding('utf8')
        stderr?.on('error', () => {})
        stderr?.on('data', (text2) => {
          this.#stderr.add(text2)
          if (typeof listener === 'function') listener(text2)
        })
      }
      async #stderrEnded() {
        const { stderr } = this.#child
        if (!stderr || stderr.closed) return
        await new Promise((resolve) => stderr.once('close', resolve))
      }
      #release() {
        for (const stream of this.#child.stdio) stream?.destroy()
        this.#child.unref()
        this.#unguard()
      }
      #describeExit() {
        const { code, signal } = this.#exit
        const how = signal ? `was ended by ${signal}` : `exited with code ${code}`
        return `Server process ${this.#name()} ${how}${this.#lastWords()}`
      }
      #name() {
        return describeCommand(this.#options)
      }
      #lastWords() {
        const text2 = this.stderrTail().trim()
        return text2 === '' ? '' : `; last stderr: ${text2}`
      }
    }
  },
})

// packages/sdk/src/transport/where.ts
var whereIs
var init_where = __esm({
  'packages/sdk/src/transport/where.ts'() {
    whereIs = ({ hostname, port, protocol }) => ({
      address: hostname,
      port: port === '' ? (/^(?:https|wss):$/.test(protocol) ? 443 : 80) : Number(port),
    })
  },
})

// packages/sdk/src/http-client/repeatable.ts
function isRepeatable(payload) {
  if (Array.isArray(payload) || !('method' in payload)) return true
  return 'id' in payload ? repeatable.has(payload.method) : payload.method.startsWith('notifications/')
}
var repeatable
var init_repeatable = __esm({
  'packages/sdk/src/http-client/repeatable.ts'() {
    repeatable = /* @__PURE__ */ new Set([
      'initialize',
      'server/discover',
      'ping',
      'tools/list',
      'resources/list',
      'resources/templates/list',
      'resources/read',
      'resources/subscribe',
      'resources/unsubscribe',
      'prompts/list',
      'prompts/get',
      'completion/complete',
      'logging/setLevel',
      'subscriptions/listen',
      'tasks/get',
      'tasks/result',
      'tasks/list',
      // Answers to questions that are not open any more are ignored.
      'tasks/update',
      'tasks/cancel',
    ])
  },
})

// packages/sdk/src/http-client/ask.ts
function errorIn(body, request2) {
  if (!isObject(body) || body.jsonrpc !== '2.0' || !isObject(body.error)) return void 0
  const { id } = body
  const isOurs = id === void 0 || id === null || String(id) === String(request2.id)
  return isOurs && Number.isInteger(body.error.code) ? { ...body, id: request2.id } : void 0
}
var lingerMs2, maxPauseMs, Ask, modernCodes2, isModernError2
var init_ask = __esm({
  'packages/sdk/src/http-client/ask.ts'() {
    init_errors()
    init_classify()
    init_backoff()
    init_http_error()
    init_repeatable()
    lingerMs2 = 1e3
    maxPauseMs = 60 * 60 * 1e3
    Ask = class {
      request
      #owner
      #handle
      #timer
      #answered = false
      #dropped = false
      #lastEventId
      #retryMs
      /** GETs in a row that brought nothing. */
      #attempts = 0
      #resuming = false
      #streamed = false
      /** What made a JSON reply useless. */
      #problem
      constructor(request2, owner) {
        this.request = request2
        this.#owner = owner
      }
      start() {
        const { request: request2 } = this
        this.#handle = this.#owner.wire.send(
          {
            method: 'POST',
            headers: this.#owner.postHeaders(request2),
            body: JSON.stringify(request2),
            repeatable: isRepeatable(request2),
          },
          this,
        )
      }
      /** Stops reading. In revisions without sessions this is how a request is cancelled. */
      drop() {
        this.#dropped = true
        clearTimeout(this.#timer)
        this.#handle?.drop()
      }
      // ReplySink
      accepted(head, streamed) {
        this.#streamed = streamed
        if (!this.#resuming) this.#owner.accepted(this.request, head)
        else if (!streamed) {
          this.#handle?.drop()
          this.#fail(new HttpError('http', 'The rest of a stream was asked for, and is not a stream', head))
        }
      }
      event({ id, retry: retry2 }) {
        if (retry2 !== void 0) this.#retryMs = Math.min(retry2, maxPauseMs)
        if (id === void 0) return false
        this.#attempts = 0
        this.#lastEventId = id === '' ? void 0 : id
        return false
      }
      value(value) {
        if (this.#dropped) return
        this.#owner.receive(Array.isArray(value) ? value.map((item) => this.#look(item)) : this.#look(value))
        if (this.#answered && this.#streamed) this.#timer ??= setTimeout(() => this.#finishEarly(), lingerMs2)
      }
      unreadable(problem) {
        if (this.#streamed) this.#owner.unreadable(problem)
        else this.#problem = problem
      }
      preparing() {
        if (!this.#dropped) this.#owner.delayed(this)
      }
      finished(outcome) {
        if (this.#dropped) return
        clearTimeout(this.#timer)
        if (this.#answered) this.#owner.done(this)
        else if (outcome.kind === 'refused' && !this.#resuming) this.#owner.refused(this, outcome.head, outcome.body)
        else if (this.#mayGoOn(outcome)) this.#resume()
        else this.#fail(this.#explain(outcome))
      }
      // Inside
      /** Recognises the answer among everything that may come before it. */
      #look(value) {
        if (!isObject(value) || value.method !== void 0 || value.jsonrpc !== '2.0') return value
        const { id } = this.request
        const isError = isObject(value.error)
        const isOurs = value.id === id || String(value.id) === String(id) || (isError && (value.id ?? null) === null)
        if (!isOurs || (!isError && value.result === void 0)) return value
        this.#answered = true
        return this.#owner.answered(this.request, value.id === id ? value : { ...value, id })
      }
      #finishEarly() {
        this.drop()
        this.#owner.done(this)
      }
      #mayGoOn(outcome) {
        const { limits } = this.#owner
        if (this.#lastEventId === void 0 || this.#attempts >= limits.maxResumptions) return false
        if (this.#owner.resumeHeaders(this.#lastEventId) === void 0) return false
        if (outcome.kind === 'refused') return outcome.head.status >= 500 || outcome.head.status === 429
        return (
          (outcome.kind === 'read' && outcome.streamed) ||
          (outcome.kind === 'broken' && (outcome.streamed || this.#resuming))
        )
      }
      #resume() {
        const { limits } = this.#owner
        this.#attempts += 1
        const pause3 = this.#retryMs ?? backoffMs(this.#attempts, limits.reconnectMs, limits.maxReconnectMs)
        this.#timer = setTimeout(() => this.#get(), pause3)
      }
      #get() {
        this.#timer = void 0
        this.#resuming = true
        const headers = this.#owner.resumeHeaders(this.#lastEventId)
        if (headers === void 0) this.#fail(new McpError('closed', `The session ended before ${this.request.method}`))
        else this.#handle = this.#owner.wire.send({ method: 'GET', headers, repeatable: true }, this)
      }
      #fail(error) {
        this.#dropped = true
        this.#owner.failed(this, error)
      }
      #explain(outcome) {
        const { method } = this.request
        if (outcome.kind === 'broken' && !outcome.streamed && !this.#resuming) return outcome.error
        if (outcome.kind === 'read' && outcome.empty) {
          return new HttpError(
            'http',
            `${method} was answered with HTTP ${outcome.head.status} and no body`,
            outcome.head,
          )
        }
        if (outcome.kind === 'read' && !outcome.streamed) {
          return this.#problem ?? new McpError('invalid_result', `The reply to ${method} contains no answer to it`)
        }
        const why = outcome.kind === 'broken' ? `: ${outcome.error.message}` : ''
        const how = this.#resuming ? 'broke and could not be resumed' : 'ended before the answer'
        const cause = outcome.kind === 'broken' ? { cause: outcome.error } : void 0
        return new McpError('closed', `The stream with the answer to ${method} ${how}${why}; it may have run`, cause)
      }
    }
    modernCodes2 = /* @__PURE__ */ new Set([
      ErrorCode.HeaderMismatch,
      ErrorCode.MissingRequiredClientCapability,
      ErrorCode.UnsupportedProtocolVersion,
    ])
    isModernError2 = (status, answer4) => {
      const code = answer4?.error?.code
      return modernCodes2.has(code) || (status === 404 && code === ErrorCode.MethodNotFound)
    }
  },
})

// packages/sdk/src/http-client/http-sse.ts
function reasonOf(outcome) {
  if (outcome.kind === 'broken') return outcome.error
  if (outcome.kind === 'refused') return refusedError('The stream', outcome.head, outcome.body, false)
  return new McpError('closed', 'The server ended the stream')
}
var HttpSse
var init_http_sse = __esm({
  'packages/sdk/src/http-client/http-sse.ts'() {
    init_errors()
    init_http_error()
    HttpSse = class {
      #owner
      #handle
      #timer
      #opening
      #over = false
      constructor(owner) {
        this.#owner = owner
      }
      /** Opens the stream, and returns where to post; rejects if this is not that transport. */
      open() {
        return new Promise((resolve, reject) => {
          this.#opening = { resolve, reject }
          this.preparing()
          this.#handle = this.#owner.wire.send(
            { method: 'GET', headers: this.#owner.streamHeaders(void 0), repeatable: true },
            this,
          )
        })
      }
      close() {
        this.#over = true
        clearTimeout(this.#timer)
        this.#handle?.drop()
      }
      preparing() {
        const { acceptTimeoutMs } = this.#owner.limits
        clearTimeout(this.#timer)
        this.#timer = setTimeout(() => {
          this.#end(new McpError('timeout', `No event named endpoint within ${acceptTimeoutMs} ms`))
        }, acceptTimeoutMs)
      }
      accepted(head, streamed) {
        if (!streamed) this.#end(new HttpError('http', 'A GET is not answered with a stream of events', head))
      }
      event({ event, data: data2 }) {
        if (this.#opening === void 0) return event === 'endpoint'
        if (event !== 'endpoint') {
          if (data2 !== '') this.#end(new McpError('http', `Expected an event named endpoint first, got ${event}`))
          return true
        }
        this.#found(data2)
        return true
      }
      value(value) {
        if (!this.#over) this.#owner.receive(value)
      }
      unreadable(problem) {
        this.#owner.unreadable(problem)
      }
      finished(outcome) {
        this.#end(reasonOf(outcome))
      }
      #found(data2) {
        const { url: url3 } = this.#owner.wire
        const endpoint = URL.canParse(data2, url3) ? new URL(data2, url3) : void 0
        if (endpoint === void 0 || endpoint.origin !== url3.origin) {
          this.#end(new McpError('http', `The server wants messages posted to another origin: ${data2.slice(0, 200)}`))
          return
        }
        clearTimeout(this.#timer)
        const { resolve } = this.#opening
        this.#opening = void 0
        resolve(endpoint)
      }
      #end(error) {
        if (this.#over) return
        this.close()
        if (this.#opening !== void 0) this.#opening.reject(error)
        else this.#owner.lost(error)
      }
    }
  },
})

// packages/sdk/src/http/header-values.ts
function encodeHeaderValue(value) {
  const text2 = String(value)
  if (plain.test(text2) && !isEncoded(text2)) return text2
  return prefix + bytesToBase64(new TextEncoder().encode(text2)) + suffix
}
var prefix, suffix, plain, isEncoded
var init_header_values = __esm({
  'packages/sdk/src/http/header-values.ts'() {
    init_base64()
    prefix = '=?base64?'
    suffix = '?='
    plain = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/
    isEncoded = (text2) =>
      text2.length >= prefix.length + suffix.length && text2.startsWith(prefix) && text2.endsWith(suffix)
  },
})

// packages/sdk/src/http/param-headers.ts
function paramHeaders(inputSchema) {
  const found = { params: [], problems: [] }
  collect(inputSchema, [], found)
  const seen = /* @__PURE__ */ new Set()
  for (const { header } of found.params) {
    const name = header.toLowerCase()
    if (seen.has(name)) found.problems.push(`${keyword}: ${header} is used more than once`)
    seen.add(name)
  }
  return found
}
function collect(schema, path, found) {
  if (!isObject(schema) || path.length > maxDepth) return
  if (Object.hasOwn(schema, keyword)) annotate(schema, path, found)
  for (const [key, inner] of Object.entries(schema)) {
    if (key === 'properties' && isObject(inner)) {
      for (const [name, property] of Object.entries(inner)) collect(property, [...path, name], found)
    } else if (!data.has(key) && key !== keyword && hides(inner, 0)) {
      found.problems.push(`${keyword} below ${[...path, key].join('.')} cannot be reached through properties alone`)
    }
  }
}
function hides(value, depth) {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return false
  if (Array.isArray(value)) return value.some((item) => hides(item, depth + 1))
  return Object.entries(value).some(([key, inner]) => {
    if (key === 'properties' && isObject(inner)) return Object.values(inner).some((each) => hides(each, depth + 2))
    return key === keyword || (!data.has(key) && hides(inner, depth + 1))
  })
}
function annotate(schema, path, found) {
  const where = path.length === 0 ? 'the root of the schema' : path.join('.')
  const name = schema[keyword]
  const { type: type2 } = schema
  if (path.length === 0) found.problems.push(`${keyword} at ${where}: only properties have one`)
  else if (typeof name !== 'string' || !token.test(name)) {
    found.problems.push(`${keyword} of ${where}: expected the name of a header, got ${JSON.stringify(name)}`)
  } else if (!types.has(type2)) {
    found.problems.push(
      `${keyword} of ${where}: expected type string, integer or boolean, got ${JSON.stringify(type2)}`,
    )
  } else found.params.push({ header: `Mcp-Param-${name}`, path, type: type2 })
}
function argumentAt(path, args) {
  let value = args
  for (const key of path) {
    if (!isObject(value) || !Object.hasOwn(value, key)) return void 0
    value = value[key]
  }
  return value ?? void 0
}
function headersFor(params2, args) {
  return params2.flatMap(({ header, path }) => {
    const value = argumentAt(path, args)
    return isPrimitive(value) ? [[header, encodeHeaderValue(value)]] : []
  })
}
var keyword, token, types, data, maxDepth, isPrimitive
var init_param_headers = __esm({
  'packages/sdk/src/http/param-headers.ts'() {
    init_classify()
    init_header_values()
    keyword = 'x-mcp-header'
    token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
    types = /* @__PURE__ */ new Set(['string', 'integer', 'boolean'])
    data = /* @__PURE__ */ new Set(['default', 'enum', 'const', 'examples', 'required'])
    maxDepth = 64
    isPrimitive = (value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
  },
})

// packages/sdk/src/http-client/learned-tools.ts
var none, maxTools2, LearnedTools
var init_learned_tools = __esm({
  'packages/sdk/src/http-client/learned-tools.ts'() {
    init_param_headers()
    init_classify()
    none = []
    maxTools2 = 1e4
    LearnedTools = class {
      #params = /* @__PURE__ */ new Map()
      #warn
      constructor(warn) {
        this.#warn = warn
      }
      paramsOf(tool2) {
        return (typeof tool2 === 'string' ? this.#params.get(tool2) : void 0) ?? none
      }
      /** Learns from the result of `tools/list`, and leaves out the tools whose annotations are not allowed. */
      learn(result2) {
        if (!Array.isArray(result2.tools)) return result2
        const usable = result2.tools.filter((tool2) => this.#keep(tool2))
        return usable.length === result2.tools.length ? result2 : { ...result2, tools: usable }
      }
      #keep(tool2) {
        if (!isObject(tool2) || typeof tool2.name !== 'string') return true
        const { params: params2, problems } = paramHeaders(tool2.inputSchema)
        this.#params.delete(tool2.name)
        if (problems.length > 0) {
          this.#warn(`The tool ${JSON.stringify(tool2.name)} is left out: ${problems.join('; ')}`)
          return false
        }
        if (params2.length > 0 && this.#params.size < maxTools2) this.#params.set(tool2.name, params2)
        return true
      }
    }
  },
})

// packages/sdk/src/http/sse-parser.ts
var lineEnd, SseParser
var init_sse_parser = __esm({
  'packages/sdk/src/http/sse-parser.ts'() {
    init_errors()
    lineEnd = /\r\n|\n|\r/g
    SseParser = class {
      #onEvent
      #maxSize
      #decoder = new TextDecoder()
      /** The line that has begun: in parts, so that a long line in small pieces is not copied again and again. */
      #line = []
      /** Size of everything kept for the event that has begun. */
      #size = 0
      /** The last piece ended with CR: an LF that follows belongs to it. */
      #endedWithCr = false
      #started = false
      #event = ''
      #data = []
      #id
      #retry
      #hasField = false
      constructor(onEvent, limits = {}) {
        this.#onEvent = onEvent
        this.#maxSize = limits.maxEventSize ?? 4 * 1024 * 1024
      }
      /** Takes the next piece, as bytes or as text that is already decoded. */
      push(chunk) {
        const text2 =
          typeof chunk === 'string' ? this.#withoutBom(chunk) : this.#decoder.decode(chunk, { stream: true })
        if (text2 !== '') this.#read(text2)
      }
      /** Bytes are freed from it by the decoder. */
      #withoutBom(text2) {
        if (this.#started || text2 === '') return text2
        this.#started = true
        return text2.startsWith('\uFEFF') ? text2.slice(1) : text2
      }
      #read(text2) {
        let start3 = this.#endedWithCr && text2.startsWith('\n') ? 1 : 0
        this.#endedWithCr = text2.endsWith('\r')
        lineEnd.lastIndex = start3
        for (let end = lineEnd.exec(text2); end !== null; end = lineEnd.exec(text2)) {
          const next = lineEnd.lastIndex
          this.#keep(text2.slice(start3, end.index))
          this.#endLine()
          lineEnd.lastIndex = next
          start3 = next
        }
        if (start3 < text2.length) this.#keep(text2.slice(start3))
      }
      #keep(part) {
        this.#size += part.length
        if (this.#size > this.#maxSize) {
          throw new McpError('invalid_result', `An event of the stream is larger than the limit of ${this.#maxSize}`)
        }
        this.#line.push(part)
      }
      #endLine() {
        const line = this.#line.length === 1 ? this.#line[0] : this.#line.join('')
        this.#line = []
        if (line === '') this.#dispatch()
        else if (line.startsWith(':')) this.#size -= line.length
        else this.#field(line)
      }
      #field(line) {
        const colon = line.indexOf(':')
        const name = colon < 0 ? line : line.slice(0, colon)
        const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
        if (name === 'data') this.#data.push(value)
        else if (name === 'event') this.#event = value
        else if (name === 'id') {
          if (!value.includes('\0')) this.#id = value
        } else if (name === 'retry') {
          if (/^\d{1,15}$/.test(value)) this.#retry = Number(value)
        } else return
        this.#hasField = true
      }
      #dispatch() {
        if (!this.#hasField) {
          this.#size = 0
          return
        }
        const event = { event: this.#event || 'message', data: this.#data.join('\n') }
        if (this.#id !== void 0) event.id = this.#id
        if (this.#retry !== void 0) event.retry = this.#retry
        this.#event = ''
        this.#data = []
        this.#id = void 0
        this.#retry = void 0
        this.#hasField = false
        this.#size = 0
        this.#onEvent(event)
      }
    }
  },
})

// packages/sdk/src/http-client/reply.ts
function parseJson(text2, maxDepth2) {
  if (exceedsDepth(text2, maxDepth2)) {
    throw new McpError('invalid_result', `The message nests deeper than the limit of ${maxDepth2} levels`)
  }
  try {
    return JSON.parse(text2)
  } catch (cause) {
    throw new McpError('invalid_result', `The message is not JSON: ${excerpt(text2, void 0)}`, { cause })
  }
}
function jsonOrNothing(body, maxDepth2) {
  try {
    return parseJson(body, maxDepth2)
  } catch {
    return void 0
  }
}
function foreign(head, body) {
  const type2 = head.header('content-type')
  const text2 = excerpt(body, type2)
  return new HttpError('http', `Expected JSON or a stream of events, got ${type2}: ${text2}`, head, text2)
}
var wholeText, maxErrorBytes, redirects2, Reply, mediaType, isJson2, isCompressed, hasEncoding
var init_reply = __esm({
  'packages/sdk/src/http-client/reply.ts'() {
    init_errors()
    init_sse_parser()
    init_limits()
    init_http_error()
    wholeText = new TextDecoder()
    maxErrorBytes = 64 * 1024
    redirects2 = /* @__PURE__ */ new Set([301, 302, 303, 307, 308])
    Reply = class {
      #sink
      #limits
      /** Ends the request. Set once it was sent. */
      abort = () => {}
      #head
      #kind = 'nothing'
      #events
      #body = []
      #size = 0
      #over = false
      constructor(sink, limits) {
        this.#sink = sink
        this.#limits = limits
      }
      head(head) {
        this.#head = head
        const { status } = head
        const type2 = mediaType(head)
        if (redirects2.has(status)) this.#redirect(head)
        else if (status < 200 || status > 299) this.#kind = 'refusal'
        else if (isCompressed(head))
          this.#give(new HttpError('http', 'The reply is compressed, which was not asked for', head))
        else if (type2 === 'text/event-stream') {
          this.#kind = 'events'
          this.#events = new SseParser((event) => this.#event(event), { maxEventSize: this.#limits.maxMessageBytes })
          this.#sink.accepted?.(head, true)
        } else {
          this.#kind = isJson2(type2) ? 'json' : 'foreign'
          this.#sink.accepted?.(head, false)
        }
      }
      chunk(bytes) {
        if (this.#over) return
        if (this.#events !== void 0) this.#pushEvents(bytes)
        else this.#keep(bytes)
      }
      end() {
        if (this.#over) return
        const head = this.#head
        if (this.#kind === 'events') this.#finish({ kind: 'read', head, streamed: true, empty: false })
        else if (this.#kind === 'refusal') this.#finish({ kind: 'refused', head, body: this.#text() })
        else if (this.#size === 0) this.#finish({ kind: 'read', head, streamed: false, empty: true })
        else if (this.#kind === 'json') this.#endJson(head)
        else this.#give(foreign(head, this.#text()))
      }
      broken(error) {
        const refusal = this.#kind === 'refusal' && this.#head !== void 0
        if (refusal) this.#finish({ kind: 'refused', head: this.#head, body: this.#text() })
        else this.#finish({ kind: 'broken', error, streamed: this.#kind === 'events' })
      }
      /** Nothing is handed over any more, and `finished` is not called. */
      drop() {
        this.#over = true
        this.abort()
      }
      #pushEvents(bytes) {
        try {
          this.#events.push(bytes)
        } catch (error) {
          this.#give(error)
        }
      }
      #event(event) {
        if (this.#over || this.#sink.event?.(event) === true) return
        if (event.data !== '' && event.event === 'message') this.#parse(event.data)
      }
      #keep(bytes) {
        this.#size += bytes.length
        const json = this.#kind === 'json'
        const limit = json ? this.#limits.maxMessageBytes : maxErrorBytes
        if (this.#size <= limit) {
          this.#body.push(bytes)
          return
        }
        if (json) this.#give(new McpError('invalid_result', `The reply is larger than the limit of ${limit} bytes`))
        else {
          this.end()
          this.abort()
        }
      }
      #text() {
        if (this.#body.length === 1) return wholeText.decode(this.#body[0])
        const decoder = new TextDecoder()
        return this.#body.map((bytes) => decoder.decode(bytes, { stream: true })).join('') + decoder.decode()
      }
      #endJson(head) {
        this.#parse(this.#text())
        this.#finish({ kind: 'read', head, streamed: false, empty: false })
      }
      #parse(text2) {
        let value
        try {
          value = parseJson(text2, this.#limits.maxDepth)
        } catch (error) {
          this.#sink.unreadable(error)
          return
        }
        this.#sink.value(value)
      }
      #redirect(head) {
        const location = head.header('location')
        if (location === void 0) this.#kind = 'refusal'
        else {
          this.#finish({ kind: 'redirect', head, location })
          this.abort()
        }
      }
      /** There is nothing to be had from this reply. */
      #give(error) {
        this.#finish({ kind: 'broken', error, streamed: false })
        this.abort()
      }
      #finish(outcome) {
        if (this.#over) return
        this.#over = true
        this.#body = []
        this.#sink.finished(outcome)
      }
    }
    mediaType = (head) => (head.header('content-type') ?? '').split(';', 1)[0].trim().toLowerCase()
    isJson2 = (type2) => type2 === '' || type2 === 'application/json' || type2.endsWith('+json')
    isCompressed = (head) => head.decoded !== true && hasEncoding(head)
    hasEncoding = (head) => !['', 'identity'].includes(head.header('content-encoding') ?? '')
  },
})

// packages/sdk/src/http/names.ts
function mcpName(method, params2) {
  const member2 = nameMembers.get(method)
  if (member2 === void 0 || !isObject(params2)) return void 0
  const value = Object.hasOwn(params2, member2) ? params2[member2] : void 0
  return typeof value === 'string' ? value : void 0
}
var nameMembers
var init_names = __esm({
  'packages/sdk/src/http/names.ts'() {
    init_classify()
    nameMembers = /* @__PURE__ */ new Map([
      ['tools/call', 'name'],
      ['prompts/get', 'name'],
      ['resources/read', 'uri'],
      ['tasks/get', 'taskId'],
      ['tasks/update', 'taskId'],
      ['tasks/cancel', 'taskId'],
    ])
  },
})

// packages/sdk/src/wire/over-http.ts
var namesVersion
var init_over_http = __esm({
  'packages/sdk/src/wire/over-http.ts'() {
    namesVersion = (revision) => revision >= '2025-06-18'
  },
})

// packages/sdk/src/http-client/request-headers.ts
function namedVersion(payload) {
  if (Array.isArray(payload) || !('method' in payload)) return void 0
  const meta = payload.params?._meta
  const version2 = isObject(meta) ? meta[metaKeys.protocolVersion] : void 0
  return typeof version2 === 'string' ? version2 : void 0
}
function mirroredHeaders(version2, message, params2) {
  if (!('method' in message)) return { 'MCP-Protocol-Version': version2 }
  const name = mcpName(message.method, message.params)
  return {
    'MCP-Protocol-Version': version2,
    'Mcp-Method': encodeHeaderValue(message.method),
    ...(name === void 0 ? {} : { 'Mcp-Name': encodeHeaderValue(name) }),
    ...(params2.length === 0 ? {} : Object.fromEntries(headersFor(params2, message.params?.arguments))),
  }
}
function sessionHeaders(revision, session) {
  return {
    ...(revision !== void 0 && namesVersion(revision) ? { 'MCP-Protocol-Version': revision } : {}),
    ...(session === void 0 ? {} : { 'Mcp-Session-Id': session }),
  }
}
function joinHeaders(user, own2) {
  const taken = new Set(Object.keys(own2).map((name) => name.toLowerCase()))
  const kept = Object.entries(user).filter(([name]) => !taken.has(name.toLowerCase()))
  return kept.length === 0 ? own2 : { ...Object.fromEntries(kept), ...own2 }
}
var isRequest
var init_request_headers = __esm({
  'packages/sdk/src/http-client/request-headers.ts'() {
    init_header_values()
    init_names()
    init_param_headers()
    init_classify()
    init_meta()
    init_over_http()
    isRequest = (payload) => 'method' in payload && 'id' in payload
  },
})

// packages/sdk/src/http-client/server-stream.ts
function reasonOf2(outcome) {
  if (outcome.kind === 'broken') return outcome.error
  if (outcome.kind === 'refused') return refusedError('The stream', outcome.head, outcome.body, false)
  return new McpError('closed', 'The server ended the stream')
}
var maxPauseMs2, maxFirstAttempts, ServerStream
var init_server_stream = __esm({
  'packages/sdk/src/http-client/server-stream.ts'() {
    init_errors()
    init_backoff()
    init_http_error()
    maxPauseMs2 = 60 * 60 * 1e3
    maxFirstAttempts = 3
    ServerStream = class {
      #owner
      #handle
      #timer
      #closed = false
      #wasOpen = false
      /** This attempt brought something. */
      #alive = false
      #attempts = 0
      #lastEventId
      #retryMs
      constructor(owner) {
        this.#owner = owner
      }
      open() {
        if (this.#closed) return
        this.#timer = void 0
        this.#alive = false
        const headers = this.#owner.streamHeaders(this.#lastEventId)
        this.#handle = this.#owner.wire.send({ method: 'GET', headers, repeatable: true }, this)
      }
      close() {
        if (this.#closed) return
        this.#end({ kind: 'closed' })
        this.#handle?.drop()
      }
      accepted(_, streamed) {
        if (!streamed) {
          this.#handle?.drop()
          this.#end({ kind: 'none' })
          return
        }
        this.#wasOpen = true
        this.#owner.stream({ kind: 'open' })
      }
      event({ id, retry: retry2 }) {
        this.#alive = true
        if (retry2 !== void 0) this.#retryMs = Math.min(retry2, maxPauseMs2)
        if (id !== void 0) this.#lastEventId = id === '' ? void 0 : id
        return false
      }
      value(value) {
        this.#owner.receive(value)
      }
      unreadable(problem) {
        this.#owner.unreadable(problem)
      }
      finished(outcome) {
        if (this.#closed) return
        if (this.#isFinal(outcome)) {
          this.#end({ kind: 'none' })
          return
        }
        this.#attempts = this.#alive ? 1 : this.#attempts + 1
        const { reconnectMs, maxReconnectMs } = this.#owner.limits
        const delayMs = this.#retryMs ?? backoffMs(this.#attempts, reconnectMs, maxReconnectMs)
        this.#owner.stream({ kind: 'waiting', attempt: this.#attempts, delayMs, reason: reasonOf2(outcome) })
        this.#timer = setTimeout(() => this.open(), delayMs)
      }
      #isFinal(outcome) {
        if (outcome.kind === 'broken')
          return isHttpError(outcome.error) || (!this.#wasOpen && this.#attempts >= maxFirstAttempts)
        if (outcome.kind !== 'refused') return false
        const { status } = outcome.head
        return !(this.#wasOpen && (status >= 500 || status === 429 || status === 408))
      }
      #end(state) {
        this.#closed = true
        clearTimeout(this.#timer)
        this.#owner.stream(state)
      }
    }
  },
})

// packages/sdk/src/http-client/on-abort.ts
function onAbort(signal, callback) {
  const known2 = waiting.get(signal) ?? listenTo(signal)
  known2.callbacks.add(callback)
  return () => {
    known2.callbacks.delete(callback)
    if (known2.callbacks.size > 0 || waiting.get(signal) !== known2) return
    waiting.delete(signal)
    signal.removeEventListener('abort', known2.listener)
  }
}
function listenTo(signal) {
  const callbacks = /* @__PURE__ */ new Set()
  const listener = () => {
    for (const callback of [...callbacks]) callback()
  }
  const made2 = { callbacks, listener }
  waiting.set(signal, made2)
  signal.addEventListener('abort', listener, { once: true })
  return made2
}
var waiting
var init_on_abort = __esm({
  'packages/sdk/src/http-client/on-abort.ts'() {
    waiting = /* @__PURE__ */ new WeakMap()
  },
})

// packages/sdk/src/http-client/tell.ts
function tell2(wire, request2, plan) {
  const { what, timeoutMs, session, signal } = plan
  return new Promise((resolve, reject) => {
    const stop2 = () => {
      handle.drop()
      end(new McpError('closed', 'The connection is closed'))
    }
    const end = (error) => {
      clearTimeout(timer2)
      stopListening2()
      if (error === void 0) resolve()
      else reject(error)
    }
    const finished = (outcome) => {
      if (outcome.kind === 'refused') end(refusedError(what, outcome.head, outcome.body, session))
      else end(outcome.kind === 'broken' ? outcome.error : void 0)
    }
    const accepted = (_, streamed) => {
      resolve()
      if (!streamed) return
      handle.drop()
      end(void 0)
    }
    const ignore = () => {}
    const preparing = () => {
      clearTimeout(timer2)
      timer2 = patience()
    }
    const handle = wire.send(request2, { accepted, value: ignore, unreadable: ignore, finished, preparing })
    const patience = () =>
      setTimeout(() => {
        handle.drop()
        end(new McpError('timeout', `The server did not take ${what} within ${timeoutMs} ms`))
      }, timeoutMs)
    let timer2 = patience()
    const stopListening2 = onAbort(signal, stop2)
    if (signal.aborted) stop2()
  })
}
var init_tell = __esm({
  'packages/sdk/src/http-client/tell.ts'() {
    init_errors()
    init_http_error()
    init_on_abort()
  },
})

// packages/sdk/src/http-client/http-channel.ts
var postHeaders, oldestStatuses, visibleAscii2, HttpChannel, codeIn, messageIn
var init_http_channel = __esm({
  'packages/sdk/src/http-client/http-channel.ts'() {
    init_errors()
    init_classify()
    init_where()
    init_ask()
    init_http_error()
    init_http_sse()
    init_learned_tools()
    init_repeatable()
    init_reply()
    init_request_headers()
    init_server_stream()
    init_tell()
    init_verdicts()
    postHeaders = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    oldestStatuses = /* @__PURE__ */ new Set([400, 404, 405, 406, 415])
    visibleAscii2 = /^[\x21-\x7e]{1,1024}$/
    HttpChannel = class {
      wire
      limits
      #options
      #tools
      #asks = /* @__PURE__ */ new Map()
      #stop = new AbortController()
      #receiver
      #closing
      /** The version that requests without handshake name. */
      #version
      /** What the handshake agreed on. */
      #revision
      #session
      #stream
      /** In use with servers of the oldest transport: the stream, and where to post. */
      #oldest
      /** Set while the server is told that the handshake is over: strict ones refuse what overtakes that. */
      #settling
      constructor(wire, options) {
        this.wire = wire
        this.limits = options.limits
        this.#options = options
        this.#tools = new LearnedTools(options.warn)
      }
      get about() {
        const transport = this.#oldest === void 0 ? 'http' : 'http+sse'
        return { transport, ...whereIs(this.wire.url), session: this.#session }
      }
      open(receiver) {
        this.#receiver = receiver
      }
      send(payload) {
        if (this.#settling !== void 0) return this.#settling.then(() => this.#dispatch(payload))
        return this.#dispatch(payload)
      }
      close() {
        this.#closing ??= this.#end()
        return this.#closing
      }
      #dispatch(payload) {
        if (this.#closing !== void 0) throw new McpError('closed', 'The connection is closed')
        if (isRequest(payload)) {
          this.#ask(payload)
          return
        }
        const method = !Array.isArray(payload) && 'method' in payload ? payload.method : void 0
        if (method === 'notifications/cancelled') return this.#cancel(payload)
        if (method !== 'notifications/initialized') return this.#tell(payload, method ?? 'An answer')
        const told = this.#tell(payload, method)
        const settling = told.then(() => this.#listen()).catch(() => {})
        this.#settling = settling
        settling.then(() => {
          this.#settling = void 0
        })
        return told
      }
      // Requests
      #ask(request2) {
        if (request2.method === 'initialize') this.#forget()
        this.#version = namedVersion(request2) ?? this.#version
        if (this.#oldest !== void 0) this.#askOldest(request2, this.#oldest.endpoint)
        else if (request2.method === 'initialize' && verdictFor(this.wire.url).eventStream === true)
          this.#tryOldest(request2)
        else this.#post(request2)
      }
      #post(request2) {
        const ask = new Ask(request2, this)
        this.#asks.set(request2.id, ask)
        ask.start()
      }
      /** A handshake begins a new conversation: probes for a newer one, and an older session, are over. */
      #forget() {
        for (const ask of this.#asks.values()) ask.drop()
        this.#asks.clear()
        this.#version = void 0
        this.#revision = void 0
        this.#session = void 0
      }
      #cancel(notification2) {
        const id = notification2.params?.requestId
        const ask = this.#asks.get(id)
        const drop = () => {
          ask?.drop()
          this.#asks.delete(id)
        }
        if (this.#version !== void 0) {
          drop()
          return
        }
        return this.#tell(notification2, notification2.method).finally(drop)
      }
      #tell(payload, what) {
        const endpoint = this.#oldest?.endpoint
        return tell2(
          this.wire,
          {
            method: 'POST',
            headers: { ...postHeaders, ...this.#contextHeaders(payload) },
            body: JSON.stringify(payload),
            repeatable: isRepeatable(payload),
            ...(endpoint && { url: endpoint }),
          },
          {
            what,
            timeoutMs: this.limits.acceptTimeoutMs,
            session: this.#session !== void 0,
            signal: this.#stop.signal,
          },
        )
      }
      #contextHeaders(payload) {
        if (this.#version === void 0 || Array.isArray(payload)) return sessionHeaders(this.#revision, this.#session)
        const isCall = 'method' in payload && payload.method === 'tools/call'
        return mirroredHeaders(this.#version, payload, isCall ? this.#tools.paramsOf(payload.params?.name) : [])
      }
      // AskOwner
      postHeaders(request2) {
        return { ...postHeaders, ...this.#contextHeaders(request2) }
      }
      streamHeaders(lastEventId) {
        return {
          Accept: 'text/event-stream',
          ...sessionHeaders(this.#revision, this.#session),
          ...(lastEventId === void 0 ? {} : { 'Last-Event-ID': lastEventId }),
        }
      }
      resumeHeaders(lastEventId) {
        return this.#version === void 0 ? this.streamHeaders(lastEventId) : void 0
      }
      accepted(request2, head) {
        if (request2.method !== 'initialize') return
        const session = head.header('mcp-session-id')
        if (session === void 0) return
        if (visibleAscii2.test(session)) this.#session = session
        else this.#options.warn('The server gave a session id with characters that are not allowed; it is not used')
      }
      answered(request2, answer4) {
        const { result: result2 } = answer4
        if (!isObject(result2)) return answer4
        if (request2.method === 'initialize' && typeof result2.protocolVersion === 'string') {
          this.#revision = result2.protocolVersion
        }
        if (request2.method !== 'tools/list' || this.#version === void 0) return answer4
        return { ...answer4, result: this.#tools.learn(result2) }
      }
      receive(value) {
        if (this.#closing === void 0) this.#receiver.receive(value)
      }
      unreadable(problem) {
        if (this.#closing === void 0) {
          this.#receiver.refuse({ code: ErrorCode.ParseError, message: problem.message, kind: 'response' })
        }
      }
      refused(ask, head, body) {
        const { request: request2 } = ask
        const answer4 = errorIn(jsonOrNothing(body, this.limits.maxDepth), request2)
        const inSession = this.#session !== void 0 && codeIn(answer4) !== ErrorCode.InvalidParams
        const error = refusedError(request2.method, head, messageIn(answer4) ?? body, inSession)
        if (
          request2.method === 'initialize' &&
          oldestStatuses.has(head.status) &&
          !isModernError2(head.status, answer4)
        ) {
          this.done(ask)
          this.#tryOldest(request2, () => this.#refuse(request2, error, answer4))
        } else {
          this.done(ask)
          this.#refuse(request2, error, answer4)
        }
      }
      #refuse(request2, error, answer4) {
        const isUnknownMethod2 = codeIn(answer4) === ErrorCode.MethodNotFound
        if (answer4 !== void 0 && (error.code === 'http' || isUnknownMethod2)) this.receive(answer4)
        else this.#failed(request2.id, error)
      }
      delayed(ask) {
        if (this.#closing === void 0) this.#receiver.delayed?.(ask.request.id)
      }
      failed(ask, error) {
        this.done(ask)
        this.#failed(ask.request.id, error)
      }
      #failed(id, error) {
        if (this.#closing === void 0) this.#receiver.failed?.(id, error)
      }
      done(ask) {
        if (this.#asks.get(ask.request.id) === ask) this.#asks.delete(ask.request.id)
      }
      // The stream on which the server speaks first
      #listen() {
        if (this.#oldest !== void 0 || this.#closing !== void 0) return
        this.#stream = new ServerStream(this)
        this.#stream.open()
      }
      stream(state) {
        try {
          this.#options.onStream?.(state)
        } catch (error) {
          this.#options.warn(`onStream failed: ${String(error)}`)
        }
      }
      // The transport of 2024-11-05
      /** Tries the oldest transport with the request that begins everything; `otherwise` goes on if the server has it not. */
      async #tryOldest(request2, otherwise = () => this.#post(request2)) {
        const stream = new HttpSse(this)
        const stop2 = () => stream.close()
        this.#stop.signal.addEventListener('abort', stop2)
        try {
          const endpoint = await stream.open()
          if (this.#closing !== void 0) return
          this.#oldest = { stream, endpoint }
          remember(this.wire.url, { eventStream: true })
          this.#askOldest(request2, endpoint)
        } catch (error) {
          if (verdictFor(this.wire.url).eventStream) remember(this.wire.url, { eventStream: false })
          if (isHttpError(error) && error.code === 'unauthorized') this.#failed(request2.id, error)
          else otherwise()
        }
      }
      #askOldest(request2, url3) {
        const message = {
          method: 'POST',
          url: url3,
          headers: this.postHeaders(request2),
          body: JSON.stringify(request2),
          repeatable: isRepeatable(request2),
        }
        const plan = {
          what: request2.method,
          timeoutMs: this.limits.acceptTimeoutMs,
          session: true,
          signal: this.#stop.signal,
        }
        tell2(this.wire, message, plan).catch((error) => this.#failed(request2.id, error))
      }
      lost(error) {
        if (this.#closing !== void 0) return
        this.#closing = this.#end(error)
      }
      // The end
      async #end(reason2) {
        this.#stop.abort()
        this.#stream?.close()
        this.#oldest?.stream.close()
        for (const ask of this.#asks.values()) ask.drop()
        this.#asks.clear()
        this.#receiver?.closed(reason2)
        if (this.#session !== void 0 && this.#oldest === void 0) await this.#delete()
        this.wire.close()
      }
      /** Tells the server that the session is no longer needed. It may refuse, and it may be gone: neither matters. */
      async #delete() {
        const headers = sessionHeaders(this.#revision, this.#session)
        const plan = {
          what: 'DELETE',
          timeoutMs: this.limits.closeTimeoutMs,
          session: true,
          signal: new AbortController().signal,
        }
        await tell2(this.wire, { method: 'DELETE', headers, repeatable: true }, plan).catch(() => {})
      }
    }
    codeIn = (answer4) => (isObject(answer4?.error) ? answer4.error.code : void 0)
    messageIn = (answer4) => {
      const message = isObject(answer4?.error) ? answer4.error.message : void 0
      return typeof message === 'string' ? message : void 0
    }
  },
})

// packages/sdk/src/http-client/authorizing.ts
var maxRefusals, pulseMs, Authorizing
var init_authorizing = __esm({
  'packages/sdk/src/http-client/authorizing.ts'() {
    init_errors()
    init_request_headers()
    maxRefusals = 4
    pulseMs = 250
    Authorizing = class {
      #wire
      #request
      #sink
      #stop = new AbortController()
      #about
      #handle
      #sent = {}
      #refusals = 0
      constructor(wire, request2, sink) {
        this.#wire = wire
        this.#request = request2
        this.#sink = sink
        const { method, url: url3 } = request2
        this.#about = { method, url: url3, server: wire.server, signal: this.#stop.signal }
      }
      drop() {
        this.#stop.abort()
        this.#handle?.drop()
      }
      async start() {
        try {
          this.#sent = await this.#patiently(() => this.#wire.auth.headers(this.#about))
        } catch (error) {
          this.#fail(error)
          return
        }
        if (this.#stop.signal.aborted) return
        const headers = joinHeaders(this.#request.headers, this.#sent)
        this.#handle = this.#wire.send({ ...this.#request, headers }, this)
      }
      // ReplySink: everything but a refusal is for the sink of the caller.
      accepted(head, streamed) {
        this.#look(head)
        this.#sink.accepted?.(head, streamed)
      }
      event(event) {
        return this.#sink.event?.(event) ?? false
      }
      value(value) {
        this.#sink.value(value)
      }
      unreadable(problem) {
        this.#sink.unreadable(problem)
      }
      finished(outcome) {
        if (outcome.kind !== 'refused') {
          this.#sink.finished(outcome)
          return
        }
        this.#look(outcome.head)
        const { status } = outcome.head
        if ((status === 401 || status === 403) && this.#refusals < maxRefusals) this.#answer(outcome)
        else this.#sink.finished(outcome)
      }
      #look(head) {
        this.#wire.auth.answered?.(this.#about, head)
      }
      async #answer(refused2) {
        const { head } = refused2
        const challenge = {
          ...this.#about,
          status: head.status,
          wwwAuthenticate: head.header('www-authenticate'),
          sent: this.#sent,
          refusals: this.#refusals,
        }
        this.#refusals += 1
        let again
        try {
          again = await this.#patiently(() => this.#wire.auth.challenged(challenge))
        } catch (error) {
          this.#fail(error)
          return
        }
        if (this.#stop.signal.aborted) return
        if (again) this.start()
        else this.#sink.finished(refused2)
      }
      /** A person may have to log in meanwhile, which is not the silence of a server. */
      async #patiently(work) {
        const working = work()
        if (!(working instanceof Promise)) return working
        const pulse = setInterval(() => this.#sink.preparing?.(), pulseMs)
        try {
          return await working
        } finally {
          clearInterval(pulse)
        }
      }
      #fail(thrown) {
        if (this.#stop.signal.aborted) return
        const isPlain4 = isMcpError(thrown) && (thrown.code === 'unauthorized' || thrown.code === 'cancelled')
        const error = isPlain4
          ? thrown
          : new McpError('unauthorized', `auth failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`, {
              cause: thrown,
            })
        this.#sink.finished({ kind: 'broken', error, streamed: false })
      }
    }
  },
})

// packages/sdk/src/http-client/http-wire.ts
var HttpWire, withUserHeaders, attempt, Sending
var init_http_wire = __esm({
  'packages/sdk/src/http-client/http-wire.ts'() {
    init_errors()
    init_authorizing()
    init_http_error()
    init_reply()
    init_request_headers()
    HttpWire = class {
      /** Where the server is; a permanent redirect moves it. */
      url
      #engine
      #options
      /** The address that was asked for: credentials belong to it, wherever it moves. */
      #server
      constructor(url3, engine, options) {
        this.url = url3
        this.#server = url3
        this.#engine = engine
        this.#options = options
      }
      send(request2, sink) {
        const { auth: auth2 } = this.#options
        if (auth2 === void 0) return this.#send(request2, sink)
        const wire = { auth: auth2, server: this.#server, send: (each, to) => this.#send(each, to) }
        const authorizing = new Authorizing(wire, { ...request2, url: request2.url ?? this.url }, sink)
        authorizing.start()
        return authorizing
      }
      #send(request2, sink) {
        const moves = request2.url === void 0 || request2.url === this.url
        const sending = new Sending(this.#engine, this.#options.limits, sink, (url3) => {
          if (moves) this.url = url3
        })
        const whole = { ...request2, url: request2.url ?? this.url }
        const { headers } = this.#options
        if (typeof headers !== 'function') sending.start(withUserHeaders(whole, headers))
        else sending.startAfter(attempt(headers), whole)
        return sending
      }
      /** Ends what is kept open between requests. */
      close() {
        this.#engine.close()
      }
    }
    withUserHeaders = (request2, headers) =>
      headers === void 0 ? request2 : { ...request2, headers: joinHeaders(headers, request2.headers) }
    attempt = async (callback) => callback()
    Sending = class {
      #engine
      #limits
      #sink
      #moved
      #request
      #reply
      #dropped = false
      #redirects = 0
      constructor(engine, limits, sink, moved) {
        this.#engine = engine
        this.#limits = limits
        this.#sink = sink
        this.#moved = moved
      }
      drop() {
        this.#dropped = true
        this.#reply?.drop()
      }
      async startAfter(headers, request2) {
        let found
        try {
          found = await headers
        } catch (cause) {
          const error = new McpError('invalid_argument', 'headers: the function failed', { cause })
          if (!this.#dropped) this.#sink.finished({ kind: 'broken', error, streamed: false })
          return
        }
        if (!this.#dropped) this.start(withUserHeaders(request2, found))
      }
      start(request2) {
        this.#request = request2
        const reply = new Reply(this, this.#limits)
        this.#reply = reply
        const sent = this.#engine.send(request2, reply)
        reply.abort = () => sent.abort()
      }
      // ReplySink: everything but a redirect is for the sink of the caller.
      accepted(head, streamed) {
        this.#sink.accepted?.(head, streamed)
      }
      event(event) {
        return this.#sink.event?.(event) ?? false
      }
      value(value) {
        this.#sink.value(value)
      }
      unreadable(problem) {
        this.#sink.unreadable(problem)
      }
      finished(outcome) {
        const request2 = this.#request
        if (outcome.kind !== 'redirect') {
          this.#sink.finished(outcome)
          return
        }
        const next = this.#redirected(request2, outcome)
        if (next instanceof Error) this.#sink.finished({ kind: 'broken', error: next, streamed: false })
        else queueMicrotask(() => this.#dropped || this.start({ ...request2, url: next }))
      }
      #redirected({ url: url3, method }, { head, location }) {
        const refuse2 = (why) => new HttpError('http', `${url3.href} ${why}`, head)
        const target = URL.canParse(location, url3) ? new URL(location, url3) : void 0
        if (target === void 0) return refuse2(`redirects to ${JSON.stringify(location.slice(0, 200))}, which is no URL`)
        if (target.origin !== url3.origin) {
          return refuse2(`redirects to another origin, ${target.origin}: connect to that URL if you trust it`)
        }
        if (head.status === 303 && method === 'POST') return refuse2('redirects a POST to a page (303)')
        this.#redirects += 1
        if (this.#redirects > this.#limits.maxRedirects) {
          return refuse2(`redirects more than ${this.#limits.maxRedirects} times`)
        }
        if (head.status === 301 || head.status === 308) this.#moved(target)
        return target
      }
    }
  },
})

// packages/sdk/src/http-client/open-http.ts
var open_http_exports = {}
__export(open_http_exports, {
  openHttp: () => openHttp,
})
function openHttp(target, options = {}) {
  const url3 = httpUrl(target)
  const limits = { ...httpDefaults, ...options.httpLimits }
  const { headers, auth: auth2, onStream, warn = () => {} } = options
  const wire = new HttpWire(url3, engineFor(url3, options, limits.connectTimeoutMs), {
    limits,
    ...(headers && { headers }),
    ...(auth2 && { auth: auth2 }),
  })
  return new HttpChannel(wire, { limits, warn, ...(onStream && { onStream }) })
}
function engineFor(url3, { fetch: fetch2, agent }, connectTimeoutMs) {
  if (fetch2 !== void 0) return fetchEngine(fetch2)
  return nodeEngine(url3.protocol === 'https:', { connectTimeoutMs, ...(agent && { agent }) }) ?? fetchEngine()
}
function httpUrl(target) {
  const url3 = new URL(target)
  if (url3.protocol !== 'http:' && url3.protocol !== 'https:') {
    throw new McpError('invalid_argument', `target: expected an http or https URL, got ${url3.protocol}`)
  }
  if (url3.username !== '' || url3.password !== '') {
    throw new McpError('invalid_argument', 'target: a URL must not contain credentials; give `headers` instead')
  }
  url3.hash = ''
  return url3
}
var init_open_http = __esm({
  'packages/sdk/src/http-client/open-http.ts'() {
    init_errors()
    init_fetch_engine()
    init_http_channel()
    init_http_options()
    init_http_wire()
    init_node_engine()
  },
})

// packages/sdk/src/websocket/keep-alive.ts
var graceMs2, KeepAlive
var init_keep_alive = __esm({
  'packages/sdk/src/websocket/keep-alive.ts'() {
    init_errors()
    graceMs2 = 1e3
    KeepAlive = class {
      #wire
      #intervalMs
      #onDead
      #timer
      #alive = true
      constructor(wire, intervalMs2, onDead) {
        this.#wire = wire
        this.#intervalMs = intervalMs2
        this.#onDead = onDead
        if (intervalMs2 > 0 && wire.ping) this.#wait(this.#check, intervalMs2)
      }
      alive() {
        this.#alive = true
      }
      stop() {
        clearTimeout(this.#timer)
      }
      #check = () => {
        if (this.#alive) this.#ping()
        else this.#wait(this.#decide, Math.min(graceMs2, this.#intervalMs))
      }
      #decide = () => {
        if (this.#alive) this.#ping()
        else this.#onDead(new McpError('closed', `The other side did not answer a ping within ${this.#intervalMs} ms`))
      }
      #ping() {
        this.#alive = false
        this.#wire.ping?.()
        this.#wait(this.#check, this.#intervalMs)
      }
      #wait(next, delayMs) {
        this.#timer = setTimeout(next, delayMs)
        this.#timer.unref?.()
      }
    }
  },
})

// packages/sdk/src/websocket/take-text.ts
function takeText(text2, maxDepth2, receiver) {
  if (exceedsDepth(text2, maxDepth2)) {
    const message = `Message nests deeper than the limit of ${maxDepth2} levels`
    receiver.refuse({ code: ErrorCode.InvalidRequest, message, ...peek(text2, text2.slice(-glimpseLength)) })
    return
  }
  let value
  try {
    value = JSON.parse(text2)
  } catch {
    const start3 = JSON.stringify(text2.slice(0, 60))
    receiver.refuse({ code: ErrorCode.ParseError, message: `Parse error: not JSON: ${start3}` })
    return
  }
  receiver.receive(value)
}
var glimpseLength
var init_take_text = __esm({
  'packages/sdk/src/websocket/take-text.ts'() {
    init_errors()
    init_limits()
    init_peek()
    glimpseLength = 4 * 1024
  },
})

// packages/sdk/src/websocket/wire.ts
var CloseCode, subprotocol
var init_wire = __esm({
  'packages/sdk/src/websocket/wire.ts'() {
    CloseCode = {
      Normal: 1e3,
      GoingAway: 1001,
      UnsupportedData: 1003,
      NoStatus: 1005,
      PolicyViolation: 1008,
      MessageTooBig: 1009,
    }
    subprotocol = 'mcp'
  },
})

// packages/sdk/src/websocket/channel.ts
function endReason(code, reason2, error) {
  if (error) return new McpError('closed', `The connection broke: ${error.message}`, { cause: error })
  if (code === CloseCode.Normal || code === CloseCode.GoingAway || code === CloseCode.NoStatus) return void 0
  const detail = reason2 === '' ? '' : `: ${reason2}`
  return new McpError('closed', `The connection ended with code ${code}${detail}`)
}
var defaultMaxMessageBytes, highWaterBytes, maxWaitingBytes, WebSocketChannel
var init_channel = __esm({
  'packages/sdk/src/websocket/channel.ts'() {
    init_errors()
    init_limits()
    init_to_json()
    init_wait()
    init_keep_alive()
    init_take_text()
    init_wire()
    defaultMaxMessageBytes = 4 * 1024 * 1024
    highWaterBytes = 64 * 1024
    maxWaitingBytes = 1024 * 1024
    WebSocketChannel = class {
      /** What the host sends with the end of the connection. */
      farewell = { code: CloseCode.Normal, reason: '' }
      about = { transport: 'websocket' }
      #wire
      #maxDepth
      #maxMessageBytes
      #flushTimeoutMs
      #keepAlive
      #gone = gate()
      #receiver
      #early = []
      #finished
      #told = false
      #stopped = false
      #broken = false
      #held = true
      #room
      #closing
      constructor(wire, limits = {}) {
        this.#wire = wire
        this.#maxDepth = limits.maxDepth ?? defaultMaxDepth
        this.#maxMessageBytes = limits.maxMessageBytes ?? defaultMaxMessageBytes
        this.#flushTimeoutMs = limits.flushTimeoutMs ?? 1e3
        wire.listen({
          text: (text2) => this.#take(text2),
          binary: () => this.#fail(CloseCode.UnsupportedData, 'Only text frames are understood'),
          sent: () => this.#onSent(),
          alive: () => this.#onAlive(),
          ended: (code, reason2, error) => this.#onEnded(code, reason2, error),
        })
        wire.hold?.()
        this.#keepAlive = new KeepAlive(wire, limits.keepAliveMs ?? 3e4, (reason2) => {
          this.#lose(reason2)
          wire.terminate()
        })
      }
      /** True while the end was declared on this side only. */
      get sendsAfterEnd() {
        return this.#stopped
      }
      open(receiver) {
        this.#receiver = receiver
        queueMicrotask(() => this.#takeEarly())
      }
      /** What came before there was a receiver; the end may have come as well. */
      #takeEarly() {
        for (const text2 of this.#early) if (!this.#closing) this.#deliver(text2)
        this.#early = []
        if (this.#finished) this.#tellClosed()
        else this.#release()
      }
      send(payload) {
        if (this.#closing || this.#broken)
          throw new McpError('closed', this.#finished?.reason?.message ?? 'The connection is closed')
        this.#wire.send(toJson(payload))
        const waiting2 = this.#wire.bufferedAmount
        if (waiting2 <= highWaterBytes) return
        if (waiting2 > maxWaitingBytes) this.#hold()
        return this.#roomToCome()
      }
      stopReceiving() {
        if (this.#finished) return
        this.#stopped = true
        this.#finish()
      }
      close() {
        this.#closing ??= this.#close()
        return this.#closing
      }
      async #close() {
        this.#finish()
        this.#release()
        this.#wire.close(this.farewell.code, this.farewell.reason)
        if (!(await withinMs(this.#flushTimeoutMs, this.#gone.passed))) this.#wire.terminate()
        this.#keepAlive.stop()
        this.#makeRoom()
      }
      #take(text2) {
        this.#keepAlive.alive()
        if (this.#finished) return
        if (this.#receiver) this.#deliver(text2)
        else this.#early.push(text2)
      }
      #deliver(text2) {
        if (text2.length > this.#maxMessageBytes) this.#fail(CloseCode.MessageTooBig, 'Message too big')
        else takeText(text2, this.#maxDepth, this.#receiver)
      }
      #fail(code, reason2) {
        if (this.#broken) return
        this.#lose(new McpError('closed', `The other side broke the rules: ${reason2}`))
        this.#wire.close(code, reason2)
      }
      #onSent() {
        if (this.#held) this.#keepAlive.alive()
        if (this.#wire.bufferedAmount > highWaterBytes / 2) return
        this.#makeRoom()
        if (this.#receiver) this.#release()
      }
      #onAlive() {
        this.#keepAlive.alive()
        if (this.#wire.bufferedAmount > maxWaitingBytes) this.#hold()
      }
      #onEnded(code, reason2, error) {
        this.#lose(endReason(code, reason2, error))
        this.#keepAlive.stop()
        this.#gone.open()
      }
      /** Nothing can be sent any more, so nothing is received. */
      #lose(reason2) {
        this.#broken = true
        this.#finish(reason2)
        this.#makeRoom()
      }
      #finish(reason2) {
        if (this.#finished) return
        this.#finished = reason2 ? { reason: reason2 } : {}
        if (this.#receiver) this.#tellClosed()
      }
      #tellClosed() {
        queueMicrotask(() => {
          if (this.#told) return
          this.#told = true
          this.#receiver?.closed(this.#finished?.reason)
        })
      }
      /** Who does not read the answers gets no more questions in: otherwise the answers would pile up here. */
      #hold() {
        if (this.#held || this.#closing) return
        this.#held = true
        this.#wire.hold?.()
      }
      #release() {
        if (!this.#held) return
        this.#held = false
        this.#wire.release?.()
      }
      #roomToCome() {
        this.#room ??= gate()
        this.#wire.watchBuffer?.()
        return this.#room.passed
      }
      #makeRoom() {
        this.#room?.open()
        this.#room = void 0
      }
    }
  },
})

// packages/sdk/src/websocket/platform-wire.ts
var pollMs2, PlatformWire
var init_platform_wire = __esm({
  'packages/sdk/src/websocket/platform-wire.ts'() {
    init_wire()
    pollMs2 = 10
    PlatformWire = class {
      #socket
      #events
      #timer
      constructor(socket) {
        this.#socket = socket
      }
      get bufferedAmount() {
        return this.#socket.bufferedAmount
      }
      listen(events) {
        this.#events = events
        this.#socket.addEventListener('message', ({ data: data2 }) => {
          if (typeof data2 === 'string') events.text(data2)
          else events.binary()
        })
        this.#socket.addEventListener('error', () => {})
        this.#socket.addEventListener('close', ({ code, reason: reason2 }) => {
          clearTimeout(this.#timer)
          events.ended(code, reason2)
        })
      }
      send(text2) {
        this.#socket.send(text2)
      }
      close(code, reason2) {
        this.#socket.close(code === CloseCode.Normal ? code : code + 3e3, reason2)
      }
      terminate() {
        this.#socket.close()
      }
      watchBuffer() {
        this.#timer ??= setTimeout(this.#poll, pollMs2)
      }
      #poll = () => {
        this.#timer = void 0
        this.#events?.sent()
        if (this.#socket.bufferedAmount > 0) this.watchBuffer()
      }
    }
  },
})

// packages/sdk/src/websocket/upgrade-refused.ts
var UpgradeRefused
var init_upgrade_refused = __esm({
  'packages/sdk/src/websocket/upgrade-refused.ts'() {
    init_errors()
    UpgradeRefused = class extends McpError {
      status
      /** A header of the answer, by its lower-case name. */
      header
      constructor(message, status, header) {
        super(status === 401 || status === 403 ? 'unauthorized' : 'closed', message)
        this.status = status
        this.header = header
      }
    }
  },
})

// packages/sdk/src/websocket/ws-wire.ts
var eagerBytes, WsWire
var init_ws_wire = __esm({
  'packages/sdk/src/websocket/ws-wire.ts'() {
    eagerBytes = 64 * 1024
    WsWire = class {
      #socket
      #stream
      #corked = false
      #events
      constructor(socket, stream) {
        this.#socket = socket
        this.#stream = stream
      }
      get bufferedAmount() {
        return this.#socket.bufferedAmount
      }
      listen(events) {
        this.#events = events
        const socket = this.#socket
        let failure3
        socket.on('message', (data2, isBinary) => {
          if (isBinary) events.binary()
          else events.text(data2.toString('utf8'))
        })
        socket.on('pong', () => events.alive())
        socket.on('ping', (data2) => {
          if (socket.readyState === socket.OPEN) socket.pong(data2, void 0, this.#onSent)
          events.alive()
        })
        socket.on('error', (error) => {
          failure3 = error
        })
        socket.on('close', (code, reason2) => events.ended(code, reason2.toString('utf8'), failure3))
      }
      send(text2) {
        this.#cork()
        this.#socket.send(text2, this.#onSent)
        if (this.#stream.writableLength > eagerBytes) this.#uncork()
      }
      close(code, reason2) {
        this.#socket.close(code, reason2)
      }
      terminate() {
        this.#socket.terminate()
      }
      hold() {
        this.#socket.pause()
      }
      release() {
        this.#socket.resume()
      }
      ping() {
        if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
      }
      /** Everything sent in one tick goes out in one write. */
      #cork() {
        if (this.#corked) return
        this.#corked = true
        this.#stream.cork()
        process.nextTick(this.#uncork)
      }
      #uncork = () => {
        if (!this.#corked) return
        this.#corked = false
        this.#stream.uncork()
      }
      #onSent = () => this.#events?.sent()
    }
  },
})

// packages/sdk/src/websocket/connect.ts
var connect_exports = {}
__export(connect_exports, {
  webSocketChannel: () => webSocketChannel,
})
async function webSocketChannel(url3, options = {}) {
  const target = webSocketUrl(url3)
  const where = `${target.origin === 'null' ? `${target.protocol}//${target.host}` : target.origin}${target.pathname}`
  const { signal } = options
  if (signal?.aborted) throw cancelled2(where, signal)
  const attempt2 = await begin(target, where, options)
  const { channel, protocol } = await bounded(attempt2, where, options)
  channel.about = { transport: 'websocket', ...whereIs(target) }
  if (protocol === subprotocol) return channel
  await channel.close()
  throw new McpError('negotiation', `${where} did not agree to the subprotocol "${subprotocol}": is it an MCP server?`)
}
function webSocketUrl(url3) {
  if (!URL.canParse(url3)) throw new McpError('invalid_argument', `url: expected a ws: or wss: URL, got ${url3}`)
  const target = new URL(url3)
  if (target.protocol === 'http:') target.protocol = 'ws:'
  else if (target.protocol === 'https:') target.protocol = 'wss:'
  target.hash = ''
  if (target.protocol === 'ws:' || target.protocol === 'wss:') return target
  throw new McpError('invalid_argument', `url: expected a ws: or wss: URL, got one that starts with ${target.protocol}`)
}
async function begin(url3, where, options) {
  const own2 = options.WebSocket ?? globalThis.WebSocket
  if (own2 && !options.headers) return withPlatform(own2, url3, where, options)
  if (options.WebSocket)
    throw new McpError('invalid_argument', 'headers: cannot be sent by the WebSocket that was given')
  return withWs(url3, where, options)
}
function withPlatform(WebSocket, url3, where, limits) {
  const socket = new WebSocket(url3.href, [subprotocol])
  const opened = new Promise((resolve, reject) => {
    socket.addEventListener('open', () => {
      resolve({ channel: new WebSocketChannel(new PlatformWire(socket), limits), protocol: socket.protocol })
    })
    const why = 'check the URL, that the server is running, and that it allows this origin'
    socket.addEventListener('error', () => reject(notConnected(where, why)))
    socket.addEventListener('close', () => reject(notConnected(where, why)))
  })
  return { opened, abandon: () => socket.close() }
}
async function withWs(url3, where, options) {
  const { WebSocket } = await import('ws')
  const socket = new WebSocket(url3, [subprotocol], {
    headers: options.headers ?? {},
    maxPayload: options.maxMessageBytes ?? defaultMaxMessageBytes,
    perMessageDeflate: false,
    autoPong: false,
  })
  const opened = new Promise((resolve, reject) => {
    let stream
    socket.on('upgrade', (response) => {
      stream = response.socket
    })
    socket.on('open', () => {
      resolve({ channel: new WebSocketChannel(new WsWire(socket, stream), options), protocol: socket.protocol })
    })
    socket.on('unexpected-response', (_request, response) => {
      reject(refused(where, response))
      socket.terminate()
    })
    socket.on('error', (error) => reject(notConnected(where, explain3(error), error)))
  })
  return { opened, abandon: () => socket.terminate() }
}
async function bounded({ opened, abandon }, where, { connectTimeoutMs = 1e4, signal }) {
  let timer2
  let onAbort2
  const given = new Promise((_resolve, reject) => {
    timer2 = setTimeout(() => {
      reject(new McpError('timeout', `No connection to ${where} within ${connectTimeoutMs} ms`))
    }, connectTimeoutMs)
    onAbort2 = () => reject(cancelled2(where, signal))
    signal?.addEventListener('abort', onAbort2)
  })
  try {
    return await Promise.race([opened, given])
  } catch (error) {
    abandon()
    opened.then(({ channel }) => channel.close()).catch(() => {})
    throw error
  } finally {
    clearTimeout(timer2)
    signal?.removeEventListener('abort', onAbort2)
  }
}
function refused(where, { statusCode = 0, statusMessage, headers }) {
  const problem = `Cannot connect to ${where}: the server refused with ${statusCode} ${statusMessage}`
  return new UpgradeRefused(problem, statusCode, (name) => headers[name]?.toString())
}
function explain3({ code, message }) {
  switch (code) {
    case 'ECONNREFUSED':
      return 'nobody listens there; check host and port, and that the server is running'
    case 'ENOTFOUND':
      return 'there is no such host'
    default:
      return message
  }
}
var cancelled2, notConnected
var init_connect = __esm({
  'packages/sdk/src/websocket/connect.ts'() {
    init_errors()
    init_where()
    init_channel()
    init_platform_wire()
    init_upgrade_refused()
    init_wire()
    init_ws_wire()
    cancelled2 = (where, signal) =>
      new McpError('cancelled', `Connecting to ${where} was cancelled`, { cause: signal.reason })
    notConnected = (where, why, cause) => new McpError('closed', `Cannot connect to ${where}: ${why}`, { cause })
  },
})

// packages/sdk/src/websocket/authorized.ts
var authorized_exports = {}
__export(authorized_exports, {
  authorizedChannel: () => authorizedChannel,
})
async function authorizedChannel(url3, auth2, options = {}) {
  const { signal = new AbortController().signal } = options
  const server = httpUrl2(url3)
  const about2 = { method: 'GET', url: server, server, signal }
  for (let refusals = 0; ; refusals++) {
    const sent = await auth2.headers(about2)
    try {
      const channel = await webSocketChannel(url3, { ...options, headers: { ...options.headers, ...sent } })
      auth2.answered?.(about2, { status: 101, header: () => void 0 })
      return channel
    } catch (error) {
      if (!(error instanceof UpgradeRefused)) throw error
      const { status, header } = error
      auth2.answered?.(about2, { status, header })
      if ((status !== 401 && status !== 403) || refusals === maxRefusals2) throw error
      const challenge = { ...about2, status, wwwAuthenticate: header('www-authenticate'), sent, refusals }
      if (!(await auth2.challenged(challenge))) throw error
    }
  }
}
function httpUrl2(url3) {
  const http = new URL(url3)
  http.protocol = url3.protocol === 'wss:' ? 'https:' : 'http:'
  return http
}
var maxRefusals2
var init_authorized = __esm({
  'packages/sdk/src/websocket/authorized.ts'() {
    init_connect()
    init_upgrade_refused()
    maxRefusals2 = 4
  },
})

// packages/sdk/src/auth/client/authorization-code.ts
import * as oauth2 from 'oauth4webapi'

// packages/sdk/src/auth/address.ts
function reachOfHost(hostname) {
  const host = hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback'
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return reachOfIPv4(host.split('.').map(Number))
  if (host.includes(':')) return reachOfIPv6(host)
  return 'public'
}
function reachOfIPv4([a = 0, b = 0, c = 0]) {
  if (a === 127) return 'loopback'
  if (a === 169 && b === 254) return 'link-local'
  const isPrivate =
    a === 0 ||
    a === 10 ||
    (a === 100 && b >= 64 && b < 128) ||
    (a === 172 && b >= 16 && b < 32) ||
    (a === 192 && b === 168) ||
    (a === 192 && b === 0 && (c === 0 || c === 2)) ||
    (a === 198 && (b === 18 || b === 19)) ||
    (a === 198 && b === 51 && c === 100) ||
    (a === 203 && b === 0 && c === 113) ||
    a >= 224
  return isPrivate ? 'private' : 'public'
}
function reachOfIPv6(host) {
  const groups2 = groupsOf(host)
  if (groups2 === void 0) return 'private'
  const [first = 0, second = 0] = groups2
  const head = groups2.slice(0, 6)
  const embedded = [groups2[6] >> 8, groups2[6] & 255, groups2[7] >> 8, groups2[7] & 255]
  if (groups2.slice(0, 7).every((group) => group === 0)) return groups2[7] === 1 ? 'loopback' : 'private'
  const isMapped = head.slice(0, 5).every((group) => group === 0) && (head[5] === 65535 || head[5] === 0)
  if (isMapped || (first === 100 && second === 65435)) return reachOfIPv4(embedded)
  if (first === 8194) return reachOfIPv4([second >> 8, second & 255, groups2[2] >> 8])
  if ((first & 65472) === 65152) return 'link-local'
  return (first & 57344) === 8192 && !(first === 8193 && second === 3512) ? 'public' : 'private'
}
function groupsOf(text2) {
  const plain2 = text2.split('%')[0].replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, a, b, c, d) => {
    const hex = (high, low) => (Number(high) * 256 + Number(low)).toString(16)
    return `${hex(a, b)}:${hex(c, d)}`
  })
  const [left = '', right] = plain2.split('::')
  const parts = (side) => (side === '' ? [] : side.split(':').map((group) => Number.parseInt(group, 16)))
  const before3 = parts(left)
  const after = right === void 0 ? [] : parts(right)
  const missing = 8 - before3.length - after.length
  const groups2 = right === void 0 ? before3 : [...before3, ...new Array(Math.max(0, missing)).fill(0), ...after]
  return groups2.length === 8 && groups2.every((group) => group >= 0 && group <= 65535) ? groups2 : void 0
}

// packages/sdk/src/auth/oauth-error.ts
init_errors()
var OAuthError = class extends McpError {
  failure
  /** The error code of OAuth, such as `invalid_grant`, if there was one. */
  error
  trace
  constructor(failure3, message, trace, options) {
    const tried =
      trace === void 0 || trace.entries.length === 0
        ? ''
        : `
What was asked:
${trace}`
    super('unauthorized', message + tried, options)
    this.failure = failure3
    this.error = options?.error
    this.trace = trace?.entries ?? []
  }
}
function withTrace(thrown, trace) {
  if (isMcpError(thrown) && thrown.code === 'cancelled') return thrown
  if (isOAuthError(thrown)) {
    const { failure: failure3, message: message2, error, cause } = thrown
    if (thrown.trace.length > 0) return thrown
    return new OAuthError(failure3, message2, trace, { cause, ...(error !== void 0 && { error }) })
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  return new OAuthError('authorization', message, trace, { cause: thrown })
}
var isOAuthError = (value) => isMcpError(value) && value.code === 'unauthorized' && typeof value.failure === 'string'

// packages/sdk/src/auth/client/loopback.ts
init_errors()

// packages/sdk/src/auth/builtin.ts
function builtin(name) {
  return globalThis.process?.getBuiltinModule?.(name)
}

// packages/sdk/src/auth/same-secret.ts
function sameSecret(one, other) {
  let difference = one.length ^ other.length
  for (let i = 0; i < other.length; i++) difference |= one.charCodeAt(i % (one.length || 1)) ^ other.charCodeAt(i)
  return difference === 0
}

// packages/sdk/src/auth/client/open-browser.ts
init_errors()

// packages/sdk/src/web-url.ts
var isWebUrl = (text2) => URL.canParse(text2) && ['http:', 'https:'].includes(new URL(text2).protocol)

// packages/sdk/src/auth/client/open-browser.ts
var openers = /* @__PURE__ */ new Map([
  ['darwin', ['open']],
  ['win32', ['rundll32', 'url.dll,FileProtocolHandler']],
])
var openBrowser = (page2) => {
  if (!isWebUrl(page2.href))
    throw new McpError('invalid_argument', `Only http and https are opened, not ${page2.protocol}`)
  const processes = builtin('node:child_process')
  if (processes === void 0) {
    throw new McpError('unsupported', 'There is no browser to open: give `redirect` or `openBrowser`')
  }
  const [command, ...args] = openers.get(process.platform) ?? ['xdg-open']
  return new Promise((resolve, reject) => {
    const child = processes.spawn(command, [...args, page2.href], { stdio: 'ignore', detached: true, shell: false })
    child.once('error', (cause) => {
      reject(
        new McpError(
          'unsupported',
          `The browser could not be opened with ${command}: give \`openBrowser\`, or use deviceCode`,
          { cause },
        ),
      )
    })
    child.once('spawn', () => {
      child.unref()
      resolve()
    })
  })
}

// packages/sdk/src/auth/client/loopback.ts
function loopbackRedirect(options = {}) {
  return async (preferred) => {
    const http = builtin('node:http')
    if (http === void 0) throw new McpError('unsupported', 'There is no Node here to listen with: give `redirect`')
    const { path = '/callback' } = options
    const server = http.createServer({ requestTimeout: 1e4, maxHeaderSize: 16384 })
    const port = await listen(server, options.port, preferred)
    return new LoopbackReceiver(server, `http://127.0.0.1:${port}${path}`, options)
  }
}
async function listen(server, fixed, preferred) {
  const wanted2 = fixed ?? (preferred === void 0 ? 0 : Number(new URL(preferred).port))
  try {
    return await listenOn(server, wanted2)
  } catch (error) {
    if (fixed !== void 0 || wanted2 === 0) throw error
    return listenOn(server, 0)
  }
}
var listenOn = (server, port) =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      server.off('error', reject)
      resolve(server.address().port)
    })
  })
var LoopbackReceiver = class {
  uri
  #server
  #options
  constructor(server, uri, options) {
    this.#server = server
    this.uri = uri
    this.#options = options
  }
  visit(page2, signal) {
    const { openBrowser: openBrowser2 = openBrowser, timeoutMs = 5 * 6e4 } = this.#options
    const state = page2.searchParams.get('state')
    return new Promise((resolve, reject) => {
      const late = () =>
        reject(new OAuthError('authorization', `The user did not come back to ${this.uri} within ${timeoutMs} ms`))
      const timer2 = setTimeout(late, timeoutMs)
      const stop2 = () => reject(new McpError('cancelled', 'Nobody waits for the authorization any more'))
      signal.addEventListener('abort', stop2, { once: true })
      this.#server.on('request', (request2, response) => {
        const back = this.#takes(request2, state)
        answer(response, back !== void 0)
        if (back === void 0) return
        clearTimeout(timer2)
        resolve(back)
      })
      if (signal.aborted) stop2()
      else Promise.resolve(page2).then(openBrowser2).catch(reject)
    })
  }
  /** The URL of the user's way back. Other pages can send requests here too, but do not know the state. */
  #takes({ method, url: url3 = '', headers }, state) {
    const own2 = new URL(this.uri)
    if (method !== 'GET' || headers.host !== own2.host || !url3.startsWith('/')) return void 0
    const back = new URL(url3, own2)
    return back.pathname === own2.pathname && isSame(back.searchParams.get('state'), state) ? back : void 0
  }
  close() {
    this.#server.close()
    setTimeout(() => this.#server.closeAllConnections(), 250).unref()
  }
}
var csp = "default-src 'none'; script-src 'sha256-SCRIPT'; style-src 'unsafe-inline'; frame-ancestors 'none'"
var script = "history.replaceState(null,'','/');setTimeout(()=>window.close(),600)"
var scriptHash = () => builtin('node:crypto').createHash('sha256').update(script).digest('base64')
function answer(response, done) {
  response.writeHead(done ? 200 : 404, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': csp.replace('SCRIPT', scriptHash()),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    Connection: 'close',
  })
  const text2 = done ? 'You can close this window and go back to the application.' : 'There is nothing here.'
  const closing = done ? `<script>${script}</script>` : ''
  response.end(
    `<!doctype html><meta charset="utf-8"><title>Authorization</title><body style="font:16px system-ui;margin:4rem"><p>${text2}</p>${closing}`,
  )
}
var isSame = (given, state) => (given === null || state === null ? given === state : sameSecret(given, state))

// packages/sdk/src/auth/client/token-request.ts
init_errors()
init_http_error()
init_classify()

import * as oauth from 'oauth4webapi'

async function requestToken(request2) {
  const { as, client: client2, dpop, trace } = request2
  const attempt2 = async () => {
    const options = { ...requestOptions(request2), ...(dpop && { DPoP: dpop.handle }) }
    return oauth.processGenericTokenEndpointResponse(as, client2.client, await request2.send(options))
  }
  try {
    try {
      return await attempt2()
    } catch (error) {
      if (dpop === void 0 || !oauth.isDPoPNonceError(error)) throw error
      return await attempt2()
    }
  } catch (error) {
    throw explained('token', 'The token endpoint', error, trace)
  }
}
function requestOptions({ guard: guard2, signal }) {
  return {
    signal,
    // Which plain http is allowed is decided by the guard.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (url3, init) => withoutIdToken(await guard2.fetch(url3, init)),
  }
}
async function withoutIdToken(response) {
  if (response.status !== 200) return response
  const { status, headers } = response
  const text2 = await response.text()
  let body
  try {
    body = JSON.parse(text2)
  } catch {}
  if (!isObject(body) || !('id_token' in body)) return new Response(text2, { status, headers })
  const { id_token: _, ...rest } = body
  return new Response(JSON.stringify(rest), { status, headers })
}
function explained(failure3, what, thrown, trace) {
  if (isOAuthError(thrown) || (isMcpError(thrown) && thrown.code === 'cancelled')) return thrown
  if (isMcpError(thrown)) return new OAuthError(failure3, `${what} failed: ${thrown.message}`, trace, { cause: thrown })
  const error = codeOf(thrown)
  if (error === void 0) {
    return new OAuthError(failure3, `${what} failed: ${messageOf(thrown)}`, trace)
  }
  const { error_description: description } = thrown
  const said = description === void 0 ? '' : `: ${excerpt(description, void 0)}`
  return new OAuthError(failure3, `${what} refused with ${excerpt(error, void 0)}${said}`, trace, { error })
}
function messageOf(thrown) {
  if (!(thrown instanceof Error)) return 'unknown'
  return thrown.cause instanceof Response ? `${thrown.message} (HTTP ${thrown.cause.status})` : thrown.message
}
function codeOf(thrown) {
  if (thrown instanceof oauth.ResponseBodyError || thrown instanceof oauth.AuthorizationResponseError) {
    return thrown.error
  }
  if (thrown instanceof oauth.WWWAuthenticateChallengeError) {
    return thrown.cause.find(({ parameters }) => parameters.error !== void 0)?.parameters.error ?? 'invalid_client'
  }
  return void 0
}

// packages/sdk/src/auth/client/authorization-code.ts
function authorizationCode({ redirect: redirect2 = loopbackRedirect() } = {}) {
  return {
    name: 'authorization code',
    type: 'authorization_code',
    interactive: true,
    obtain: async (context) => {
      assertPkce(context)
      const receiver = await redirect2(await context.knownRedirectUri())
      try {
        return await authorize(context, receiver)
      } finally {
        await receiver.close()
      }
    },
  }
}
async function authorize(context, receiver) {
  const { as, trace, signal, sentResource: sentResource2 } = context
  assertRedirectUri(receiver.uri)
  const client2 = await context.client(receiver.uri)
  const verifier = oauth2.generateRandomCodeVerifier()
  const state = oauth2.generateRandomState()
  const page2 = await pageUrl(context, client2, receiver.uri, verifier, state)
  const back = await receiver.visit(page2, signal)
  let parameters
  try {
    parameters = oauth2.validateAuthResponse(as, client2.client, back, state)
  } catch (error) {
    throw explained('authorization', `The authorization at ${as.issuer}`, error, trace)
  }
  const response = await requestToken({
    ...context,
    client: client2,
    send: (options) =>
      oauth2.authorizationCodeGrantRequest(
        as,
        client2.client,
        client2.authenticate,
        parameters,
        receiver.uri,
        verifier,
        {
          ...options,
          ...(sentResource2 !== void 0 && { additionalParameters: { resource: sentResource2 } }),
        },
      ),
  })
  return { response, clientId: client2.client.client_id }
}
async function pageUrl(
  { as, sentResource: sentResource2, scopes, guard: guard2, trace, dpop },
  { client: client2 },
  redirectUri,
  verifier,
  state,
) {
  const page2 = URL.canParse(as.authorization_endpoint ?? '') ? new URL(as.authorization_endpoint) : void 0
  const refusal = page2 === void 0 ? 'it names no authorization endpoint' : guard2.refusal(page2)
  if (page2 === void 0 || refusal !== void 0) {
    throw new OAuthError('discovery', `The authorization server ${as.issuer} cannot be used: ${refusal}`, trace)
  }
  const parameters = {
    response_type: 'code',
    client_id: client2.client_id,
    redirect_uri: redirectUri,
    code_challenge: await oauth2.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    ...(sentResource2 !== void 0 && { resource: sentResource2 }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
    // OpenID: without it long-lived access is not granted.
    ...(scopes.includes('offline_access') && { prompt: 'consent' }),
    ...(dpop !== void 0 && { dpop_jkt: dpop.thumbprint }),
  }
  for (const [name, value] of Object.entries(parameters)) page2.searchParams.set(name, value)
  return page2
}
function assertPkce({ as, hasMetadata, allowsUnadvertisedPkce, trace }) {
  const methods = as.code_challenge_methods_supported
  if (!hasMetadata || methods?.includes('S256') || (methods === void 0 && allowsUnadvertisedPkce)) return
  const said = methods === void 0 ? 'does not say that it supports PKCE' : 'does not support PKCE with S256'
  const hint = methods === void 0 ? ' (deviations.unadvertisedPkce tolerates that)' : ''
  throw new OAuthError('discovery', `The authorization server ${as.issuer} ${said}${hint}`, trace)
}
function assertRedirectUri(uri) {
  const { protocol, hostname } = new URL(uri)
  if (protocol !== 'http:' || reachOfHost(hostname) === 'loopback') return
  throw new OAuthError('authorization', `The redirect URI ${uri} is neither https nor on this machine`)
}

// packages/sdk/src/auth/discovery.ts
init_errors()
init_classify()
init_limits()

// packages/sdk/src/model/revision.ts
var revisions = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']
var isRevision = (value) => revisions.includes(value)

// packages/sdk/src/auth/well-known.ts
var at = (origin, path) => new URL(path, origin.origin)
var withoutSlash = (path) => path.replace(/\/+$/, '')
function resourceMetadataUrls(server) {
  const path = withoutSlash(server.pathname)
  const root = at(server, '/.well-known/oauth-protected-resource')
  return path === '' ? [root] : [at(server, `/.well-known/oauth-protected-resource${path}`), root]
}
function issuerMetadataUrls(issuer) {
  const path = withoutSlash(issuer.pathname)
  const urls = [
    at(issuer, `/.well-known/oauth-authorization-server${path}`),
    at(issuer, `/.well-known/openid-configuration${path}`),
  ]
  return path === '' ? urls : [...urls, at(issuer, `${path}/.well-known/openid-configuration`)]
}
function coversServer(resource, server) {
  if (!URL.canParse(resource)) return false
  const { origin, pathname, search, hash } = new URL(resource)
  if (origin !== server.origin || hash !== '' || resource.includes('#')) return false
  if (search !== '' && search !== server.search) return false
  return `${withoutSlash(server.pathname)}/`.startsWith(`${withoutSlash(pathname)}/`)
}

// packages/sdk/src/auth/discovery.ts
async function discoverResource(server, named, options) {
  const { trace } = options
  const urls = resourceMetadataUrls(server)
  if (named !== void 0 && URL.canParse(named, server)) urls.unshift(new URL(named, server))
  let isAbsent = named === void 0
  for (const url3 of unique(urls)) {
    const found = await readDocument(url3, options)
    if (found.kind === 'unknown') isAbsent = false
    if (found.kind !== 'found') continue
    const metadata = readResource(found.json)
    if (metadata === void 0) {
      isAbsent = false
      trace.add(url3.href, 'has no resource, or members of the wrong type')
      continue
    }
    if (!coversServer(metadata.resource, server)) {
      trace.add(url3.href, `is about ${metadata.resource}`)
      throw new OAuthError('discovery', `The metadata of ${server.href} is about ${quote2(metadata.resource)}`, trace)
    }
    return metadata
  }
  if (isAbsent) return void 0
  throw new OAuthError('discovery', `${server.href} asks for authorization, and its metadata cannot be read`, trace)
}
function readResource(json) {
  const { resource, authorization_servers, scopes_supported, dpop_bound_access_tokens_required } = json
  if (typeof resource !== 'string') return void 0
  const servers = strings(authorization_servers ?? [])
  const scopes = scopes_supported === void 0 ? void 0 : strings(scopes_supported)
  if (servers === void 0 || (scopes_supported !== void 0 && scopes === void 0)) return void 0
  return { resource, authorizationServers: servers, scopes, dpopRequired: dpop_bound_access_tokens_required === true }
}
async function discoverIssuer(issuer, options) {
  const { trace, warn } = options
  if (!URL.canParse(issuer)) throw new OAuthError('discovery', `The issuer ${quote2(issuer)} is no URL`, trace)
  let isAbsent = true
  for (const url3 of issuerMetadataUrls(new URL(issuer))) {
    const found = await readDocument(url3, options)
    if (found.kind === 'unknown') isAbsent = false
    if (found.kind !== 'found') continue
    const { issuer: named } = found.json
    const problem = wrongMember(found.json)
    if (problem !== void 0) {
      isAbsent = false
      trace.add(url3.href, problem)
      continue
    }
    if (named === issuer) return found.json
    isAbsent = false
    trace.add(url3.href, `names the issuer ${quote2(named)}, expected ${quote2(issuer)}`)
    if (options.onIssuerMismatch === 'warn' && typeof named === 'string') {
      warn(`The metadata at ${url3.href} names the issuer ${quote2(named)}, expected ${quote2(issuer)}`)
      return found.json
    }
  }
  if (isAbsent) return void 0
  throw new OAuthError(
    'discovery',
    `The metadata of the authorization server ${quote2(issuer)} cannot be used (deviations.issuerMismatch tolerates another issuer)`,
    trace,
  )
}
var lists = [
  'scopes_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'dpop_signing_alg_values_supported',
]
var endpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'device_authorization_endpoint',
  'revocation_endpoint',
]
function wrongMember(json) {
  const list2 = lists.find((name) => json[name] != null && strings(json[name]) === void 0)
  if (list2 !== void 0) return `${list2}: expected an array of strings`
  const endpoint = endpoints.find((name) => json[name] != null && typeof json[name] !== 'string')
  return endpoint === void 0 ? void 0 : `${endpoint}: expected a string`
}
var defaultEndpoints = ({ origin }) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/authorize`,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
})
var versionHeader = builtin('node:http') === void 0 ? {} : { 'MCP-Protocol-Version': revisions.at(-1) }
async function readDocument(url3, { guard: guard2, trace, signal }) {
  const headers = { Accept: 'application/json', ...versionHeader }
  try {
    const { status, text: text2 } = await guard2.send({ method: 'GET', url: url3, headers, ...(signal && { signal }) })
    if (status !== 200) {
      trace.add(url3.href, 'no metadata', status)
      return { kind: status >= 500 || status === 429 ? 'unknown' : 'absent' }
    }
    const json = parse(text2)
    trace.add(url3.href, json === void 0 ? 'is no JSON object' : 'metadata', status)
    return json === void 0 ? { kind: 'absent' } : { kind: 'found', json }
  } catch (error) {
    if (signal?.aborted) throw error
    trace.add(url3.href, isMcpError(error) ? error.message : String(error))
    return { kind: 'unknown' }
  }
}
function parse(text2) {
  if (exceedsDepth(text2, 32)) return void 0
  try {
    const value = JSON.parse(text2)
    return isObject(value) ? value : void 0
  } catch {
    return void 0
  }
}
var unique = (urls) => [...new Map(urls.map((url3) => [url3.href, url3])).values()]
var strings = (value) => (Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : void 0)
var quote2 = (value) => (typeof value === 'string' ? JSON.stringify(value.slice(0, 200)) : 'none')

// packages/sdk/src/auth/client/client-authentication.ts
init_errors()

import * as oauth3 from 'oauth4webapi'

var knownMethods = ['client_secret_basic', 'client_secret_post', 'none']
function methodToRegister({ token_endpoint_auth_methods_supported: offered }) {
  if (offered === void 0) return void 0
  const preferred = ['none', 'client_secret_basic', 'client_secret_post']
  return preferred.find((method) => offered.includes(method))
}
function secretAuthentication(as, secret, agreed) {
  const method = knownMethods.includes(agreed ?? '') ? agreed : defaultMethod(as, secret)
  if (secret === void 0 || method === 'none') return oauth3.None()
  return method === 'client_secret_post' ? oauth3.ClientSecretPost(secret) : basic(secret)
}
function defaultMethod(as, secret) {
  if (secret === void 0) return 'none'
  const offered = as.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  const isPostOnly = offered.includes('client_secret_post') && !offered.includes('client_secret_basic')
  return isPostOnly ? 'client_secret_post' : 'client_secret_basic'
}
var basic = (secret) => (_as, client2, _body, headers) => {
  const encode = (text2) => new URLSearchParams([['', text2]]).toString().slice(1)
  headers.set('authorization', `Basic ${btoa(`${encode(client2.client_id)}:${encode(secret)}`)}`)
}
async function keyAuthentication({ privateKey, algorithm }) {
  const sign = oauth3.PrivateKeyJwt(await importKey(privateKey, algorithm))
  return async (as, client2, body, headers) => {
    await sign(as, client2, body, headers)
    body.delete('client_id')
  }
}
async function importKey(key, algorithm = 'ES256') {
  if (typeof key !== 'string') return key
  const { importPKCS8 } = await import('jose')
  try {
    return await importPKCS8(key, algorithm)
  } catch {
    throw new McpError('invalid_argument', `client.privateKey: expected PKCS#8 in PEM for ${algorithm}`)
  }
}

// packages/sdk/src/auth/client/file-lock.ts
init_errors()
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
      if (codeOf2(error) !== 'EEXIST') throw error
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
  const { rename: rename2, link: link2, rm } = files()
  const holder = await contentOf(file)
  if (holder === void 0 || !(await isStale(file, holder, staleMs))) return false
  const aside = `${file}.${crypto.randomUUID()}`
  try {
    await rename2(file, aside)
  } catch {
    return false
  }
  const isCorpse = (await contentOf(aside)) === holder
  if (!isCorpse) await link2(aside, file).catch(() => {})
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
    return codeOf2(error) === 'ESRCH'
  }
}
var contentOf = (file) =>
  files()
    .readFile(file, 'utf8')
    .catch(() => void 0)
var codeOf2 = (error) => error.code

// packages/sdk/src/auth/client/file-store.ts
init_errors()
init_classify()
function fileStore(file) {
  const path = builtin('node:path')
  const fs = builtin('node:fs/promises')
  if (path === void 0 || fs === void 0) throw new McpError('unsupported', 'There are no files here')
  const directory = path.dirname(path.resolve(file))
  const lock = fileLock(directory)
  let last = Promise.resolve()
  const read = async () => {
    let text2
    try {
      text2 = await fs.readFile(file, 'utf8')
    } catch (error) {
      if (error.code === 'ENOENT') return /* @__PURE__ */ new Map()
      throw error
    }
    return parse2(text2, file)
  }
  const write = async (values) => {
    const draft = `${file}.${process.pid}.${crypto.randomUUID()}`
    try {
      await fs.writeFile(draft, JSON.stringify(Object.fromEntries(values), null, 2), { mode: 384, flag: 'wx' })
      await fs.rename(draft, file)
    } catch (error) {
      await fs.rm(draft, { force: true })
      throw error
    }
  }
  const change = (edit) => {
    const work = () =>
      lock.hold(`store ${path.resolve(file)}`, async () => {
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
function parse2(text2, file) {
  try {
    const value = JSON.parse(text2)
    if (isObject(value)) return new Map(Object.entries(value).filter((entry) => typeof entry[1] === 'string'))
  } catch {}
  throw new McpError('invalid_argument', `${file} is not a file of tokens`)
}

// packages/sdk/src/auth/client/oauth.ts
init_errors()

// packages/sdk/src/auth/challenge.ts
var maxLength = 16384
var schemePattern = /[\s,]*([!#$%&'*+\-.^_`|~\w]+)(?![^\s,])/y
var token68Pattern = /[ \t]+[\w\-.~+/]+=*(?=[ \t]*(?:,|$))/y
var paramPattern = /[\s,]*([!#$%&'*+\-.^_`|~\w]+)[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/y
function parseChallenges(header) {
  const text2 = header.slice(0, maxLength)
  const challenges = []
  let at2 = 0
  const next = (pattern2) => {
    pattern2.lastIndex = at2
    const found = pattern2.exec(text2)
    if (found !== null) at2 = pattern2.lastIndex
    return found
  }
  for (let scheme = next(schemePattern); scheme !== null; scheme = next(schemePattern)) {
    const params2 = /* @__PURE__ */ new Map()
    challenges.push({ scheme: scheme[1].toLowerCase(), params: params2 })
    if (next(token68Pattern) !== null) continue
    for (let param = next(paramPattern); param !== null; param = next(paramPattern)) {
      const [, name, quoted, plain2] = param
      const key = name.toLowerCase()
      if (!params2.has(key)) params2.set(key, quoted === void 0 ? plain2 : quoted.replace(/\\(.)/g, '$1'))
    }
  }
  return challenges
}
function tokenChallenge(header) {
  if (header === void 0) return void 0
  const challenges = parseChallenges(header).filter(({ scheme }) => scheme === 'bearer' || scheme === 'dpop')
  return challenges.find(({ params: params2 }) => params2.has('resource_metadata')) ?? challenges[0]
}
var scopesOf = (text2) => (text2 ?? '').split(/[\s]+/).filter((word) => word !== '')

// packages/sdk/src/auth/guarded-fetch.ts
init_errors()
init_fetch_engine()
init_node_engine()
var redirects = /* @__PURE__ */ new Set([301, 302, 303, 307, 308])
var GuardedFetch = class _GuardedFetch {
  #server
  #serverReach
  #options
  constructor(server, options = {}) {
    this.#server = server
    this.#serverReach = reachOfHost(server.hostname)
    this.#options = options
  }
  /** The same for what another server names. */
  for(server) {
    return new _GuardedFetch(server, this.#options)
  }
  /** Why a URL may not be asked; undefined if it may. What a name resolves to is checked when it is connected to. */
  refusal(url3) {
    const { protocol, hostname, username, password } = url3
    if (protocol !== 'http:' && protocol !== 'https:') return `expected an http or https URL, got ${protocol}`
    if (username !== '' || password !== '') return 'the URL contains credentials'
    const reach = reachOfHost(hostname)
    if (protocol === 'http:' && reach !== 'loopback' && !this.#options.allowInsecureHttp) {
      return 'plain http is for this machine only (network.allowInsecureHttp allows more)'
    }
    return this.#refusalOf(reach, hostname)
  }
  async send(request2) {
    const { timeoutMs = 1e4, maxRedirects = 3 } = this.#options
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = request2.signal === void 0 ? timeout : AbortSignal.any([request2.signal, timeout])
    let { url: url3 } = request2
    for (let hops = 0; ; hops += 1) {
      const refusal = this.refusal(url3)
      if (refusal !== void 0) throw new McpError('unauthorized', `${url3.origin} is not asked: ${refusal}`)
      const reply = await this.#once({ ...request2, url: url3, signal }, timeoutMs)
      const location = redirects.has(reply.status) ? reply.header('location') : void 0
      if (location === void 0) return reply
      if (hops >= maxRedirects) throw new McpError('unauthorized', `${request2.url.href} redirects too often`)
      url3 = redirected(request2.method, url3, location)
    }
  }
  /** The same with the types of the platform. */
  fetch = async (url3, init) => {
    const {
      status,
      text: text2,
      header,
    } = await this.send({
      method: init.method === 'POST' ? 'POST' : 'GET',
      url: new URL(url3),
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body != null && { body: String(init.body) }),
      ...(init.signal && { signal: init.signal }),
    })
    const headers = new Headers()
    for (const name of ['content-type', 'www-authenticate', 'dpop-nonce', 'retry-after']) {
      const value = header(name)
      if (value !== void 0) headers.set(name, value)
    }
    return new Response(status === 204 || status === 304 ? null : text2, { status, headers })
  }
  #refusalOf(reach, host) {
    if (reach === 'public' || host === this.#server.hostname || this.#options.allowPrivateNetwork) return void 0
    if (this.#serverReach !== 'public' && reach !== 'link-local') return void 0
    return `${host} is a ${reach} address (network.allowPrivateNetwork allows it)`
  }
  #once(request2, connectTimeoutMs) {
    const { url: url3, signal } = request2
    const engine = this.#engine(url3, connectTimeoutMs)
    const { maxBytes = 256 * 1024 } = this.#options
    return new Promise((resolve, reject) => {
      let head
      let size = 0
      const chunks = []
      const fail = (error) => {
        sent.abort()
        reject(error)
      }
      const stop2 = () => {
        const timedOut = signal.reason?.name === 'TimeoutError'
        const why = timedOut ? `${url3.origin} did not answer in time` : 'Nobody waits for this any more'
        fail(new McpError(timedOut ? 'timeout' : 'cancelled', why, { cause: signal.reason }))
      }
      const reader = {
        head: (found) => {
          head = found
        },
        chunk: (bytes) => {
          size += bytes.length
          chunks.push(bytes)
          if (size > maxBytes) fail(new McpError('unauthorized', `${url3.href} is larger than ${maxBytes} bytes`))
        },
        end: () => {
          const { status, header } = head
          resolve({ url: url3, status, text: textOf(chunks), header })
        },
        broken: reject,
      }
      const sent = engine.send(toHttpRequest(request2), reader)
      signal?.addEventListener('abort', stop2, { once: true })
      if (signal?.aborted) stop2()
    }).finally(() => engine.close())
  }
  #engine(url3, connectTimeoutMs) {
    const { fetch: fetch2 } = this.#options
    if (fetch2 !== void 0) return fetchEngine(fetch2)
    const secure = url3.protocol === 'https:'
    const http = builtin(secure ? 'node:https' : 'node:http')
    const agent = http && new http.Agent({ lookup: this.#lookup })
    return nodeEngine(secure, { connectTimeoutMs, ...(agent && { agent }) }) ?? fetchEngine()
  }
  /** Checks what a name resolves to at the moment of connecting: a second look-up could be answered differently. */
  #lookup = (hostname, options, callback) => {
    builtin('node:dns').lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) {
        callback(error, '')
        return
      }
      const refusal = addresses
        .map(({ address }) =>
          this.#refusalOf(hostname === this.#server.hostname ? 'public' : reachOfHost(address), address),
        )
        .find((found) => found !== void 0)
      if (refusal !== void 0) callback(new Error(`${hostname} is not asked: ${refusal}`), '')
      else if (options.all) callback(null, addresses)
      else callback(null, addresses[0].address, addresses[0].family)
    })
  }
}
function redirected(method, from, location) {
  const to = URL.canParse(location, from) ? new URL(location, from) : void 0
  const refuse2 = (why) => new McpError('unauthorized', `${from.href} ${why}`)
  if (method !== 'GET') throw refuse2('redirects what was posted')
  if (to === void 0) throw refuse2('redirects to what is no URL')
  if (to.origin !== from.origin) throw refuse2(`redirects to another origin, ${to.origin}`)
  return to
}
function toHttpRequest({ method, url: url3, headers = {}, body }) {
  return { method, url: url3, headers, repeatable: method === 'GET', ...(body !== void 0 && { body }) }
}
function textOf(chunks) {
  const decoder = new TextDecoder()
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode()
}

// packages/sdk/src/auth/trace.ts
var Trace = class {
  entries = []
  add(url3, outcome, status) {
    this.entries.push({ url: url3, outcome, ...(status !== void 0 && { status }) })
  }
  toString() {
    return this.entries
      .map(({ url: url3, status, outcome }) => `  ${url3}${status === void 0 ? '' : ` (HTTP ${status})`}: ${outcome}`)
      .join('\n')
  }
}

// packages/sdk/src/auth/client/dpop.ts
import * as oauth4 from 'oauth4webapi'

var DpopKey = class {
  handle
  thumbprint
  #pair
  #nonces = /* @__PURE__ */ new Map()
  constructor(pair, handle, thumbprint) {
    this.#pair = pair
    this.handle = handle
    this.thumbprint = thumbprint
  }
  /** What goes with a request to the resource: the token, and a proof made for this request. */
  async headers(method, url3, accessToken) {
    return { Authorization: `DPoP ${accessToken}`, DPoP: await this.#proof(method, url3, accessToken) }
  }
  /** Remembers the nonce of a reply. */
  remember({ origin }, nonce) {
    this.#nonces.set(origin, nonce)
  }
  async #proof(method, url3, accessToken) {
    const { SignJWT, exportJWK, base64url } = await import('jose')
    const { kty, crv, x, y, e, n } = await exportJWK(this.#pair.publicKey)
    const jwk = Object.fromEntries(Object.entries({ kty, crv, x, y, e, n }).filter(([, value]) => value !== void 0))
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(accessToken))
    const nonce = this.#nonces.get(url3.origin)
    return new SignJWT({
      htm: method,
      htu: url3.origin + url3.pathname,
      ath: base64url.encode(new Uint8Array(hash)),
      ...(nonce !== void 0 && { nonce }),
    })
      .setProtectedHeader({ alg: algorithmOf(this.#pair.privateKey), typ: 'dpop+jwt', jwk })
      .setIssuedAt()
      .setJti(crypto.randomUUID())
      .sign(this.#pair.privateKey)
  }
}
async function dpopKey(given) {
  const pair = given ?? (await oauth4.generateKeyPair('ES256', { extractable: false }))
  const handle = oauth4.DPoP({}, pair)
  return new DpopKey(pair, handle, await handle.calculateThumbprint())
}
function algorithmOf({ algorithm }) {
  const { name, namedCurve } = algorithm
  if (name === 'ECDSA') return namedCurve === 'P-384' ? 'ES384' : namedCurve === 'P-521' ? 'ES512' : 'ES256'
  if (name === 'Ed25519') return 'Ed25519'
  const { hash } = algorithm
  return `${name === 'RSA-PSS' ? 'PS' : 'RS'}${hash.name.slice(-3)}`
}

// packages/sdk/src/auth/client/obtain.ts
import * as oauth6 from 'oauth4webapi'

// packages/sdk/src/auth/client/registration.ts
import * as oauth5 from 'oauth4webapi'

async function resolveClient(plan, redirectUri) {
  const { as, options, record } = plan
  if (options.client !== void 0) return staticClient(options.client, plan)
  if (options.clientMetadataUrl !== void 0 && as.client_id_metadata_document_supported === true) {
    return resolved({ id: options.clientMetadataUrl }, as, false)
  }
  const known2 = await record.get()
  if (known2 !== void 0 && isUsable(known2, redirectUri)) return resolved(known2, as, true)
  if (as.registration_endpoint === void 0 || options.registration === false || plan.grant.registers === false)
    throw noClient(plan)
  const registered2 = await register(plan, options.registration ?? {}, redirectUri)
  await record.set(registered2)
  return resolved(registered2, as, true)
}
function resolved(known2, as, registered2) {
  const { id, secret, method } = known2
  return { client: { client_id: id }, authenticate: secretAuthentication(as, secret, method), registered: registered2 }
}
async function staticClient(given, { as, knownIssuer: knownIssuer2, trace }) {
  const { id, secret, privateKey, method, issuer = knownIssuer2 } = given
  if (issuer !== void 0 && issuer !== as.issuer) {
    const message = `The client belongs to the authorization server ${issuer}, and the server now names ${as.issuer}`
    throw new OAuthError('registration', message, trace)
  }
  const authenticate = privateKey === void 0 ? secretAuthentication(as, secret, method) : await keyAuthentication(given)
  return { client: { client_id: id }, authenticate, registered: false }
}
function isUsable({ secretExpiresAt, redirectUri: known2 }, redirectUri) {
  const isFresh = secretExpiresAt === void 0 || secretExpiresAt > Date.now()
  return isFresh && (redirectUri === void 0 || redirectUri === known2)
}
async function register(plan, about2, redirectUri) {
  const metadata = metadataOf(plan, about2, redirectUri)
  try {
    return await sendRegistration(plan, metadata, redirectUri)
  } catch (error) {
    if (about2.application_type !== void 0 || !mayBeAboutType(error)) throw error
    const other = { ...metadata, application_type: metadata.application_type === 'web' ? 'native' : 'web' }
    return sendRegistration(plan, other, redirectUri).catch(() => Promise.reject(error))
  }
}
var mayBeAboutType = (error) =>
  isOAuthError(error) && (error.error === 'invalid_redirect_uri' || error.error === 'invalid_client_metadata')
async function sendRegistration(plan, metadata, redirectUri) {
  const { as, trace } = plan
  const { [oauth5.customFetch]: send, ...options } = requestOptions(plan)
  try {
    const response = await oauth5.dynamicClientRegistrationRequest(as, metadata, {
      ...options,
      [oauth5.customFetch]: async (url3, init) => asCreated(await plan.guard.fetch(url3, init)),
    })
    return recordOf(await oauth5.processDynamicClientRegistrationResponse(response), redirectUri)
  } catch (error) {
    throw explained('registration', `The registration at ${as.registration_endpoint}`, error, trace)
  }
}
function metadataOf({ as, grant, scopes }, about2, redirectUri) {
  const method = methodToRegister(as)
  return {
    client_name: 'Tenon',
    // auth.reg.application-type: without it servers assume `web`, and refuse redirects to this machine.
    application_type: applicationType(redirectUri),
    ...about2,
    grant_types: grant.interactive ? [grant.type, 'refresh_token'] : [grant.type],
    ...(redirectUri !== void 0 && { redirect_uris: [redirectUri], response_types: ['code'] }),
    ...(method !== void 0 && { token_endpoint_auth_method: method }),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  }
}
function applicationType(redirectUri) {
  if (redirectUri === void 0) return 'native'
  const { protocol, hostname } = new URL(redirectUri)
  return protocol === 'https:' && reachOfHost(hostname) !== 'loopback' ? 'web' : 'native'
}
async function asCreated(response) {
  if (response.status !== 200 && response.status !== 201) return response
  const { headers } = response
  const text2 = await response.text()
  try {
    const body = { client_secret_expires_at: 0, ...JSON.parse(text2) }
    return new Response(JSON.stringify(body), { status: 201, headers })
  } catch {
    return new Response(text2, { status: 201, headers })
  }
}
function recordOf(client2, redirectUri) {
  const { client_id, client_secret, client_secret_expires_at: expires, token_endpoint_auth_method: method } = client2
  return {
    id: client_id,
    ...(typeof client_secret === 'string' && { secret: client_secret }),
    ...(typeof expires === 'number' && expires > 0 && { secretExpiresAt: expires * 1e3 }),
    ...(typeof method === 'string' && { method }),
    ...(redirectUri !== void 0 && { redirectUri }),
  }
}
function noClient({ as, grant, options, trace }) {
  const document = options.clientMetadataUrl === void 0 ? 'has none' : 'it does not support'
  const isOff = options.registration === false || grant.registers === false
  const registration = isOff ? 'is turned off' : 'it does not offer'
  const message = `There is no client id for the authorization server ${as.issuer}: give \`client\` with one that it knows (a metadata document ${document}, registration ${registration})`
  return new OAuthError('registration', message, trace)
}

// packages/sdk/src/auth/client/obtain.ts
var unknownClient = /* @__PURE__ */ new Set(['invalid_client', 'unauthorized_client'])
async function obtain(plan) {
  let used
  const context = contextOf(plan, (client2) => {
    used = client2
  })
  try {
    return await plan.grant.obtain(context)
  } catch (error) {
    if (!isOAuthError(error) || !unknownClient.has(error.error) || used?.registered !== true) throw error
    await forgetClient(plan, used.client.client_id)
    return plan.grant.obtain(context)
  }
}
async function refresh(plan, tokens) {
  const { as, record } = plan.place
  const { refreshToken } = tokens
  if (refreshToken === void 0) return void 0
  const client2 = await clientFor(plan).catch(() => void 0)
  if (client2 === void 0 || client2.client.client_id !== tokens.clientId) return void 0
  const resource = sentResource(plan, record.resource)
  try {
    return await requestToken({
      ...plan,
      as,
      client: client2,
      send: (options) =>
        oauth6.refreshTokenGrantRequest(as, client2.client, client2.authenticate, refreshToken, {
          ...options,
          ...(resource !== void 0 && { additionalParameters: { resource } }),
        }),
    })
  } catch (error) {
    if (!isOAuthError(error)) throw error
    if (unknownClient.has(error.error) && client2.registered) await forgetClient(plan, client2.client.client_id)
    else if (error.error !== 'invalid_grant') throw error
    return void 0
  }
}
var sentResource = ({ options }, resource) => (options.deviations?.omitResource ? void 0 : resource)
var clientFor = (plan, redirectUri) => {
  const { as, record } = plan.place
  return resolveClient({ ...plan, as, record: plan.records.client(record.issuer) }, redirectUri)
}
function contextOf(plan, use) {
  const { as, record } = plan.place
  return {
    ...plan,
    as,
    resource: record.resource,
    sentResource: sentResource(plan, record.resource),
    hasMetadata: record.defaults !== true,
    allowsUnadvertisedPkce: plan.options.deviations?.unadvertisedPkce === true,
    client: async (redirectUri) => {
      const client2 = await clientFor(plan, redirectUri)
      use(client2)
      return client2
    },
    knownRedirectUri: async () => (await plan.records.client(record.issuer).get())?.redirectUri,
  }
}
async function forgetClient({ records, place }, clientId) {
  const entry = records.client(place.record.issuer)
  if ((await entry.get())?.id === clientId) await entry.delete()
}

// packages/sdk/src/auth/client/place.ts
async function findPlace(server, challenge, options, discovery) {
  const metadata = await discoverResource(server, challenge?.params.get('resource_metadata'), discovery)
  const listed3 = metadata?.authorizationServers ?? []
  const { scopes, dpopRequired = false } = metadata ?? {}
  const about2 = { scopes, dpopRequired }
  const resource = metadata === void 0 ? {} : { resource: metadata.resource }
  if (listed3.length === 0) {
    const as = await discoverIssuer(server.origin, discovery)
    const record = { issuer: server.origin, ...resource }
    if (as !== void 0) return { record, as, ...about2 }
    return { record: { ...record, defaults: true }, as: defaultEndpoints(server), ...about2 }
  }
  const issuer = await chooseIssuer(listed3, options, discovery)
  return { record: { issuer, ...resource }, as: await knownIssuer(issuer, discovery), ...about2 }
}
async function recallPlace(record, server, discovery) {
  const as = record.defaults ? defaultEndpoints(server) : await knownIssuer(record.issuer, discovery)
  return { record, as, scopes: void 0, dpopRequired: false }
}
async function knownIssuer(issuer, discovery) {
  const as = await discoverIssuer(issuer, discovery)
  if (as !== void 0) return as
  throw new OAuthError('discovery', `The authorization server ${issuer} has no metadata`, discovery.trace)
}
async function chooseIssuer(listed3, { chooseIssuer: choose, client: client2 }, { trace }) {
  const own2 = client2?.issuer !== void 0 && listed3.includes(client2.issuer) ? client2.issuer : listed3[0]
  const chosen = choose === void 0 ? own2 : await choose(listed3)
  if (listed3.includes(chosen)) return chosen
  throw new OAuthError('discovery', `chooseIssuer returned ${chosen}, which the server does not list`, trace)
}

// packages/sdk/src/auth/client/restraint.ts
var calmMs = 6e4
var restMs = 1e4
var Restraint = class {
  #server
  /** A token that was just obtained, until the server takes it. */
  #unproven
  /** Scopes that were asked for in vain. */
  #denied = /* @__PURE__ */ new Map()
  /** The requests that were refused for want of a nonce, each by its signal. */
  #gotNonce = /* @__PURE__ */ new WeakSet()
  /** Renewing early failed; until then the token is used for as long as the server takes it. */
  #restsUntil = 0
  constructor(server) {
    this.#server = server
  }
  obtained(accessToken, by) {
    this.#unproven = { accessToken, by, until: Date.now() + calmMs }
  }
  /** The server took a token. */
  proven() {
    this.#unproven = void 0
  }
  denied(scopes) {
    this.#denied.set(scopeKey(scopes), Date.now() + calmMs)
  }
  rest() {
    this.#restsUntil = Date.now() + restMs
  }
  isResting(now) {
    return this.#restsUntil > now
  }
  forget() {
    this.#unproven = void 0
    this.#denied.clear()
    this.#restsUntil = 0
  }
  /** The nonce was remembered when the reply came, so the next proof has it. One that is refused too is not the problem. */
  mayUseNonce(request2) {
    const isFirst = !this.#gotNonce.has(request2)
    this.#gotNonce.add(request2)
    return isFirst
  }
  /** A token that refreshing brought is not helped by refreshing again. */
  mayRefresh(used) {
    return this.#unproven === void 0 || this.#unproven.accessToken !== used
  }
  assertNewScopes(wanted2, requested) {
    const isNew = wanted2.some((scope) => !requested.includes(scope))
    const isDenied = (this.#denied.get(scopeKey(wanted2)) ?? 0) > Date.now()
    if (isNew && !isDenied) return
    const why = isDenied ? 'asking for them has just failed' : 'asking for them did not help'
    throw new OAuthError(
      'scope',
      `${this.#server.href} wants the scopes ${wanted2.join(' ') || '(none named)'}: ${why}`,
    )
  }
  /** Whoever refuses what the user has just agreed to would refuse the next one too. */
  assertWorthwhile(used) {
    const { accessToken, by, until } = this.#unproven ?? {}
    if (used === void 0 || accessToken !== used || by !== 'grant' || until < Date.now()) return
    throw new OAuthError('token', `${this.#server.href} refuses the token that was obtained for it a moment ago`)
  }
}
var scopeKey = (scopes) => [...scopes].sort().join(' ')

// packages/sdk/src/auth/client/revoke.ts
import * as oauth7 from 'oauth4webapi'

async function revoke(plan, { refreshToken, accessToken }) {
  const { as } = plan.place
  if (as.revocation_endpoint === void 0) return false
  const { client: client2, authenticate } = await clientFor(plan)
  try {
    const token2 = refreshToken ?? accessToken
    const options = requestOptions(plan)
    await oauth7.processRevocationResponse(await oauth7.revocationRequest(as, client2, authenticate, token2, options))
    return true
  } catch (error) {
    throw explained('token', 'The revocation endpoint', error, plan.trace)
  }
}

// packages/sdk/src/auth/client/scopes.ts
function chooseScopes({ challenged, earlier, configured, supported }) {
  const base =
    challenged.length > 0 || configured !== void 0 ? [...challenged, ...(configured ?? [])] : (supported ?? [])
  return [.../* @__PURE__ */ new Set([...earlier, ...base])]
}
function withOfflineAccess(scopes, { scopes_supported }) {
  if (scopes.length === 0 || scopes.includes('offline_access') || !scopes_supported?.includes('offline_access')) {
    return scopes
  }
  return [...scopes, 'offline_access']
}

// packages/sdk/src/auth/client/shared-work.ts
init_errors()
var SharedWork = class {
  #stop = new AbortController()
  #result
  #waiting = 0
  constructor(work, done) {
    this.#result = work(this.#stop.signal).finally(done)
    this.#result.catch(() => {})
  }
  /** True once nobody waits: it is being ended, and is not to be joined. */
  get stopped() {
    return this.#stop.signal.aborted
  }
  /** Waits for the end; rejects early if the signal fires. */
  wait(signal) {
    this.#waiting += 1
    return new Promise((resolve, reject) => {
      const leave = () => {
        signal.removeEventListener('abort', give)
        this.#waiting -= 1
        if (this.#waiting === 0) this.#stop.abort()
      }
      const give = () => {
        leave()
        reject(new McpError('cancelled', 'Nobody waits for the authorization any more'))
      }
      signal.addEventListener('abort', give)
      if (signal.aborted) give()
      this.#result.then(resolve, reject).finally(() => !signal.aborted && leave())
    })
  }
}

// packages/sdk/src/auth/client/session.ts
var ServerSession = class {
  #server
  #settings
  #guard
  #place
  #tokens
  #loading
  #loaded = false
  #work
  #dpop
  #restraint
  constructor(server, settings) {
    this.#server = server
    this.#settings = settings
    this.#guard = new GuardedFetch(server, settings.options.network)
    this.#restraint = new Restraint(server)
  }
  headers(request2) {
    const tokens = this.#tokens
    if (!this.#loaded || tokens === void 0 || this.#isStale(tokens) || tokens.type === 'dpop') {
      return this.#freshHeaders(request2)
    }
    return { Authorization: `Bearer ${tokens.accessToken}` }
  }
  answered({ url: url3 }, { status, header }) {
    const nonce = header('dpop-nonce')
    if (nonce !== void 0) this.#dpop?.remember(url3, nonce)
    if (status !== 401 && status !== 403) this.#restraint.proven()
  }
  async challenged(refusal) {
    const { status, sent, signal, wwwAuthenticate } = refusal
    const challenge = tokenChallenge(wwwAuthenticate)
    if ((wwwAuthenticate !== void 0 && challenge === void 0) || refusal.method === 'DELETE') return false
    const error = challenge?.params.get('error')
    const used = tokenIn(sent)
    if (error === 'use_dpop_nonce' && sent.DPoP !== void 0) return this.#restraint.mayUseNonce(signal)
    if (status === 403 && (error !== 'insufficient_scope' || used === void 0)) return false
    if (this.#tokens !== void 0 && this.#tokens.accessToken !== used) return true
    const stepUp = status === 403
    if (stepUp) this.#restraint.assertNewScopes(scopesOf(challenge?.params.get('scope')), this.#tokens?.requested ?? [])
    else this.#restraint.assertWorthwhile(used)
    await this.#share({ early: false, challenge, used, stepUp }, signal)
    return true
  }
  /** Takes the tokens back, at the authorization server and here; false if that one could not be told. */
  async revoke() {
    await this.#load()
    const tokens = this.#tokens
    const { signal } = new AbortController()
    const need2 = { early: true, challenge: void 0, used: tokens?.accessToken, stepUp: false }
    try {
      return tokens !== void 0 && (await revoke(await this.#plan(need2, new Trace(), signal), tokens))
    } finally {
      await this.forget()
    }
  }
  /** Forgets the tokens, here and in the store. */
  async forget() {
    const { records } = this.#settings
    await this.#load()
    if (this.#place !== void 0) await records.tokens(this.#place).delete()
    await records.server(this.#server).delete()
    this.#tokens = void 0
    this.#place = void 0
    this.#restraint.forget()
  }
  // Headers
  async #freshHeaders({ method, url: url3, signal }) {
    await this.#load()
    const stale = this.#tokens
    if (stale !== void 0 && this.#isStale(stale)) {
      const need2 = { early: true, challenge: void 0, used: stale.accessToken, stepUp: false }
      await this.#share(need2, signal).catch(() => signal.aborted || this.#restraint.rest())
    }
    const tokens = this.#tokens
    if (tokens === void 0) return {}
    if (tokens.type === 'dpop') return this.#dpop.headers(method, url3, tokens.accessToken)
    return { Authorization: `Bearer ${tokens.accessToken}` }
  }
  #isStale({ renewAt, refreshToken }) {
    const now = Date.now()
    if (renewAt === void 0 || renewAt > now || this.#restraint.isResting(now)) return false
    return refreshToken !== void 0 || !this.#settings.grant.interactive
  }
  // What is kept
  #load() {
    this.#loading ??= this.#reload().catch((error) => {
      this.#loading = void 0
      throw error
    })
    return this.#loading
  }
  async #reload() {
    const { records, options } = this.#settings
    if (typeof options.dpop === 'object') this.#dpop ??= await dpopKey(options.dpop)
    const place = await records.server(this.#server).get()
    const tokens = place && (await records.tokens(place).get())
    if (tokens !== void 0 && (tokens.key === void 0 || tokens.key === this.#dpop?.thumbprint)) {
      this.#place = place
      this.#tokens = tokens
    }
    this.#loaded = true
  }
  async #keep(place, tokens) {
    const { records, options } = this.#settings
    this.#place = place
    this.#tokens = tokens
    if (tokens.key !== void 0 && typeof options.dpop !== 'object') return
    await records.tokens(place).set(tokens)
    await records.server(this.#server).set(place)
  }
  // Obtaining tokens
  /** However many ask, one token is obtained. */
  #share(need2, signal) {
    if (this.#work === void 0 || this.#work.stopped) {
      const work = new SharedWork(
        (stop2) => this.#hold(need2, stop2),
        () => {
          if (this.#work === work) this.#work = void 0
        },
      )
      this.#work = work
    }
    return this.#work.wait(signal)
  }
  #hold(need2, signal) {
    const work = async () => {
      await this.#reload()
      const isNews = this.#tokens !== void 0 && this.#tokens.accessToken !== need2.used && !this.#isStale(this.#tokens)
      if (!isNews) await this.#renew(need2, signal)
    }
    return this.#settings.lock.hold(this.#server.href, work, signal)
  }
  async #renew(need2, signal) {
    this.#assertSecure()
    const trace = new Trace()
    try {
      await this.#renewWith(await this.#plan(need2, trace, signal), need2)
    } catch (error) {
      throw withTrace(error, trace)
    }
  }
  async #renewWith(plan, need2) {
    const tokens = this.#tokensOf(plan.place.record)
    const mayRefresh = !need2.stepUp && this.#restraint.mayRefresh(need2.used)
    if (tokens !== void 0 && mayRefresh && (await this.#refresh(plan, tokens))) return
    if (need2.early && this.#settings.grant.interactive) return
    await this.#grant(plan, need2)
  }
  /** Finds out where tokens come from, and what is needed there. */
  async #plan(need2, trace, signal) {
    const { grant, options, records } = this.#settings
    const place = await this.#find(need2, trace, signal)
    const tokens = this.#tokensOf(place.record)
    const scopes = this.#scopesFor(need2, place, tokens)
    await this.#prepareKey(need2, place)
    const own2 = { server: this.#server, knownIssuer: this.#place?.issuer, dpop: this.#dpop, guard: this.#guard }
    return { ...own2, place, grant, options, records, scopes, trace, signal }
  }
  async #find(need2, trace, signal) {
    const { options } = this.#settings
    const warn = options.onWarning ?? (() => {})
    const onIssuerMismatch = options.deviations?.issuerMismatch ?? 'refuse'
    const discovery = { guard: this.#guard, trace, signal, warn, onIssuerMismatch }
    if (need2.early && this.#place !== void 0) {
      return recallPlace(this.#place, this.#server, discovery)
    }
    return findPlace(this.#server, need2.challenge, options, discovery)
  }
  /** The tokens from this place: what another authorization server gave is nothing to this one (auth.asbind.*). */
  #tokensOf({ issuer, resource }) {
    const known2 = this.#place
    return known2?.issuer === issuer && known2.resource === resource ? this.#tokens : void 0
  }
  #scopesFor(need2, { as, scopes: supported }, tokens) {
    const { options, grant } = this.#settings
    const scopes = chooseScopes({
      challenged: scopesOf(need2.challenge?.params.get('scope')),
      earlier: tokens?.requested ?? [],
      configured: options.scopes,
      supported,
    })
    return grant.interactive ? withOfflineAccess(scopes, as) : scopes
  }
  async #prepareKey({ challenge }, { dpopRequired }) {
    const { dpop = 'auto' } = this.#settings.options
    const wanted2 = dpop === 'always' || (dpop === 'auto' && (challenge?.scheme === 'dpop' || dpopRequired))
    if (wanted2) this.#dpop ??= await dpopKey()
  }
  async #refresh(plan, tokens) {
    const response = await refresh(plan, tokens)
    if (response === void 0) {
      const stored = await this.#settings.records.tokens(plan.place.record).get()
      if (stored === void 0 || stored.accessToken === tokens.accessToken) return false
      this.#tokens = stored
      return true
    }
    const { requested, clientId, refreshToken } = tokens
    const renewed = { ...recordOf2(response, requested, clientId, this.#dpop) }
    if (renewed.refreshToken === void 0 && refreshToken !== void 0) renewed.refreshToken = refreshToken
    this.#restraint.obtained(renewed.accessToken, 'refresh')
    await this.#keep(plan.place.record, renewed)
    return true
  }
  async #grant(plan, need2) {
    const { dpop } = this.#settings.options
    try {
      const { response, clientId } = await obtain(plan)
      const record = recordOf2(response, plan.scopes, clientId, this.#dpop)
      if (record.type !== 'dpop' && (dpop === 'always' || typeof dpop === 'object' || plan.place.dpopRequired)) {
        throw new OAuthError('token', `The authorization server ${plan.place.as.issuer} does not bind tokens to keys`)
      }
      this.#restraint.obtained(record.accessToken, 'grant')
      await this.#keep(plan.place.record, record)
    } catch (error) {
      if (need2.stepUp) this.#restraint.denied(scopesOf(need2.challenge?.params.get('scope')))
      throw error
    }
  }
  #assertSecure() {
    const refusal = this.#guard.refusal(this.#server)
    if (refusal !== void 0) throw new OAuthError('discovery', `${this.#server.href} gets no token: ${refusal}`)
  }
}
var tokenIn = ({ Authorization }) => Authorization?.split(' ')[1]
var visibleAscii = /^[\x21-\x7e]+$/
function recordOf2({ access_token, token_type, expires_in, refresh_token, scope }, requested, clientId, dpop) {
  if (!visibleAscii.test(access_token)) {
    throw new OAuthError('token', 'The access token contains characters that no header can carry')
  }
  const isBound = token_type === 'dpop' && dpop !== void 0
  return {
    accessToken: access_token,
    type: isBound ? 'dpop' : 'bearer',
    requested: [.../* @__PURE__ */ new Set([...requested, ...scopesOf(scope)])],
    clientId,
    // Some servers say 0 when they do not know.
    ...(expires_in !== void 0 &&
      expires_in > 0 && { renewAt: Date.now() + expires_in * 1e3 - Math.min(3e4, expires_in * 100) }),
    ...(refresh_token !== void 0 && { refreshToken: refresh_token }),
    ...(isBound && { key: dpop.thumbprint }),
  }
}

// packages/sdk/src/auth/client/store.ts
function memoryStore() {
  const values = /* @__PURE__ */ new Map()
  return {
    get: (key) => values.get(key),
    set: (key, value) => void values.set(key, value),
    delete: (key) => void values.delete(key),
  }
}
var Records = class {
  #store
  constructor(store) {
    this.#store = store
  }
  server(server) {
    return new Entry(this.#store, `server ${server.href}`)
  }
  client(issuer) {
    return new Entry(this.#store, `client ${issuer}`)
  }
  tokens({ issuer, resource }) {
    return new Entry(this.#store, `tokens ${issuer} ${resource ?? ''}`)
  }
}
var Entry = class {
  #store
  #key
  constructor(store, key) {
    this.#store = store
    this.#key = key
  }
  async get() {
    const text2 = await this.#store.get(this.#key)
    return text2 === void 0 ? void 0 : JSON.parse(text2)
  }
  async set(value) {
    await this.#store.set(this.#key, JSON.stringify(value))
  }
  async delete() {
    await this.#store.delete(this.#key)
  }
}

// packages/sdk/src/auth/client/oauth.ts
var noLock = { hold: (_key, work) => work() }
function oauth8(options = {}) {
  assertOptions(options)
  const { grant = authorizationCode(), store = memoryStore(), lock = noLock } = options
  const settings = { options, grant, records: new Records(store), lock }
  const sessions = /* @__PURE__ */ new Map()
  const sessionFor = (server) => {
    let session = sessions.get(server.href)
    if (session === void 0) {
      session = new ServerSession(server, settings)
      sessions.set(server.href, session)
    }
    return session
  }
  return {
    headers: (request2) => sessionFor(request2.server).headers(request2),
    challenged: (challenge) => sessionFor(challenge.server).challenged(challenge),
    answered: (request2, reply) => sessionFor(request2.server).answered(request2, reply),
    revoke: (server) => sessionFor(new URL(server)).revoke(),
    forget: (server) => sessionFor(new URL(server)).forget(),
    ...(grant.extension !== void 0 && { extensions: [grant.extension] }),
  }
}
function assertOptions({ client: client2, clientMetadataUrl, grant }) {
  if (grant !== void 0 && typeof grant?.type !== 'string') {
    throw new McpError(
      'invalid_argument',
      'grant: expected what authorizationCode(), clientCredentials() or their like return',
    )
  }
  if (client2 !== void 0 && typeof client2.id !== 'string') {
    throw new McpError('invalid_argument', 'client.id: expected a string')
  }
  if (clientMetadataUrl === void 0) return
  const url3 = URL.canParse(clientMetadataUrl) ? new URL(clientMetadataUrl) : void 0
  if (url3?.protocol === 'https:' && url3.pathname !== '/' && url3.hash === '') return
  throw new McpError(
    'invalid_argument',
    `clientMetadataUrl: expected an https URL with a path, got ${JSON.stringify(clientMetadataUrl)}`,
  )
}

// packages/sdk/src/client/connect.ts
init_errors()

// packages/sdk/src/client/client.ts
init_errors()

// packages/sdk/src/model/logging.ts
var loggingLevels = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']
var isLoggingLevel = (value) => loggingLevels.includes(value)

// packages/sdk/src/client/cache.ts
init_errors()

// packages/sdk/src/client/flight.ts
var Flight = class {
  method
  params
  joinable
  /** News came while it was on its way: its result is nothing for others. */
  outdated = false
  /** The result for those who joined; undefined if they have to ask themselves. */
  text
  land
  fail
  constructor({ method, params: params2 }, joinable) {
    this.method = method
    this.params = params2
    this.joinable = joinable
    this.text = new Promise((resolve, reject) => {
      this.land = resolve
      this.fail = reject
    })
    this.text.catch(() => {})
  }
}

// packages/sdk/src/client/unless-aborted.ts
init_errors()
function unlessAborted(what, promise, signal) {
  if (signal === void 0) return promise
  return new Promise((resolve, reject) => {
    const abort = () => reject(new McpError('cancelled', `${what} was cancelled`, { cause: signal.reason }))
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

// packages/sdk/src/client/cache.ts
var cacheable = /* @__PURE__ */ new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])
var listsOf = {
  tools: ['tools/list'],
  prompts: ['prompts/list'],
  resources: ['resources/list', 'resources/templates/list'],
}
var ResponseCache = class {
  #settings
  /** The least recently used first. */
  #entries = /* @__PURE__ */ new Map()
  #flights = /* @__PURE__ */ new Set()
  /** The flight that began last, by key. */
  #latest = /* @__PURE__ */ new Map()
  /** Methods whose last result was not to be kept: waiting for another one's answer would be in vain. */
  #unshared = /* @__PURE__ */ new Set()
  #bytes = 0
  constructor(settings) {
    this.#settings = settings
  }
  /** Whether a call is one whose result may be kept. Own `_meta` may change the answer, so such calls are not. */
  serves(method, { meta }) {
    return cacheable.has(method) && meta === void 0
  }
  /** The result of a request: a fresh one that is kept, one that is on its way, or what `send` brings. */
  async fetch(request2, options, send) {
    const key = `${request2.method} ${JSON.stringify(request2.params)}`
    if (options.fresh === true || options.signal?.aborted) return this.#send(key, request2, options, send)
    const found = this.#kept(key) ?? this.#join(key, request2.method, options)
    const text2 = found instanceof Promise ? await found : found
    return text2 === void 0 ? this.#send(key, request2, options, send) : JSON.parse(text2)
  }
  /** A list has changed. */
  changed(kind) {
    const methods = listsOf[kind]
    this.#forget(({ method }) => methods.includes(method))
  }
  /** A resource has changed, and with it what contains it or is part of it. */
  updated(uri) {
    this.#forget(({ method, params: params2 }) => method === 'resources/read' && related(String(params2.uri), uri))
  }
  clear() {
    this.#forget(() => true)
    this.#unshared.clear()
  }
  #kept(key) {
    const entry = this.#entries.get(key)
    if (entry === void 0) return void 0
    this.#delete(key, entry)
    if (entry.staleAt <= performance.now()) return void 0
    this.#set(key, entry)
    return entry.text
  }
  #join(key, method, options) {
    const flight = this.#latest.get(key)
    if (flight === void 0 || !flight.joinable || flight.outdated || !isPlain(options) || this.#unshared.has(method))
      return void 0
    return unlessAborted(method, flight.text, options.signal)
  }
  async #send(key, request2, options, send) {
    const flight = new Flight(request2, isPlain(options))
    this.#flights.add(flight)
    this.#latest.set(key, flight)
    try {
      const result2 = await send()
      flight.land(this.#keep(key, flight, result2))
      return result2
    } catch (error) {
      if (options.signal?.aborted) flight.land(void 0)
      else flight.fail(error)
      this.#discardPages(request2, error)
      throw error
    } finally {
      this.#flights.delete(flight)
      if (this.#latest.get(key) === flight) this.#latest.delete(key)
    }
  }
  /** The text of a result for others, if they may have it. It is kept unless a later request will bring a newer one. */
  #keep(key, flight, result2) {
    const { method, params: params2 } = flight
    const isLatest = this.#latest.get(key) === flight
    const old = this.#entries.get(key)
    if (isLatest && old !== void 0) this.#delete(key, old)
    const lifetime = this.#lifetime(result2)
    if (lifetime > 0) this.#unshared.delete(method)
    else this.#unshared.add(method)
    if (lifetime <= 0 || flight.outdated) return void 0
    const staleAt = performance.now() + lifetime
    const text2 = JSON.stringify(result2)
    const bytes = 2 * (key.length + text2.length)
    if (isLatest && bytes <= this.#settings.maxBytes)
      this.#set(key, { method, params: params2, text: text2, bytes, staleAt })
    return text2
  }
  #lifetime({ resultType = 'complete', ttlMs: ttlMs2, cacheScope }) {
    const mayKeep = resultType === 'complete' && (cacheScope === 'public' || this.#settings.keepsPrivate)
    return mayKeep && typeof ttlMs2 === 'number' ? ttlMs2 : 0
  }
  /** Pages lead to each other: a cursor that is refused means that those before it are out of date. */
  #discardPages({ method, params: params2 }, error) {
    const refused2 = isRpcError(error) && error.remote && error.code === ErrorCode.InvalidParams
    if (refused2 && params2.cursor !== void 0) this.#forget((entry) => entry.method === method)
  }
  #forget(concerns) {
    for (const [key, entry] of this.#entries) if (concerns(entry)) this.#delete(key, entry)
    for (const flight of this.#flights) if (concerns(flight)) flight.outdated = true
  }
  #set(key, entry) {
    this.#entries.set(key, entry)
    this.#bytes += entry.bytes
    const { maxEntries: maxEntries2, maxBytes } = this.#settings
    for (const [oldest, { bytes }] of this.#entries) {
      if (this.#entries.size <= maxEntries2 && this.#bytes <= maxBytes) return
      this.#delete(oldest, { bytes })
    }
  }
  #delete(key, { bytes }) {
    this.#entries.delete(key)
    this.#bytes -= bytes
  }
}
var isPlain = ({ timeoutMs, maxTotalMs, onProgress }) =>
  timeoutMs === void 0 && maxTotalMs === void 0 && onProgress === void 0
var related = (one, other) => one.startsWith(other) || other.startsWith(one)

// packages/sdk/src/client/elicitation-ids.ts
init_errors()
init_classify()
var maxOpen = 1e3
var ElicitationIds = class {
  #open = /* @__PURE__ */ new Set()
  add(id) {
    if (typeof id !== 'string') return
    this.#open.add(id)
    if (this.#open.size > maxOpen) this.#open.delete(this.#open.values().next().value)
  }
  remove(id) {
    this.#open.delete(id)
  }
  /** Learns the elicitations that an error asks to complete before a retry. */
  addFrom(error) {
    if (!isRpcError(error) || error.code !== ErrorCode.UrlElicitationRequired || !isObject(error.data)) return
    const { elicitations } = error.data
    if (!Array.isArray(elicitations)) return
    for (const elicitation2 of elicitations) if (isObject(elicitation2)) this.add(elicitation2.elicitationId)
  }
  /** True the first time for an id that is known. */
  complete(id) {
    return this.#open.delete(id)
  }
}

// packages/sdk/src/client/establish.ts
init_errors()

// packages/sdk/src/model/tasks.ts
var tasksExtension = 'io.modelcontextprotocol/tasks'
var taskStatuses = ['working', 'input_required', 'completed', 'failed', 'cancelled']
var hasEnded = (status) => status !== 'working' && status !== 'input_required'

// packages/sdk/src/wire/change.ts
init_classify()
function compose(first, second) {
  if (!first || !second) return first ?? second
  return (value) => second(first(value))
}
function omit(value, ...names) {
  for (const name of names) {
    if (Object.hasOwn(value, name)) {
      return Object.fromEntries(Object.entries(value).filter(([member2]) => !names.includes(member2)))
    }
  }
  return value
}
function withMember(value, name, member2) {
  if (Object.hasOwn(value, name)) return { ...value, [name]: member2 }
  if (name === '_meta') return { _meta: member2, ...value }
  if (name === 'resultType') return { resultType: member2, ...value }
  return { [name]: member2, ...value }
}
var omitting =
  (...names) =>
  (value) =>
    omit(value, ...names)
function changeMember(value, name, change) {
  const before3 = Object.hasOwn(value, name) ? value[name] : void 0
  if (!isObject(before3)) return value
  const after = change(before3)
  return after === before3 ? value : { ...value, [name]: after }
}
function changeItems(items3, change) {
  let changed
  for (let index = 0; index < items3.length; index++) {
    const before3 = items3[index]
    if (!isObject(before3)) continue
    const after = change(before3)
    if (after === before3) continue
    changed ??= items3.slice()
    changed[index] = after
  }
  return changed ?? items3
}
function changeMemberItems(value, name, change) {
  const before3 = value[name]
  if (!Array.isArray(before3)) return value
  const after = changeItems(before3, change)
  return after === before3 ? value : { ...value, [name]: after }
}
function changeValues(value, change) {
  let changed = false
  const entries = Object.entries(value).map(([name, before3]) => {
    const after = isObject(before3) ? change(before3) : before3
    changed ||= after !== before3
    return [name, after]
  })
  return changed ? Object.fromEntries(entries) : value
}

// packages/sdk/src/wire/decode.ts
init_errors()

// packages/sdk/src/wire/reader.ts
var Mismatch = class _Mismatch {
  path
  expected
  found
  constructor(expected, found, path = '') {
    this.path = path
    this.expected = expected
    this.found = found
  }
  /** The same mismatch, seen from one level above. */
  under(step) {
    return new _Mismatch(this.expected, this.found, step + this.path)
  }
  toString() {
    return `expected ${this.expected}, got ${this.found}`
  }
}
function kindOf(value) {
  if (value === void 0) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : typeof value
}
var being = (expected, matches) => (value) => (matches(value) ? value : new Mismatch(expected, kindOf(value)))
var anything = (value) => value
var string = being('a string', (value) => typeof value === 'string')
var number = being('a number', (value) => typeof value === 'number')
var boolean = being('a boolean', (value) => typeof value === 'boolean')
var anyObject = being('an object', isObject)
var idOrToken = being('a string or an integer', (value) => typeof value === 'string' || Number.isSafeInteger(value))
var oneOf = (values) => {
  const expected = `one of ${values.join(', ')}`
  return (value) => {
    if (typeof value !== 'string') return new Mismatch(expected, kindOf(value))
    return values.includes(value) ? value : new Mismatch(expected, JSON.stringify(value.slice(0, 40)))
  }
}
var optional = (read) => (value) => (value === void 0 || value === null ? void 0 : read(value))
var orElse = (read, fallback) => (value) => (value === void 0 || value === null ? fallback : read(value))
function object(members) {
  const names = Object.keys(members)
  const readers = Object.values(members)
  return (value) => {
    if (!isObject(value)) return new Mismatch('an object', kindOf(value))
    let result2 = value
    for (let index = 0; index < names.length; index++) {
      const name = names[index]
      const found = value[name]
      const before3 = found !== void 0 && Object.hasOwn(value, name) ? found : void 0
      const after = readers[index](before3)
      if (after === before3) continue
      if (after instanceof Mismatch) return after.under(`.${name}`)
      result2 = withMember2(result2, name, after)
    }
    return result2
  }
}
function withMember2(value, name, member2) {
  if (member2 !== void 0) return { ...value, [name]: member2 }
  const { [name]: _, ...rest } = value
  return rest
}
var array = (read) => (value) => {
  if (!Array.isArray(value)) return new Mismatch('an array', kindOf(value))
  let result2 = value
  for (let index = 0; index < value.length; index++) {
    const after = read(value[index])
    if (after instanceof Mismatch) return after.under(`[${index}]`)
    if (after === value[index]) continue
    if (result2 === value) result2 = value.slice()
    result2[index] = after
  }
  return result2
}
var mapOf = (read) => (value) => {
  if (!isObject(value)) return new Mismatch('an object', kindOf(value))
  let changed = false
  const entries = []
  for (const [name, before3] of Object.entries(value)) {
    const after = read(before3)
    if (after instanceof Mismatch) return after.under(`[${JSON.stringify(name.slice(0, 40))}]`)
    changed ||= after !== before3
    if (after !== void 0) entries.push([name, after])
  }
  return changed ? Object.fromEntries(entries) : value
}
function byType(readers) {
  const known2 = new Map(Object.entries(readers))
  const withType = object({ type: string })
  return (value) => {
    const typed = withType(value)
    if (typed instanceof Mismatch) return typed
    return known2.get(typed.type)?.(value) ?? value
  }
}
var inSequence = (first, second) => (value) => {
  const read = first(value)
  return read instanceof Mismatch ? read : second(read)
}
function readersByMethod(makers) {
  const made2 = /* @__PURE__ */ new Map()
  return {
    get(method) {
      const known2 = made2.get(method)
      if (known2 !== void 0 || !Object.hasOwn(makers, method)) return known2
      const reader = makers[method]()
      made2.set(method, reader)
      return reader
    },
  }
}

// packages/sdk/src/wire/read-common.ts
var role = oneOf(['user', 'assistant'])
var loggingLevel = oneOf(loggingLevels)
var requestMeta = optional(object({ progressToken: optional(idOrToken) }))
var implementation = object({
  name: string,
  version: orElse(string, ''),
  title: optional(string),
})
var switchable = optional(object({ listChanged: optional(boolean), subscribe: optional(boolean) }))
var serverCapabilities = object({
  tools: switchable,
  resources: switchable,
  prompts: switchable,
  completions: optional(anyObject),
  logging: optional(anyObject),
  experimental: optional(anyObject),
  extensions: optional(anyObject),
  tasks: optional(anyObject),
})
var clientCapabilities = object({
  roots: switchable,
  sampling: optional(object({ context: optional(anyObject), tools: optional(anyObject) })),
  elicitation: optional(object({ form: optional(anyObject), url: optional(anyObject) })),
  experimental: optional(anyObject),
  extensions: optional(anyObject),
})
function withElicitationMode(capabilities2) {
  const { elicitation: elicitation2 } = capabilities2
  if (!isObject(elicitation2) || elicitation2.form || elicitation2.url) return capabilities2
  return { ...capabilities2, elicitation: { ...elicitation2, form: {} } }
}
var namedContents = object({ uri: string, mimeType: optional(string) })
var resourceContents = (value) => {
  const named = namedContents(value)
  if (named instanceof Mismatch) return named
  const { text: text2, blob } = named
  return typeof text2 === 'string' || typeof blob === 'string'
    ? named
    : new Mismatch('a string text or blob', text2 === void 0 && blob === void 0 ? 'neither' : 'neither as a string')
}
var media = object({ data: string, mimeType: string })
var contentTypes = {
  text: object({ text: string }),
  image: media,
  audio: media,
  resource_link: object({ uri: string, name: string }),
  resource: object({ resource: resourceContents }),
}
var contentBlock = byType(contentTypes)
var samplingBlock = byType({
  ...contentTypes,
  tool_use: object({ id: string, name: string, input: anyObject }),
  tool_result: object({ toolUseId: string, content: array(contentBlock), isError: optional(boolean) }),
})
var samplingContent = (value) => (Array.isArray(value) ? samplingBlocks(value) : samplingBlock(value))
var samplingBlocks = array(samplingBlock)
var tool = object({
  name: string,
  title: optional(string),
  description: optional(string),
  inputSchema: anyObject,
  outputSchema: optional(anyObject),
  annotations: optional(anyObject),
})

// packages/sdk/src/wire/read-params.ts
var request = (members = {}) => object({ _meta: requestMeta, ...members })
var notification = (members = {}) => object({ _meta: optional(anyObject), ...members })
var page = request({ cursor: optional(string) })
var ofResource = request({ uri: string })
var ofTask = request({ taskId: string })
var retry = { inputResponses: optional(mapOf(anyObject)), requestState: optional(string) }
var reference = inSequence(
  object({ type: oneOf(['ref/prompt', 'ref/resource']) }),
  byType({ 'ref/prompt': object({ name: string }), 'ref/resource': object({ uri: string }) }),
)
var form = request({
  message: string,
  requestedSchema: object({ properties: mapOf(object({ type: string })), required: optional(array(string)) }),
})
var url = request({ message: string, url: string, elicitationId: optional(string) })
var mode = object({ mode: optional(oneOf(['form', 'url'])) })
var elicitation = inSequence(mode, (params2) => (params2.mode === 'url' ? url(params2) : form(params2)))
var subscriptionFilter = object({
  toolsListChanged: optional(boolean),
  promptsListChanged: optional(boolean),
  resourcesListChanged: optional(boolean),
  resourceSubscriptions: optional(array(string)),
  taskIds: optional(array(string)),
})
var paramsReaders = readersByMethod({
  initialize: () => request({ protocolVersion: string, capabilities: clientCapabilities, clientInfo: implementation }),
  'server/discover': () => request(),
  ping: () => request(),
  'tools/list': () => page,
  'tools/call': () => request({ name: string, arguments: optional(anyObject), ...retry }),
  'resources/list': () => page,
  'resources/templates/list': () => page,
  'resources/read': () => request({ uri: string, ...retry }),
  'resources/subscribe': () => ofResource,
  'resources/unsubscribe': () => ofResource,
  'prompts/list': () => page,
  'prompts/get': () => request({ name: string, arguments: optional(mapOf(string)), ...retry }),
  'completion/complete': () =>
    request({
      ref: reference,
      argument: object({ name: string, value: string }),
      context: optional(object({ arguments: optional(mapOf(string)) })),
    }),
  'tasks/get': () => ofTask,
  'tasks/result': () => ofTask,
  'tasks/cancel': () => ofTask,
  'tasks/update': () => request({ taskId: string, inputResponses: orElse(mapOf(anyObject), {}) }),
  'tasks/list': () => page,
  'logging/setLevel': () => request({ level: loggingLevel }),
  'subscriptions/listen': () => request({ notifications: subscriptionFilter }),
  'roots/list': () => request(),
  'sampling/createMessage': () =>
    request({
      messages: array(object({ role, content: samplingContent })),
      maxTokens: number,
      systemPrompt: optional(string),
      modelPreferences: optional(anyObject),
      includeContext: optional(string),
      temperature: optional(number),
      stopSequences: optional(array(string)),
      metadata: optional(anyObject),
      tools: optional(array(tool)),
      toolChoice: optional(anyObject),
    }),
  'elicitation/create': () => elicitation,
  'notifications/initialized': () => notification(),
  // 2025-11-25 lets the id be absent; such a cancellation names nothing and cancels nothing.
  'notifications/cancelled': () => notification({ requestId: optional(idOrToken), reason: optional(string) }),
  'notifications/progress': () =>
    notification({
      progressToken: idOrToken,
      progress: number,
      total: optional(number),
      message: optional(string),
    }),
  'notifications/message': () => notification({ level: string, logger: optional(string), data: anything }),
  'notifications/resources/updated': () => notification({ uri: string }),
  'notifications/resources/list_changed': () => notification(),
  'notifications/tools/list_changed': () => notification(),
  'notifications/prompts/list_changed': () => notification(),
  'notifications/roots/list_changed': () => notification(),
  'notifications/elicitation/complete': () => notification({ elicitationId: string }),
  'notifications/subscriptions/acknowledged': () => notification({ notifications: subscriptionFilter }),
})

// packages/sdk/src/wire/read-results.ts
var result = (members = {}) => object({ _meta: optional(anyObject), ...members })
var cacheable2 = { ttlMs: optional(number), cacheScope: optional(string) }
var listOf = (name, item) => result({ [name]: array(item), nextCursor: optional(string), ...cacheable2 })
var described = { name: string, title: optional(string), description: optional(string) }
var prompt = object({
  ...described,
  arguments: optional(array(object({ name: string, description: optional(string), required: optional(boolean) }))),
})
var withContent = (value) => {
  if (!isObject(value) || (value.content !== void 0 && value.content !== null)) return value
  const hasOther = Object.hasOwn(value, 'structuredContent') || Object.hasOwn(value, 'toolResult')
  return hasOther ? { ...value, content: [] } : value
}
var elicitedValue = (value) => {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value
  return Array.isArray(value) ? strings2(value) : new Mismatch('a string, number, boolean or array', kindOf(value))
}
var strings2 = array(string)
var inputRequest = object({ method: string, params: optional(anyObject) })
var inputRequiredReader = result({
  inputRequests: optional(mapOf(inputRequest)),
  requestState: optional(string),
})
var resultReaders = readersByMethod({
  initialize: () =>
    result({
      protocolVersion: string,
      capabilities: serverCapabilities,
      serverInfo: implementation,
      instructions: optional(string),
    }),
  'server/discover': () =>
    result({
      supportedVersions: strings2,
      capabilities: serverCapabilities,
      instructions: optional(string),
      ...cacheable2,
    }),
  ping: () => result(),
  'tools/list': () => listOf('tools', tool),
  'tools/call': () => inSequence(withContent, result({ content: array(contentBlock), isError: optional(boolean) })),
  'resources/list': () => listOf('resources', object({ ...described, uri: string, mimeType: optional(string) })),
  'resources/templates/list': () =>
    listOf('resourceTemplates', object({ ...described, uriTemplate: string, mimeType: optional(string) })),
  'resources/read': () => result({ contents: array(resourceContents), ...cacheable2 }),
  'resources/subscribe': () => result(),
  'resources/unsubscribe': () => result(),
  'prompts/list': () => listOf('prompts', prompt),
  'prompts/get': () =>
    result({
      description: optional(string),
      messages: array(object({ role, content: contentBlock })),
    }),
  'completion/complete': () =>
    result({
      completion: object({ values: strings2, total: optional(number), hasMore: optional(boolean) }),
    }),
  'logging/setLevel': () => result(),
  'subscriptions/listen': () => result(),
  'roots/list': () => result({ roots: array(object({ uri: string, name: optional(string) })) }),
  'sampling/createMessage': () =>
    result({ role, content: samplingContent, model: string, stopReason: optional(string) }),
  'elicitation/create': () =>
    result({
      action: oneOf(['accept', 'decline', 'cancel']),
      content: optional(mapOf(optional(elicitedValue))),
    }),
})

// packages/sdk/src/wire/decode.ts
function readParams(method, params2, read) {
  const value = read(params2 ?? {})
  if (!(value instanceof Mismatch)) return value
  throw new RpcError(ErrorCode.InvalidParams, `${method} params${value.path}: ${value}`)
}
function readPlainParams(method, params2) {
  const read = paramsReaders.get(method)
  return read ? readParams(method, params2, read) : (params2 ?? {})
}
function assertPlainParams(method, params2) {
  readPlainParams(method, params2)
}
function readResult(method, result2, read) {
  const value = read(result2)
  if (!(value instanceof Mismatch)) return value
  throw new McpError('invalid_result', `${method} result${value.path}: ${value}`)
}
var upgradeClientCapabilities = (shapes) => (capabilities2) =>
  withElicitationMode(shapes.clientCapabilities?.(capabilities2) ?? capabilities2)
function createDecoder(shapes, upgrades) {
  const upgradeCapabilities2 = upgradeClientCapabilities(shapes)
  return {
    decodeParams(method, params2) {
      const value = readPlainParams(method, params2)
      if (method === 'tools/call') return omit(value, 'task')
      return method === 'initialize' ? changeMember(value, 'capabilities', upgradeCapabilities2) : value
    },
    decodeResult(method, result2, params2) {
      const read = resultReaders.get(method)
      const value = read ? readResult(method, result2, read) : result2
      return Object.hasOwn(upgrades, method) ? upgrades[method](value, params2) : value
    },
  }
}

// packages/sdk/src/wire/tasks.ts
var knowsTasks = (capabilities2) =>
  isObject(capabilities2) &&
  isObject(capabilities2.extensions) &&
  Object.hasOwn(capabilities2.extensions, tasksExtension) &&
  isObject(capabilities2.extensions[tasksExtension])
var plainExtension = (capabilities2) =>
  knowsTasks(capabilities2)
    ? changeMember(capabilities2, 'extensions', (extensions) => ({ ...extensions, [tasksExtension]: {} }))
    : capabilities2
function withoutExtension(capabilities2) {
  const { extensions } = capabilities2
  if (!isObject(extensions) || !Object.hasOwn(extensions, tasksExtension)) return capabilities2
  const others = omit(extensions, tasksExtension)
  return Object.keys(others).length === 0 ? omit(capabilities2, 'extensions') : { ...capabilities2, extensions: others }
}
var inputRequest2 = object({ method: string, params: optional(anyObject) })
var taskReader = object({
  taskId: string,
  status: oneOf(taskStatuses),
  statusMessage: optional(string),
  createdAt: orElse(string, ''),
  lastUpdatedAt: orElse(string, ''),
  ttlMs: orElse(number, null),
  pollIntervalMs: optional(number),
  inputRequests: optional(mapOf(inputRequest2)),
  result: optional(anyObject),
  error: optional(object({ code: number, message: string })),
})
var rename = (value, from, to) => {
  if (!Object.hasOwn(value, from)) return value
  const { [from]: member2, ...rest } = value
  return { ...rest, [to]: member2 }
}
function encodeLegacyTask(task) {
  const { result: result2, error, inputRequests: _, ...plain2 } = task
  const failed2 = task.status === 'completed' && isObject(result2) && result2.isError === true
  const said = failed2 ? { statusMessage: textOf2(result2), ...plain2, status: 'failed' } : plain2
  const message = task.status === 'failed' && isObject(error) ? { statusMessage: error.message } : {}
  return rename(rename({ ...message, ...omit(said, 'resultType') }, 'ttlMs', 'ttl'), 'pollIntervalMs', 'pollInterval')
}
var decodeLegacyTask = (task) => rename(rename(task, 'ttl', 'ttlMs'), 'pollInterval', 'pollIntervalMs')
function textOf2({ content: content2 }) {
  const texts = Array.isArray(content2) ? content2.filter(isObject).map(({ text: text3 }) => text3) : []
  const text2 = texts.find((one) => typeof one === 'string')
  return text2 === void 0 || text2 === '' ? 'The tool failed' : text2.slice(0, 200)
}

// packages/sdk/src/wire/2025-11-25-tasks.ts
var taskParams = object({ task: optional(object({ ttl: optional(number) })) })
var listed = object({ tasks: array(taskReader), nextCursor: optional(string) })
var tasksOf = (page2, change) =>
  Array.isArray(page2.tasks) ? { ...page2, tasks: changeItems(page2.tasks, change) } : page2
var ofOneTask = /* @__PURE__ */ new Set(['tasks/get', 'tasks/cancel'])
var statusNews = 'notifications/tasks/status'
function tasksCapability(capabilities2) {
  if (!knowsTasks(capabilities2)) return capabilities2
  const { list: list2 } = capabilities2.extensions[tasksExtension]
  const tasks = { ...(isObject(list2) && { list: {} }), cancel: {}, requests: { tools: { call: {} } } }
  return { ...withoutExtension(capabilities2), tasks }
}
function decodeTasksCapability(result2) {
  const capabilities2 = withoutExtension(result2.capabilities)
  const { tasks } = capabilities2
  const rest = { ...result2, capabilities: omit(capabilities2, 'tasks') }
  if (!isObject(tasks) || !isObject(tasks.requests) || !isObject(tasks.requests.tools)) return rest
  if (!isObject(tasks.requests.tools.call)) return rest
  const settings = { ...(isObject(tasks.list) && { list: {} }), ...(isObject(tasks.cancel) && { cancel: {} }) }
  const { extensions } = rest.capabilities
  const known2 = { ...(isObject(extensions) ? extensions : {}), [tasksExtension]: settings }
  return { ...rest, capabilities: { ...rest.capabilities, extensions: known2 } }
}
var withTasks = (inner) => ({
  encodeParams(method, params2) {
    const encoded = inner.encodeParams(method, params2)
    if (method === statusNews) return encodeLegacyTask(encoded)
    if (method !== 'tools/call' || !isObject(params2.task)) return encoded
    const { ttlMs: ttlMs2 } = params2.task
    return { ...encoded, task: typeof ttlMs2 === 'number' ? { ttl: ttlMs2 } : {} }
  },
  encodeResult(method, result2) {
    if (ofOneTask.has(method)) return encodeLegacyTask(result2)
    if (method === 'tasks/list') return tasksOf(result2, encodeLegacyTask)
    if (method === 'tasks/result') return inner.encodeResult('tools/call', result2)
    if (method !== 'tools/call' || result2.resultType !== 'task') return inner.encodeResult(method, result2)
    const { _meta, ...task } = result2
    return { task: encodeLegacyTask(task), ...(_meta !== void 0 && { _meta }) }
  },
  decodeParams(method, params2) {
    if (method === statusNews) return readParams(method, decodeLegacyTask(params2 ?? {}), taskReader)
    const decoded = inner.decodeParams(method, params2)
    if (method !== 'tools/call' || params2?.task === void 0) return decoded
    const { task } = readParams(method, params2, taskParams)
    if (!isObject(task)) return decoded
    const { ttl } = task
    return { ...decoded, task: { expected: true, ...(ttl !== void 0 && { ttlMs: ttl }) } }
  },
  decodeResult(method, result2, params2) {
    if (ofOneTask.has(method)) return readResult(method, decodeLegacyTask(result2), taskReader)
    if (method === 'initialize') return decodeTasksCapability(inner.decodeResult(method, result2, params2))
    if (method === 'tasks/list') return readResult(method, tasksOf(result2, decodeLegacyTask), listed)
    if (method === 'tasks/result') return inner.decodeResult('tools/call', result2, params2)
    if (method !== 'tools/call' || !isObject(result2.task) || result2.content !== void 0)
      return inner.decodeResult(method, result2, params2)
    const { task, ...rest } = result2
    return { ...rest, ...readResult(method, decodeLegacyTask(task), taskReader), resultType: 'task' }
  },
})

// packages/sdk/src/wire/2026-07-28.ts
init_errors()
init_meta()
var inputMethods = /* @__PURE__ */ new Set(['roots/list', 'sampling/createMessage', 'elicitation/create'])
var mayAskForInput = /* @__PURE__ */ new Set(['tools/call', 'prompts/get', 'resources/read'])
var cacheableMethods = /* @__PURE__ */ new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])
var ownShapes = {
  // The capability has no members here: there is no notification that could say so.
  clientCapabilities: (capabilities2) => changeMember(capabilities2, 'roots', omitting('listChanged')),
  elicitParams: omitting('elicitationId'),
  serverCapabilities: plainExtension,
  tool: omitting('execution'),
}
var requestEnvelope = object({
  _meta: object({
    [metaKeys.protocolVersion]: string,
    [metaKeys.clientCapabilities]: clientCapabilities,
    [metaKeys.clientInfo]: optional(implementation),
    [metaKeys.logLevel]: optional(loggingLevel),
    progressToken: optional(idOrToken),
  }),
})
function changeCapabilities(params2, change) {
  const meta = params2._meta
  if (!isObject(meta)) return params2
  const changed = changeMember(meta, metaKeys.clientCapabilities, change)
  return changed === meta ? params2 : { ...params2, _meta: changed }
}
var encodeCapabilities = (params2) => changeCapabilities(params2, ownShapes.clientCapabilities)
var upgradeCapabilities = upgradeClientCapabilities(ownShapes)
var decodeCapabilities = (params2) => changeCapabilities(params2, upgradeCapabilities)
var isFreshness = (value) => Number.isInteger(value) && value >= 0
function complete(method, result2) {
  const { resultType = 'complete' } = result2
  if (resultType === 'complete' && cacheableMethods.has(method)) {
    const ttlMs2 = isFreshness(result2.ttlMs) ? result2.ttlMs : 0
    return { ...result2, resultType, ttlMs: ttlMs2, cacheScope: result2.cacheScope === 'public' ? 'public' : 'private' }
  }
  return resultType === result2.resultType ? result2 : withMember(result2, 'resultType', resultType)
}
var definedCodes = /* @__PURE__ */ new Set([
  ErrorCode.HeaderMismatch,
  ErrorCode.MissingRequiredClientCapability,
  ErrorCode.UnsupportedProtocolVersion,
])
function errorCode(code) {
  if (code === ErrorCode.ResourceNotFound) return ErrorCode.InvalidParams
  const isReserved = code <= -32020 && code >= -32099
  return isReserved && !definedCodes.has(code) ? ErrorCode.InternalError : code
}
function refuseResultType(method, resultType) {
  const found = String(JSON.stringify(resultType)).slice(0, 40)
  throw new McpError(
    'invalid_result',
    `${method} result.resultType: expected ${method === 'tools/call' ? '"complete", "input_required" or "task"' : '"complete" or "input_required"'}, got ${found}`,
  )
}
function withTask(params2) {
  const meta = params2._meta
  return knowsTasks(meta[metaKeys.clientCapabilities]) ? withMember(params2, 'task', {}) : omit(params2, 'task')
}
var acknowledged = /* @__PURE__ */ new Set(['tasks/update', 'tasks/cancel'])
var detailedTask = /* @__PURE__ */ new Set(['tasks/get', 'notifications/tasks'])
function envelope(inner, { requests: requests4 }) {
  const encodeInputRequest = (request2) =>
    changeMember(request2, 'params', (params2) => inner.encodeParams(String(request2.method), params2))
  const encodeAsked = (result2) =>
    changeMember(result2, 'inputRequests', (asked) => changeValues(asked, encodeInputRequest))
  const encodeTask = (task) => {
    const answered = changeMember(encodeAsked(task), 'result', (result2) =>
      complete('tools/call', inner.encodeResult('tools/call', result2)),
    )
    return changeMember(answered, 'error', (error) => ({ ...error, code: errorCode(error.code) }))
  }
  const decodeTask = (task) => changeMember(task, 'result', (result2) => inner.decodeResult('tools/call', result2))
  return {
    encodeParams(method, params2) {
      if (detailedTask.has(method) && !requests4.client.has(method)) return encodeTask(params2)
      const encoded = inner.encodeParams(method, method === 'tools/call' ? omit(params2, 'task') : params2)
      return requests4.client.has(method) ? encodeCapabilities(encoded) : encoded
    },
    encodeResult(method, result2) {
      if (detailedTask.has(method)) return complete(method, encodeTask(result2))
      if (acknowledged.has(method)) return complete(method, isObject(result2._meta) ? { _meta: result2._meta } : {})
      if (result2.resultType === 'task') return result2
      const encoded = inner.encodeResult(method, result2)
      if (encoded.resultType === 'input_required') return encodeAsked(encoded)
      return inputMethods.has(method) ? encoded : complete(method, encoded)
    },
    decodeParams(method, params2) {
      if (method === 'notifications/tasks') return decodeTask(readParams(method, params2, taskReader))
      if (!requests4.client.has(method)) return inner.decodeParams(method, params2)
      const decoded = decodeCapabilities(inner.decodeParams(method, readParams(method, params2, requestEnvelope)))
      return method === 'tools/call' ? withTask(decoded) : decoded
    },
    decodeResult(method, result2, params2) {
      const { resultType = 'complete' } = result2
      if (resultType === 'complete' && detailedTask.has(method))
        return decodeTask(readResult(method, result2, taskReader))
      if (resultType === 'task' && method === 'tools/call') return readResult(method, result2, taskReader)
      if (resultType === 'complete' || !requests4.client.has(method))
        return inner.decodeResult(method, result2, params2)
      if (resultType !== 'input_required' || !mayAskForInput.has(method)) refuseResultType(method, resultType)
      return readResult(method, result2, inputRequiredReader)
    },
  }
}
var rev20260728 = {
  revision: '2026-07-28',
  handshake: false,
  batches: false,
  errorsWithoutId: true,
  argumentErrorsAreResults: true,
  tasks: { declared: true, endedCanBeCancelled: true, reportsProgress: false },
  errorCode,
  requests: {
    client: /* @__PURE__ */ new Set([
      'server/discover',
      'subscriptions/listen',
      'tools/list',
      'tools/call',
      'resources/list',
      'resources/templates/list',
      'resources/read',
      'prompts/list',
      'prompts/get',
      'completion/complete',
      'tasks/get',
      'tasks/update',
      'tasks/cancel',
    ]),
    server: /* @__PURE__ */ new Set(),
  },
  notifications: {
    client: /* @__PURE__ */ new Set(['notifications/cancelled']),
    server: /* @__PURE__ */ new Set([
      'notifications/cancelled',
      'notifications/progress',
      'notifications/message',
      'notifications/resources/updated',
      'notifications/resources/list_changed',
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/subscriptions/acknowledged',
      'notifications/tasks',
    ]),
  },
  shapes: {},
  ownShapes,
  upgrades: {},
  envelope,
}

// packages/sdk/src/wire/dialect.ts
function before(newer, difference) {
  const { ownShapes: _, envelope: __, ...inherited } = newer
  return {
    ...inherited,
    ...difference,
    shapes: composeShapes(newer.shapes, difference.shapes ?? {}),
    upgrades: composeUpgrades(difference.upgrades ?? {}, newer.upgrades),
  }
}
function composeShapes(first, second) {
  const names = /* @__PURE__ */ new Set([...Object.keys(first), ...Object.keys(second)])
  return Object.fromEntries([...names].map((name) => [name, compose(first[name], second[name])]))
}
function composeUpgrades(first, second) {
  const both = Object.keys(first).filter((method) => second[method])
  const composed = both.map((method) => [
    method,
    (result2, params2) => second[method](first[method](result2, params2), params2),
  ])
  return { ...first, ...second, ...Object.fromEntries(composed) }
}
var without = (methods, ...gone) => new Set([...methods].filter((method) => !gone.includes(method)))

// packages/sdk/src/wire/content-text.ts
function jsonText(value) {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return ''
  }
}
var textOf3 = (value) => (typeof value === 'string' ? value : '')
var textInstead = (block2, text2) =>
  isObject(block2.annotations)
    ? { type: 'text', text: text2, annotations: block2.annotations }
    : { type: 'text', text: text2 }
function describeResourceLink(link2) {
  const name = textOf3(link2.title) || textOf3(link2.name)
  const where = [textOf3(link2.uri), textOf3(link2.mimeType)].filter(Boolean).join(', ')
  const description = textOf3(link2.description)
  return `Resource ${name} (${where})${description && `: ${description}`}`
}
function describeMedia(block2) {
  const data2 = textOf3(block2.data)
  const padding = data2.endsWith('==') ? 2 : data2.endsWith('=') ? 1 : 0
  const bytes = Math.max(0, Math.floor((data2.length * 3) / 4) - padding)
  return `[${textOf3(block2.type)}: ${textOf3(block2.mimeType)}, ${bytes} bytes]`
}
function describeEmbedded(block2) {
  const resource = isObject(block2.resource) ? block2.resource : {}
  return typeof resource.text === 'string' ? resource.text : `[resource: ${textOf3(resource.uri)}]`
}
var describeToolUse = (block2) =>
  `[call ${textOf3(block2.id)} of tool ${textOf3(block2.name)}: ${jsonText(block2.input)}]`
function describeToolResult(block2) {
  const content2 = Array.isArray(block2.content) ? block2.content.filter(isObject).map(describeBlock) : []
  const verdict = block2.isError === true ? 'error' : 'result'
  return [`[${verdict} of call ${textOf3(block2.toolUseId)}]`, ...content2].join('\n')
}
function describeBlock(block2) {
  switch (block2.type) {
    case 'text':
      return textOf3(block2.text)
    case 'resource_link':
      return describeResourceLink(block2)
    case 'resource':
      return describeEmbedded(block2)
    case 'tool_use':
      return describeToolUse(block2)
    case 'tool_result':
      return describeToolResult(block2)
    default:
      return describeMedia(block2)
  }
}

// packages/sdk/src/wire/structured-content.ts
var isText = (block2) => isObject(block2) && block2.type === 'text'
function structuredContentAsText(result2) {
  if (!Object.hasOwn(result2, 'structuredContent')) return result2
  const rest = omit(result2, 'structuredContent')
  const content2 = Array.isArray(result2.content) ? result2.content : []
  if (result2.structuredContent === void 0 || content2.some(isText)) return rest
  return { ...rest, content: [...content2, { type: 'text', text: jsonText(result2.structuredContent) }] }
}
var structuredObjectOnly = (result2) =>
  isObject(result2.structuredContent) ? result2 : structuredContentAsText(result2)

// packages/sdk/src/wire/tool-schema.ts
function spellOutBooleans(properties2) {
  const values = Object.values(properties2)
  if (!values.some((schema) => typeof schema === 'boolean')) return properties2
  return Object.fromEntries(
    Object.entries(properties2).map(([name, schema]) => [
      name,
      typeof schema === 'boolean' ? (schema ? {} : { not: {} }) : schema,
    ]),
  )
}
var withSchemaProperties = (schema) => changeMember(schema, 'properties', spellOutBooleans)
function withObjectSchemas(tool2) {
  const hasObjectOutput = isObject(tool2.outputSchema) && tool2.outputSchema.type === 'object'
  const kept = hasObjectOutput ? changeMember(tool2, 'outputSchema', withSchemaProperties) : omit(tool2, 'outputSchema')
  return changeMember(kept, 'inputSchema', withSchemaProperties)
}

// packages/sdk/src/wire/2025-11-25.ts
var withElicitationId = (params2) =>
  params2.mode === 'url' && typeof params2.elicitationId !== 'string'
    ? { ...params2, elicitationId: crypto.randomUUID() }
    : params2
var withoutNullContent = (result2) =>
  result2.structuredContent === null ? omit(result2, 'structuredContent') : result2
var rev20251125 = before(rev20260728, {
  revision: '2025-11-25',
  handshake: true,
  tasks: { declared: false, endedCanBeCancelled: false, reportsProgress: true },
  errorCode: (code) => code,
  requests: {
    client: /* @__PURE__ */ new Set([
      'initialize',
      'ping',
      'tools/list',
      'tools/call',
      'resources/list',
      'resources/templates/list',
      'resources/read',
      'resources/subscribe',
      'resources/unsubscribe',
      'prompts/list',
      'prompts/get',
      'completion/complete',
      'logging/setLevel',
      'tasks/get',
      'tasks/result',
      'tasks/list',
      'tasks/cancel',
    ]),
    server: /* @__PURE__ */ new Set(['ping', 'roots/list', 'sampling/createMessage', 'elicitation/create']),
  },
  notifications: {
    client: /* @__PURE__ */ new Set([
      'notifications/initialized',
      'notifications/cancelled',
      'notifications/progress',
      'notifications/roots/list_changed',
    ]),
    server: /* @__PURE__ */ new Set([
      'notifications/cancelled',
      'notifications/progress',
      'notifications/message',
      'notifications/resources/updated',
      'notifications/resources/list_changed',
      'notifications/tools/list_changed',
      'notifications/prompts/list_changed',
      'notifications/elicitation/complete',
      'notifications/tasks/status',
    ]),
  },
  shapes: {
    tool: withObjectSchemas,
    toolResult: structuredObjectOnly,
    elicitParams: withElicitationId,
    inputResponses: omitting('inputResponses', 'requestState', 'task'),
    serverResult: omitting('resultType', 'ttlMs', 'cacheScope'),
  },
  ownShapes: { clientCapabilities: withoutExtension, serverCapabilities: tasksCapability },
  upgrades: { 'tools/call': withoutNullContent },
  envelope: withTasks,
})

// packages/sdk/src/wire/elicitation-options.ts
var isMultiSelect = (field2) => field2.type === 'array'
var asOption = (entry) => {
  if (typeof entry === 'string') return [{ value: entry, title: entry }]
  if (!isObject(entry) || typeof entry.const !== 'string') return []
  return [{ value: entry.const, title: typeof entry.title === 'string' ? entry.title : entry.const }]
}
function optionsOf(field2) {
  const source = isObject(field2.items) ? field2.items : field2
  const list2 = source.anyOf ?? source.oneOf ?? source.enum
  return Array.isArray(list2) ? list2.flatMap(asOption) : []
}
function leadingOption(text2, options) {
  const ends2 = (label2) => label2 !== '' && /^\s*(,|$)/.test(text2.slice(label2.length))
  const labels = options.flatMap(({ value, title }) => [
    { label: value, value },
    { label: title, value },
  ])
  const startsLoosely = (label2) => text2.slice(0, label2.length).toLowerCase() === label2.toLowerCase()
  const exact = labels.filter(({ label: label2 }) => text2.startsWith(label2) && ends2(label2))
  const loose = labels.filter(({ label: label2 }) => startsLoosely(label2) && ends2(label2))
  const best = (found) => found.sort((a, b) => b.label.length - a.label.length)[0]
  const match = best(exact) ?? best(loose)
  return match && { value: match.value, length: match.label.length }
}
function selectionFrom(answer4, options) {
  const selection = []
  let rest = answer4.trim()
  while (rest !== '') {
    const option = leadingOption(rest, options)
    const comma = rest.indexOf(',', option?.length ?? 0)
    const end = comma === -1 ? rest.length : comma
    const value = option?.value ?? rest.slice(0, end).trim()
    if (value !== '') selection.push(value)
    rest = rest.slice(end + 1).trim()
  }
  return selection
}

// packages/sdk/src/wire/elicitation-form.ts
var sentences = (...parts) => parts.filter(Boolean).join(' ')
function multiSelectAsText(field2) {
  const choices = optionsOf(field2).map(({ value, title }) => (title === value ? value : `${value} (${title})`))
  const { minItems: least, maxItems: most } = field2
  const description = sentences(
    typeof field2.description === 'string' ? field2.description : void 0,
    `Any of these, separated by commas: ${choices.join(', ')}.`,
    typeof least === 'number' ? `At least ${least}.` : void 0,
    typeof most === 'number' ? `At most ${most}.` : void 0,
  )
  return typeof field2.title === 'string'
    ? { type: 'string', title: field2.title, description }
    : { type: 'string', description }
}
function titledEnumAsNames(field2) {
  const options = optionsOf(field2)
  const names = { enum: options.map(({ value }) => value), enumNames: options.map(({ title }) => title) }
  return { ...omit(field2, 'oneOf', 'default'), ...names }
}
var plainField = (field2) => {
  if (isMultiSelect(field2)) return multiSelectAsText(field2)
  if (Array.isArray(field2.oneOf)) return titledEnumAsNames(field2)
  return field2.type === 'boolean' ? field2 : omit(field2, 'default')
}
var plainSchema = (schema) =>
  changeMember(omit(schema, '$schema'), 'properties', (fields) => changeValues(fields, plainField))
function elicitParamsAsPlainForm(params2) {
  if (params2.mode !== 'url') return changeMember(omit(params2, 'mode'), 'requestedSchema', plainSchema)
  return {
    ...omit(params2, 'mode', 'url', 'elicitationId'),
    message: `${params2.message}

${params2.url}`,
    requestedSchema: { type: 'object', properties: {} },
  }
}
var elicitResultAsPlainValues = (result2) =>
  changeMember(result2, 'content', (content2) => {
    if (!Object.values(content2).some(Array.isArray)) return content2
    return Object.fromEntries(
      Object.entries(content2).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
    )
  })
function plainValuesAsAsked(result2, params2) {
  const schema = isObject(params2?.requestedSchema) ? params2.requestedSchema : {}
  const fields = isObject(schema.properties) ? schema.properties : {}
  return changeMember(result2, 'content', (content2) => {
    const selected = Object.entries(content2).flatMap(([name, value]) => {
      const field2 = Object.hasOwn(fields, name) ? fields[name] : void 0
      if (typeof value !== 'string' || !isObject(field2) || !isMultiSelect(field2)) return []
      return [[name, selectionFrom(value, optionsOf(field2))]]
    })
    return selected.length === 0 ? content2 : { ...content2, ...Object.fromEntries(selected) }
  })
}

// packages/sdk/src/wire/sampling-text.ts
var toolBlockAsText = (block2) => {
  if (block2.type === 'tool_use') return { type: 'text', text: describeToolUse(block2) }
  if (block2.type === 'tool_result') return { type: 'text', text: describeToolResult(block2) }
  return block2
}
var isPlain2 = (message) =>
  isObject(message) && isObject(message.content) && toolBlockAsText(message.content) === message.content
function plainMessages(message) {
  if (!isObject(message)) return [message]
  const blocks = Array.isArray(message.content) ? message.content : [message.content]
  return blocks.filter(isObject).map((block2) => ({ ...message, content: toolBlockAsText(block2) }))
}
function samplingParamsWithoutTools(params2) {
  const kept = omit(params2, 'tools', 'toolChoice')
  if (!Array.isArray(kept.messages) || kept.messages.every(isPlain2)) return kept
  return { ...kept, messages: kept.messages.flatMap(plainMessages) }
}
function samplingResultWithoutTools(result2) {
  const content2 = result2.content
  if (!Array.isArray(content2)) {
    const plain2 = isObject(content2) ? toolBlockAsText(content2) : content2
    return plain2 === content2 ? result2 : { ...result2, content: plain2 }
  }
  const blocks = content2.filter(isObject)
  const only = blocks.length === 1 ? blocks[0] : void 0
  const single = only ? toolBlockAsText(only) : { type: 'text', text: blocks.map(describeBlock).join('\n\n') }
  return { ...result2, content: single }
}

// packages/sdk/src/wire/2025-06-18.ts
var requests = rev20251125.requests
var notifications = rev20251125.notifications
var formsOnly = (capabilities2) => {
  const { elicitation: elicitation2 } = capabilities2
  if (isObject(elicitation2) && elicitation2.url && !elicitation2.form) return omit(capabilities2, 'elicitation')
  return changeMember(capabilities2, 'elicitation', omitting('form', 'url'))
}
var clientCapabilities2 = (capabilities2) =>
  changeMember(formsOnly(capabilities2), 'sampling', omitting('context', 'tools'))
var rev20250618 = before(rev20251125, {
  revision: '2025-06-18',
  errorsWithoutId: false,
  argumentErrorsAreResults: false,
  tasks: void 0,
  requests: {
    ...requests,
    client: without(requests.client, 'tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel'),
  },
  notifications: {
    ...notifications,
    server: without(notifications.server, 'notifications/elicitation/complete', 'notifications/tasks/status'),
  },
  shapes: {
    implementation: omitting('description', 'websiteUrl', 'icons'),
    clientCapabilities: clientCapabilities2,
    serverCapabilities: omitting('extensions'),
    tool: omitting('icons', 'execution'),
    resource: omitting('icons'),
    resourceTemplate: omitting('icons'),
    prompt: omitting('icons'),
    content: (block2) => (block2.type === 'resource_link' ? omit(block2, 'icons') : block2),
    samplingMessage: omitting('_meta'),
    samplingParams: samplingParamsWithoutTools,
    samplingResult: samplingResultWithoutTools,
    elicitParams: elicitParamsAsPlainForm,
    elicitResult: elicitResultAsPlainValues,
  },
  upgrades: { 'elicitation/create': plainValuesAsAsked },
})

// packages/sdk/src/wire/2025-03-26.ts
var requests2 = rev20250618.requests
var withoutLastModified = (value) => changeMember(value, 'annotations', omitting('lastModified'))
var content = (block2) => {
  const said =
    block2.type === 'resource_link' ? textInstead(block2, describeResourceLink(block2)) : omit(block2, '_meta')
  return withoutLastModified(said)
}
var titleAsAnnotation = (tool2) => {
  if (typeof tool2.title !== 'string') return tool2
  const annotations = isObject(tool2.annotations) ? tool2.annotations : {}
  return { ...tool2, annotations: { title: tool2.title, ...annotations } }
}
var listed2 = (item) => withoutLastModified(omit(item, 'title', '_meta'))
var rev20250326 = before(rev20250618, {
  revision: '2025-03-26',
  batches: true,
  requests: { ...requests2, server: without(requests2.server, 'elicitation/create') },
  shapes: {
    implementation: omitting('title'),
    clientCapabilities: omitting('elicitation', 'extensions'),
    tool: compose(titleAsAnnotation, omitting('title', 'outputSchema', '_meta')),
    resource: listed2,
    resourceTemplate: listed2,
    prompt: (prompt2) => changeMemberItems(omit(prompt2, 'title', '_meta'), 'arguments', omitting('title')),
    root: omitting('_meta'),
    content,
    resourceContents: omitting('_meta'),
    toolResult: structuredContentAsText,
    completeParams: (params2) => changeMember(omit(params2, 'context'), 'ref', omitting('title')),
  },
})

// packages/sdk/src/wire/2024-11-05.ts
var rev20241105 = before(rev20250326, {
  revision: '2024-11-05',
  batches: false,
  shapes: {
    serverCapabilities: omitting('completions'),
    tool: omitting('annotations'),
    content: (block2) => (block2.type === 'audio' ? textInstead(block2, describeMedia(block2)) : block2),
    progress: omitting('message'),
  },
  upgrades: {
    // Completion needs no capability here, so every server may be asked.
    initialize: (result2) =>
      changeMember(result2, 'capabilities', (declared) =>
        declared.completions ? declared : { ...declared, completions: {} },
      ),
  },
})

// packages/sdk/src/wire/encode.ts
var shape = (name) => (shapes) => shapes[name]
var all =
  (...places2) =>
  (shapes) =>
    places2.map((place) => place(shapes)).reduce(compose, void 0)
var lift = (wrap) => (place) => (shapes) => {
  const change = place(shapes)
  return change && wrap(change)
}
var member = (name, place) => lift((change) => (value) => changeMember(value, name, change))(place)
var items = (name, place) => lift((change) => (value) => changeMemberItems(value, name, change))(place)
var oneOrItems = (name, place) =>
  lift((change) => (value) => {
    const before3 = value[name]
    const after = Array.isArray(before3) ? changeItems(before3, change) : isObject(before3) ? change(before3) : before3
    return after === before3 ? value : { ...value, [name]: after }
  })(place)
var ofType = (type2, place) => lift((change) => (value) => (value.type === type2 ? change(value) : value))(place)
var block = all(ofType('resource', member('resource', shape('resourceContents'))), shape('content'))
var toolResult = all(shape('toolResult'), items('content', block))
var samplingContent2 = oneOrItems('content', all(ofType('tool_result', toolResult), block))
var params = {
  initialize: all(member('clientInfo', shape('implementation')), member('capabilities', shape('clientCapabilities'))),
  'tools/call': shape('inputResponses'),
  'resources/read': shape('inputResponses'),
  'prompts/get': shape('inputResponses'),
  'completion/complete': shape('completeParams'),
  'notifications/progress': shape('progress'),
  'sampling/createMessage': all(
    items('messages', all(samplingContent2, shape('samplingMessage'))),
    items('tools', shape('tool')),
    shape('samplingParams'),
  ),
  'elicitation/create': shape('elicitParams'),
}
var serverResult = (...places2) => all(...places2, shape('serverResult'))
var results = {
  initialize: serverResult(
    member('serverInfo', shape('implementation')),
    member('capabilities', shape('serverCapabilities')),
  ),
  'server/discover': serverResult(member('capabilities', shape('serverCapabilities'))),
  'tools/list': serverResult(items('tools', shape('tool'))),
  'tools/call': serverResult(toolResult),
  'resources/list': serverResult(items('resources', shape('resource'))),
  'resources/templates/list': serverResult(items('resourceTemplates', shape('resourceTemplate'))),
  'resources/read': serverResult(items('contents', shape('resourceContents'))),
  'resources/subscribe': serverResult(),
  'resources/unsubscribe': serverResult(),
  'prompts/list': serverResult(items('prompts', shape('prompt'))),
  'prompts/get': serverResult(items('messages', member('content', block))),
  'completion/complete': serverResult(),
  'logging/setLevel': serverResult(),
  // Of the extension `io.modelcontextprotocol/skills`.
  'skills/list': serverResult(),
  'skills/get': serverResult(),
  'roots/list': items('roots', shape('root')),
  'sampling/createMessage': all(samplingContent2, shape('samplingResult')),
  'elicitation/create': shape('elicitResult'),
}
function changesByMethod(places2, shapes) {
  const changes = /* @__PURE__ */ new Map()
  for (const [method, place] of Object.entries(places2)) {
    const change = place(shapes)
    if (change) changes.set(method, change)
  }
  return changes
}
function createEncoder(shapes) {
  const paramsChanges = changesByMethod(params, shapes)
  const resultChanges = changesByMethod(results, shapes)
  return {
    encodeParams: (method, value) => paramsChanges.get(method)?.(value) ?? value,
    encodeResult: (method, value) => resultChanges.get(method)?.(value) ?? value,
  }
}

// packages/sdk/src/wire/codecs.ts
var dialects = new Map(
  [rev20241105, rev20250326, rev20250618, rev20251125, rev20260728].map((dialect) => [dialect.revision, dialect]),
)
var made = /* @__PURE__ */ new Map()
function createCodec({ shapes, ownShapes: ownShapes2, upgrades, envelope: envelope2, ...facts }) {
  const said = composeShapes(shapes, ownShapes2 ?? {})
  const coding = { ...createEncoder(said), ...createDecoder(said, upgrades) }
  return { ...facts, ...(envelope2?.(coding, facts) ?? coding) }
}
function codecFor(revision) {
  const known2 = made.get(revision)
  if (known2 !== void 0) return known2
  const codec = createCodec(dialects.get(revision))
  made.set(revision, codec)
  return codec
}
var isLegacy = (revision) => dialects.get(revision).handshake
var newestLegacy = (newestFirst2) => newestFirst2.find(isLegacy)

// packages/sdk/src/client/connection.ts
init_errors()

// packages/sdk/src/jsonrpc/peer.ts
init_errors()
init_classify()

// packages/sdk/src/jsonrpc/few.ts
var Few = class {
  #key
  #value
  #others
  get size() {
    return (this.#value === void 0 ? 0 : 1) + (this.#others?.size ?? 0)
  }
  has(key) {
    return this.get(key) !== void 0
  }
  get(key) {
    return this.#value !== void 0 && this.#key === key ? this.#value : this.#others?.get(key)
  }
  set(key, value) {
    const alone = this.#value === void 0 ? !this.#others?.has(key) : this.#key === key
    if (!alone) {
      this.#others ??= /* @__PURE__ */ new Map()
      this.#others.set(key, value)
      return
    }
    this.#key = key
    this.#value = value
  }
  delete(key) {
    if (this.#value === void 0 || this.#key !== key) return this.#deleteOther(key)
    this.#key = void 0
    this.#value = void 0
    return true
  }
  clear() {
    this.#key = void 0
    this.#value = void 0
    this.#others = void 0
  }
  /** A copy: what is in it may be deleted meanwhile. */
  values() {
    const others = [...(this.#others?.values() ?? [])]
    return this.#value === void 0 ? others : [this.#value, ...others]
  }
  #deleteOther(key) {
    const deleted = this.#others?.delete(key) ?? false
    if (this.#others?.size === 0) this.#others = void 0
    return deleted
  }
}

// packages/sdk/src/jsonrpc/incoming.ts
var IncomingRequest = class {
  id
  method
  params
  /** Where its answer goes, and everything else about it. */
  sink
  /** True if it is meant to stay open: then it is no work, and bounded by whoever keeps it open. */
  standing = false
  #controller
  #cancelled
  #settled = false
  constructor(message, sink) {
    this.id = message.id
    this.method = message.method
    this.params = message.params ?? void 0
    this.sink = sink
  }
  /** Fires when the request is cancelled or the connection ends. Made when first read: most handlers never look. */
  get signal() {
    if (this.#controller === void 0) {
      this.#controller = new AbortController()
      if (this.#cancelled !== void 0) this.#controller.abort(this.#cancelled)
    }
    return this.#controller.signal
  }
  get cancelled() {
    return this.#cancelled !== void 0
  }
  /** True once the answer is decided: nothing about this request may be sent any more. */
  get settled() {
    return this.#settled
  }
  settle() {
    this.#settled = true
  }
  cancel(reason2) {
    if (this.#cancelled !== void 0 || this.#settled) return
    this.#cancelled = reason2
    this.#settled = true
    this.#controller?.abort(reason2)
  }
}

// packages/sdk/src/jsonrpc/outgoing.ts
init_errors()

// packages/sdk/src/jsonrpc/pending.ts
init_errors()

// packages/sdk/src/jsonrpc/wheel.ts
var tickMs = 20
var slotCount = 512
var Deadline = class {
  /** The tick at which it expires; may be moved later at any time without touching the lists. */
  expiresAt = 0
  previous
  next
}
var Head = class extends Deadline {
  expire() {}
}
var slots = []
var watched = 0
var lastTick = 0
var timer
var currentTick = () => Math.floor(performance.now() / tickMs)
var tickIn = (ms, now = performance.now()) => Math.floor((now + ms) / tickMs) + 1
function watch(deadline) {
  if (timer === void 0) start()
  link(deadline)
  if (++watched === 1) timer.ref?.()
}
function unwatch(deadline) {
  if (deadline.previous === void 0) return
  unlink(deadline)
  if (--watched === 0) timer.unref?.()
}
function start() {
  while (slots.length < slotCount) slots.push(new Head())
  lastTick = currentTick()
  timer = setInterval(advance, tickMs)
}
function stop() {
  clearInterval(timer)
  timer = void 0
}
function advance() {
  const now = currentTick()
  const first = Math.max(lastTick + 1, now - slotCount + 1)
  lastTick = now
  const expired = []
  for (let tick = first; tick <= now; tick++) sweep(tick % slotCount, now, expired)
  for (const deadline of expired) deadline.expire()
  if (watched === 0) stop()
}
function sweep(slot, now, expired) {
  let deadline = slots[slot].next
  while (deadline !== void 0) {
    const following = deadline.next
    if (deadline.expiresAt <= now) {
      unwatch(deadline)
      expired.push(deadline)
    } else if (deadline.expiresAt % slotCount !== slot) {
      unlink(deadline)
      link(deadline)
    }
    deadline = following
  }
}
function link(deadline) {
  const head = slots[deadline.expiresAt % slotCount]
  deadline.previous = head
  deadline.next = head.next
  if (head.next !== void 0) head.next.previous = deadline
  head.next = deadline
}
function unlink(deadline) {
  deadline.previous.next = deadline.next
  if (deadline.next !== void 0) deadline.next.previous = deadline.previous
  deadline.previous = void 0
  deadline.next = void 0
}

// packages/sdk/src/jsonrpc/pending.ts
var Pending = class extends Deadline {
  id
  method
  resolve
  reject
  onProgress
  /** Where the request goes. */
  sink
  /** True once the request has been handed over. */
  sent = false
  standing
  #timeoutMs
  #hardTick
  #abandon
  #signal
  constructor({ id, method }, wait, patience, settle2, abandon, sink) {
    super()
    this.id = id
    this.method = method
    this.resolve = settle2.resolve
    this.reject = settle2.reject
    this.onProgress = wait.onProgress
    this.#timeoutMs = wait.timeoutMs ?? patience.timeoutMs
    this.#abandon = abandon
    this.sink = sink
    this.#signal = wait.signal
    this.standing = wait.standing ?? false
    const now = performance.now()
    this.#hardTick = tickIn(wait.maxTotalMs ?? patience.maxTotalMs, now)
    this.expiresAt = Math.min(tickIn(this.#timeoutMs, now), this.#hardTick)
    if (!this.standing) watch(this)
    if (this.#signal !== void 0) listen2(this.#signal, this)
  }
  /** The peer showed a sign of life: the silence starts anew, the hard maximum stays. */
  touch() {
    this.expiresAt = Math.min(tickIn(this.#timeoutMs), this.#hardTick)
  }
  expire() {
    const hard = this.expiresAt === this.#hardTick
    const limit = hard ? 'the maximum total time' : `${this.#timeoutMs} ms`
    this.#abandon(this, new McpError('timeout', `No answer to ${this.method} within ${limit}`))
  }
  /** Ends the watching; whoever calls this settles the promise. */
  release() {
    unwatch(this)
    if (this.#signal !== void 0) stopListening(this.#signal, this)
  }
  /** Called when the signal fires. */
  abort() {
    const cause = this.#signal?.reason
    this.#abandon(this, new McpError('cancelled', `${this.method} was cancelled`, { cause }))
  }
}
var listening = /* @__PURE__ */ new WeakMap()
function listen2(signal, pending) {
  const known2 = listening.get(signal)
  if (known2 !== void 0) {
    known2.waiting.add(pending)
    return
  }
  const waiting2 = /* @__PURE__ */ new Set([pending])
  const listener = () => {
    for (const one of [...waiting2]) one.abort()
  }
  listening.set(signal, { waiting: waiting2, listener })
  signal.addEventListener('abort', listener, { once: true })
}
function stopListening(signal, pending) {
  const known2 = listening.get(signal)
  if (known2 === void 0 || !known2.waiting.delete(pending) || known2.waiting.size > 0) return
  listening.delete(signal)
  signal.removeEventListener('abort', known2.listener)
}

// packages/sdk/src/jsonrpc/outgoing.ts
var Outgoing = class {
  #limits
  #abandoned
  #pending = /* @__PURE__ */ new Map()
  #waiting = /* @__PURE__ */ new Map()
  /** How many of those in flight are meant to stay. */
  #standing = 0
  #lastId = 0
  #closed
  /** `abandoned` hears of requests that were sent and given up. */
  constructor(limits, abandoned) {
    this.#limits = limits
    this.#abandoned = abandoned
  }
  /** A request id that was not used yet. */
  reserveId() {
    return ++this.#lastId
  }
  /** True if a request with this id was sent once: a late answer to it is an ordinary race. */
  knew(id) {
    const number2 = Number(id)
    return Number.isInteger(number2) && number2 > 0 && number2 <= this.#lastId
  }
  /** Those that somebody waits for. */
  get size() {
    return this.#pending.size + this.#waiting.size - this.#standing
  }
  send(message, wait, sink) {
    const { method } = message
    if (this.#closed !== void 0) return Promise.reject(notSent(method, this.#closed))
    if (wait.signal?.aborted) {
      return Promise.reject(new McpError('cancelled', `${method} was cancelled`, { cause: wait.signal.reason }))
    }
    return new Promise((resolve, reject) => {
      const pending = new Pending(message, wait, this.#limits, { resolve, reject }, this.#abandon, sink)
      if (pending.standing || this.#hasRoom) this.#dispatch(pending, message)
      else this.#waiting.set(pending, message)
    })
  }
  /** Settles the request that a response answers. False if there is none. */
  settle(id, response) {
    const pending = this.#take(id)
    if (pending === void 0) return false
    const { error } = response
    if (error === void 0 || error === null) pending.resolve(response.result)
    else {
      const { code, message, data: data2 } = error
      pending.reject(new RpcError(code, message, data2, { remote: true }))
    }
    return true
  }
  /** Fails a request. False if there is none. */
  fail(id, error) {
    const pending = this.#take(id)
    pending?.reject(error)
    return pending !== void 0
  }
  /** Hands progress on. False if there is no such request. */
  progressed(id, params2) {
    const pending = this.#pending.get(id)
    if (pending === void 0) return false
    pending.touch()
    pending.onProgress?.(params2)
    return true
  }
  /** The silence of the other side starts anew. */
  touch(id) {
    this.#pending.get(id)?.touch()
  }
  /** Fails everything that is open, and everything that is still to come. */
  close(reason2) {
    this.#closed ??= reason2
    for (const pending of [...this.#pending.values(), ...this.#waiting.keys()]) {
      pending.release()
      pending.reject(reason2)
    }
    this.#pending.clear()
    this.#waiting.clear()
  }
  get #hasRoom() {
    return this.#pending.size - this.#standing < this.#limits.maxOutgoing
  }
  #dispatch(pending, message) {
    this.#pending.set(pending.id, pending)
    if (pending.standing) this.#standing++
    pending.sent = true
    try {
      const sending = pending.sink.send(message)
      if (sending instanceof Promise) sending.catch((error) => this.fail(pending.id, toError(error)))
    } catch (error) {
      this.fail(pending.id, toError(error))
    }
  }
  #take(id) {
    const pending = this.#pending.get(id) ?? (typeof id === 'string' ? this.#pending.get(Number(id)) : void 0)
    if (pending !== void 0) this.#release(pending)
    return pending
  }
  #abandon = (pending, error) => {
    this.#release(pending)
    pending.reject(error)
    if (pending.sent) this.#abandoned(pending.id, pending.method, error)
  }
  #release(pending) {
    pending.release()
    if (!pending.sent) {
      this.#waiting.delete(pending)
      return
    }
    this.#pending.delete(pending.id)
    if (pending.standing) this.#standing--
    if (!this.#hasRoom) return
    const next = this.#waiting.entries().next().value
    if (next === void 0) return
    this.#waiting.delete(next[0])
    this.#dispatch(...next)
  }
}
var notSent = (method, reason2) =>
  new McpError('closed', `${method} was not sent: ${reason2.message}`, { cause: reason2 })
var toError = (thrown) => (thrown instanceof Error ? thrown : new McpError('closed', String(thrown)))

// packages/sdk/src/jsonrpc/peer.ts
var peerDefaults = {
  maxIncoming: 2048,
  urgent: /* @__PURE__ */ new Set(),
  maxOutgoing: 1024,
  maxBatch: 100,
  timeoutMs: 6e4,
  maxTotalMs: 6e5,
  drainMs: 1e3,
}
var unsendable = { code: ErrorCode.InternalError, message: 'Internal error' }
var isBare = (value, id) => id !== void 0 && value.jsonrpc === '2.0' && value.method === void 0
var Peer = class {
  #channel
  #delegate
  #options
  #incoming = new Few()
  /** Requests whose handlers have not returned: cancelled ones, which nobody can ask about any more, among them. */
  #inWork = 0
  /** Made when first used: most servers ask nothing. */
  #asked
  #closed
  /** Set while draining: called when nothing is in work any more. */
  #drained
  constructor(channel, delegate, options = {}) {
    this.#channel = channel
    this.#delegate = delegate
    this.#options = options
  }
  /** Starts to receive. */
  open() {
    this.#channel.open(this)
  }
  /** A request id that this side has not used yet. */
  reserveId() {
    return this.#outgoing.reserveId()
  }
  /** Sends a request, into `sink` if it belongs to one of the other side, and waits for its result, within bounds. */
  request(id, method, params2, wait = {}, sink = this.#channel) {
    const message =
      params2 === void 0 ? { jsonrpc: '2.0', id, method } : { jsonrpc: '2.0', id, method, params: params2 }
    return this.#outgoing.send(message, wait, sink)
  }
  /** Sends a notification. Returns a promise only while the other side is slow; a closed connection swallows it. */
  notify(method, params2, sink = this.#channel) {
    return this.#send(
      params2 === void 0 ? { jsonrpc: '2.0', method } : { jsonrpc: '2.0', method, params: params2 },
      sink,
    )
  }
  /** The other side gave up a request: stop working on it and do not answer. */
  cancelIncoming(id, reason2) {
    const request2 = this.#incoming.get(id)
    if (request2 === void 0) return
    this.#incoming.delete(id)
    request2.cancel(new McpError('cancelled', reason2))
  }
  /** The other side reports progress on a request of ours. False if there is no such request. */
  progressed(id, params2) {
    return this.#asked?.progressed(id, params2) ?? false
  }
  /** How many requests are open in each direction. */
  get inFlight() {
    return { incoming: this.#incoming.size, outgoing: this.#asked?.size ?? 0 }
  }
  async close() {
    this.#end(new McpError('closed', 'The connection was closed on this side'))
    await this.#channel.close()
  }
  // Receiver
  receive(value, sink = this.#channel) {
    switch (classify(value)) {
      case 'request':
        this.#answer(value, sink)
        return
      case 'notification':
        this.#notified(value)
        return
      case 'result':
        this.#settle(value.id, value)
        return
      case 'error':
        this.#failed(value)
        return
      case 'batch':
        this.#receiveBatch(value, sink)
        return
      case 'invalid':
        this.#sendAnswer(this.#invalidAnswer(value), sink)
    }
  }
  refuse(refusal) {
    const { id, kind, code, message } = refusal
    this.#delegate.protocolError(new RpcError(code, message))
    if (kind === 'response') this.#rejectAnswered(id, message)
    else if (kind === void 0 || id !== void 0)
      this.#sendAnswer(this.#errorResponse(id, { code, message }), this.#channel)
  }
  failed(id, error) {
    this.#asked?.fail(id, error)
  }
  delayed(id) {
    this.#asked?.touch(id)
  }
  closed(reason2) {
    const message = reason2?.message ?? 'The connection was closed by the other side'
    const error = new McpError('closed', message, { cause: reason2 })
    if (reason2 === void 0 && this.#channel.sendsAfterEnd && this.#incoming.size > 0) this.#drain(error)
    else this.#end(error)
  }
  /** Nobody will answer us any more, but whoever asked before the end still gets an answer. */
  #drain(reason2) {
    this.#outgoing.close(reason2)
    const timer2 = setTimeout(() => this.#end(reason2), this.#options.drainMs ?? peerDefaults.drainMs)
    this.#drained = () => {
      clearTimeout(timer2)
      setTimeout(() => this.#end(reason2))
    }
    this.#delegate.draining?.()
  }
  get #outgoing() {
    this.#asked ??= this.#makeOutgoing()
    return this.#asked
  }
  #makeOutgoing() {
    const limits = { ...peerDefaults, ...this.#options }
    const outgoing = new Outgoing(limits, (id, method, reason2) => this.#delegate.abandoned(id, method, reason2))
    if (this.#closed !== void 0) outgoing.close(this.#closed)
    return outgoing
  }
  // Requests of the other side
  #answer(message, sink) {
    const answer4 = this.#run(message, sink)
    if (answer4 instanceof Promise) answer4.then((settled2) => this.#sendAnswer(settled2, sink))
    else this.#sendAnswer(answer4, sink)
  }
  #sendAnswer(answer4, sink) {
    if (answer4 === void 0 || this.#closed !== void 0) return
    try {
      const sending = sink.send(answer4)
      if (sending instanceof Promise) sending.catch((error) => this.#sendError(error))
    } catch (error) {
      this.#sendError(error)
      if (answer4.id !== void 0) this.#send({ jsonrpc: '2.0', id: answer4.id, error: unsendable }, sink)
    }
  }
  /** Never rejects. Undefined means: no answer, because the request was cancelled. */
  #run(message, sink) {
    const { id } = message
    const refusal = this.#refuseRequest(message)
    if (refusal !== void 0) return { jsonrpc: '2.0', id, error: refusal }
    const request2 = new IncomingRequest(message, sink)
    this.#incoming.set(id, request2)
    this.#inWork++
    try {
      const result2 = this.#delegate.request(request2)
      if (!(result2 instanceof Promise)) return this.#succeed(request2, result2)
      return result2.then(
        (value) => this.#succeed(request2, value),
        (thrown) => this.#fail(request2, thrown),
      )
    } catch (thrown) {
      return this.#fail(request2, thrown)
    }
  }
  #refuseRequest({ id, method }) {
    if (this.#incoming.has(id)) {
      return { code: ErrorCode.InvalidRequest, message: `Request id ${JSON.stringify(id)} is already in use` }
    }
    const { maxIncoming: limit = peerDefaults.maxIncoming, urgent = peerDefaults.urgent } = this.#options
    if (this.#inWork >= limit && this.#inWork - this.#standing() >= limit && !urgent.has(method)) {
      return {
        code: ErrorCode.InternalError,
        message: `Too many requests in flight (the limit is ${limit})`,
        data: { limit },
      }
    }
    return void 0
  }
  /** Counted only when it matters: requests that stay open are few, and mostly there are none. */
  #standing() {
    let count = 0
    for (const { standing } of this.#incoming.values()) if (standing) count++
    return count
  }
  #succeed(request2, result2) {
    if (!this.#finish(request2)) return void 0
    return { jsonrpc: '2.0', id: request2.id, result: result2 }
  }
  #fail(request2, thrown) {
    if (!this.#finish(request2)) return void 0
    const error = this.#delegate.toWireError(thrown, request2)
    return { jsonrpc: '2.0', id: request2.id, error }
  }
  /** False if the request was cancelled meanwhile. */
  #finish(request2) {
    this.#inWork--
    if (request2.cancelled) return false
    request2.settle()
    this.#incoming.delete(request2.id)
    if (this.#incoming.size === 0) this.#drained?.()
    return true
  }
  // Answers of the other side
  #settle(id, response) {
    if (this.#asked !== void 0 && (this.#asked.settle(id, response) || this.#asked.knew(id))) return
    this.#delegate.protocolError(
      new McpError('invalid_result', `Answer to an unknown request, id ${JSON.stringify(id)}`),
    )
  }
  #failed(response) {
    if (response.id !== void 0 && response.id !== null) {
      this.#settle(response.id, response)
      return
    }
    const { code, message } = response.error
    this.#delegate.protocolError(
      new RpcError(code, `The peer could not read a message: ${message}`, void 0, { remote: true }),
    )
  }
  /** An answer arrived that cannot be used: nothing better will come. */
  #rejectAnswered(id, message) {
    if (id !== void 0) this.#asked?.fail(id, new McpError('invalid_result', message))
  }
  // Everything else
  #notified(message) {
    try {
      this.#delegate.notification(message)
    } catch (error) {
      this.#delegate.protocolError(error instanceof Error ? error : new Error(String(error)))
    }
  }
  #invalidAnswer(value) {
    const { id, code, message, meant } = explainInvalid(value)
    this.#delegate.protocolError(new RpcError(code, message))
    if (meant === 'response') this.#rejectAnswered(id, message)
    else if (isBare(value, id) && this.#outgoing.fail(id, new McpError('invalid_result', message))) return void 0
    const answered = meant === 'request' || (meant === 'foreign' && this.#delegate.answersForeign())
    return answered ? this.#errorResponse(id, { code, message }) : void 0
  }
  #errorResponse(id, { code, message }) {
    if (id !== void 0) return { jsonrpc: '2.0', id, error: { code, message } }
    return this.#delegate.errorsWithoutId() ? { jsonrpc: '2.0', error: { code, message } } : void 0
  }
  #receiveBatch(messages, sink) {
    const refusal = this.#refuseBatch(messages)
    if (refusal !== void 0) {
      this.#refuseAll(messages, `Invalid request: ${refusal}`, sink)
      return
    }
    const answers = []
    for (const message of messages) {
      const kind = classify(message)
      if (kind === 'request') answers.push(this.#run(message, sink))
      else if (kind === 'invalid' || kind === 'batch') answers.push(this.#invalidAnswer(message))
      else this.receive(message)
    }
    Promise.all(answers).then((all2) => {
      const sent = all2.filter((answer4) => answer4 !== void 0)
      if (sent.length > 0) this.#sendBatch(sent, sink)
    })
  }
  /** Whoever asked inside a batch that is refused must not wait for ever. */
  #refuseAll(messages, message, sink) {
    const code = ErrorCode.InvalidRequest
    this.#delegate.protocolError(new RpcError(code, message))
    const requests4 = messages.filter((one) => classify(one) === 'request')
    for (const one of messages) if (['result', 'error'].includes(classify(one))) this.receive(one)
    if (requests4.length === 0) this.#sendAnswer(this.#errorResponse(void 0, { code, message }), sink)
    for (const { id } of requests4) this.#sendAnswer(this.#errorResponse(id, { code, message }), sink)
  }
  #sendBatch(answers, sink) {
    try {
      const sending = sink.send(answers)
      if (sending instanceof Promise) sending.catch((error) => this.#sendError(error))
    } catch {
      for (const answer4 of answers) this.#sendAnswer(answer4, sink)
    }
  }
  #refuseBatch(messages) {
    if (!this.#delegate.batches()) return 'batches are not part of the protocol revision in use'
    if (messages.length === 0) return 'an empty batch'
    const { maxBatch = peerDefaults.maxBatch } = this.#options
    return messages.length > maxBatch ? `a batch of ${messages.length} messages, the limit is ${maxBatch}` : void 0
  }
  /** Sends what nobody waits for. A connection that is gone has been reported by `closed` already. */
  #send(payload, sink) {
    if (this.#closed !== void 0) return
    try {
      const sending = sink.send(payload)
      return sending instanceof Promise ? sending.catch((error) => this.#sendError(error)) : void 0
    } catch (error) {
      this.#sendError(error)
    }
  }
  #sendError(error) {
    if (this.#closed === void 0) this.#delegate.protocolError(error)
  }
  #end(reason2) {
    if (this.#closed !== void 0) return
    this.#closed = reason2
    this.#asked?.close(reason2)
    for (const request2 of this.#incoming.values()) request2.cancel(reason2)
    this.#incoming.clear()
    this.#delegate.closed(reason2)
  }
}

// packages/sdk/src/telemetry/trace-context.ts
init_classify()
var maxParentLength = 256
var maxStateLength = 512
var maxBaggageLength = 8192
var parentForm = /^(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-[\x21-\x7e]*)?$/
var printable = /^[\x20-\x7e]+$/
function readTraceContext(meta) {
  if (!isObject(meta)) return void 0
  const traceparent = isTraceparent(meta.traceparent) ? meta.traceparent : void 0
  const tracestate = traceparent !== void 0 && isText2(meta.tracestate, maxStateLength) ? meta.tracestate : void 0
  const baggage = isText2(meta.baggage, maxBaggageLength) ? meta.baggage : void 0
  if (traceparent === void 0 && baggage === void 0) return void 0
  return {
    ...(traceparent !== void 0 && { traceparent }),
    ...(tracestate !== void 0 && { tracestate }),
    ...(baggage !== void 0 && { baggage }),
  }
}
function withTraceContext(params2, trace) {
  const added = readTraceContext(trace)
  if (added === void 0) return params2
  const given = isObject(params2._meta) ? params2._meta : {}
  const isTraced = Object.hasOwn(given, 'traceparent') || Object.hasOwn(given, 'tracestate')
  const { traceparent, tracestate, baggage } = added
  const _meta = {
    ...(!isTraced && traceparent !== void 0 && { traceparent }),
    ...(!isTraced && tracestate !== void 0 && { tracestate }),
    ...(baggage !== void 0 && { baggage }),
    ...given,
  }
  return { ...params2, _meta }
}
function isTraceparent(value) {
  if (typeof value !== 'string' || value.length > maxParentLength || !parentForm.test(value)) return false
  return value.length === 55 || !value.startsWith('00')
}
var isText2 = (value, maxLength2) => typeof value === 'string' && value.length <= maxLength2 && printable.test(value)

// packages/sdk/src/telemetry/watch.ts
init_errors()
init_classify()

// packages/sdk/src/telemetry/channels.ts
var phases = ['start', 'end', 'asyncStart', 'asyncEnd', 'error']
var silent = { hasSubscribers: false, publish: () => {}, tracePromise: (run2) => run2() }
var diagnostics = (() => {
  const { process: process2 } = globalThis
  try {
    return process2?.getBuiltinModule?.('node:diagnostics_channel')
  } catch {
    return void 0
  }
})()
function traced(kind) {
  const channel = diagnostics?.tracingChannel?.(`tenon:${kind}`)
  if (channel === void 0 || typeof channel.hasSubscribers === 'boolean') return channel ?? silent
  const parts = phases.map((phase) => channel[phase])
  return {
    get hasSubscribers() {
      return parts.some((part) => part.hasSubscribers)
    },
    tracePromise: (run2, context) => channel.tracePromise(run2, context),
  }
}
var requests3 = /* @__PURE__ */ new Map()
var connections = /* @__PURE__ */ new Map()
function requestsOf(kind) {
  const known2 = requests3.get(kind)
  if (known2 !== void 0) return known2
  const channel = traced(kind)
  requests3.set(kind, channel)
  return channel
}
function connectionsOf(side) {
  const known2 = connections.get(side) ?? diagnostics?.channel(`tenon:${side}.connection`) ?? silent
  connections.set(side, known2)
  return known2
}
var listensToRequests = (kind) => requestsOf(kind).hasSubscribers
var listensToConnections = (side) => connectionsOf(side).hasSubscribers
var publishRequest = (event, run2) => requestsOf(event.kind).tracePromise(run2, event)
var publishConnection = (event) => connectionsOf(event.side).publish(event)

// packages/sdk/src/telemetry/watch.ts
var observer
var isWatched = (kind) => observer !== void 0 || listensToRequests(kind)
var isConnectionWatched = (side) => observer !== void 0 || listensToConnections(side)
function watch2(event, run2) {
  const settled2 = () => settle(event, run2)
  const watching = observer
  return publishRequest(event, watching === void 0 ? settled2 : () => watching.request(event, settled2))
}
function watchConnection(side, where, { since, reason: reason2 }) {
  const errorType = reason2 && endTypeOf(reason2)
  const event = {
    side,
    phase: reason2 === void 0 ? 'opened' : 'closed',
    ...where,
    ...(reason2 && { reason: reason2, durationMs: performance.now() - since }),
    ...(errorType !== void 0 && { errorType }),
  }
  publishConnection(event)
  observer?.connection(event)
}
function errorTypeOf(thrown) {
  if (isRpcError(thrown) || isMcpError(thrown)) return String(thrown.code)
  return thrown instanceof Error ? thrown.name : 'Error'
}
function endTypeOf({ cause }) {
  if (!(cause instanceof Error)) return void 0
  const { code } = cause
  return typeof code === 'string' ? code : cause.name
}
async function settle(event, run2) {
  const started = performance.now()
  try {
    const result2 = await run2()
    learn(event, result2)
    return result2
  } catch (thrown) {
    event.errorType ??= errorTypeOf(thrown)
    throw thrown
  } finally {
    event.durationMs = performance.now() - started
  }
}
function learn(event, result2) {
  if (!isObject(result2)) return
  if (event.method === 'tools/call' && result2.isError === true) event.errorType ??= 'tool_error'
  if (event.method === 'initialize' && isRevision(result2.protocolVersion)) event.revision = result2.protocolVersion
}

// packages/sdk/src/client/input-request.ts
init_errors()
var isOwnRpcError = (thrown) =>
  isRpcError(thrown) && !thrown.remote && Number.isInteger(thrown.code) && typeof thrown.toWire === 'function'
var notFound = (method) => new RpcError(ErrorCode.MethodNotFound, `Method not found: ${method}`)

// packages/sdk/src/client/options.ts
init_errors()
init_version()

// packages/sdk/src/client/assert-options.ts
init_errors()
init_classify()
var isFunction = (value) => typeof value === 'function'
var isOptional = (value) => value === void 0 || isFunction(value)
var listeners = ['onLog', 'onElicitationComplete', 'onError', 'onWarning', 'onNotification', 'onRestart', 'onStream']
function assertOptions2(options) {
  const { info, elicit, sample, validate, revisions: revisions2 } = options
  const named = typeof info?.name === 'string' && typeof info.version === 'string'
  assert(info === void 0 || named, 'info', '{ name, version } with strings', info)
  const modes = isObject(elicit) && isOptional(elicit.form) && isOptional(elicit.url)
  assert(isOptional(elicit) || modes, 'elicit', 'a function, or { form, url } with functions', elicit)
  const sampler = isObject(sample) && isFunction(sample.handler)
  assert(isOptional(sample) || sampler, 'sample', 'a function, or { handler } with one', sample)
  const mode2 = validate ?? 'warn'
  assert(['off', 'warn', 'strict'].includes(mode2), 'validate', '"off", "warn" or "strict"', validate)
  assert(Array.isArray(revisions2 ?? []), 'revisions', 'an array', revisions2)
  const { extensions = [] } = options
  const used = Array.isArray(extensions) && extensions.every((one) => isObject(one) && one.kind === 'used-extension')
  assert(used, 'extensions', 'an array of what extension(...).use() returns', extensions)
  assert(isOptional(options.fetch), 'fetch', 'a function', options.fetch)
  const { headers } = options
  const isRecord =
    isObject(headers) &&
    Object.values(headers).every((value) => typeof value === 'string') &&
    !(headers instanceof Headers)
  assert(isOptional(headers) || isRecord, 'headers', 'an object of strings, or a function', headers)
  const { auth: auth2 } = options
  const isAuth = isObject(auth2) && isFunction(auth2.headers) && isFunction(auth2.challenged)
  assert(auth2 === void 0 || isAuth, 'auth', 'what oauth(...) returns', auth2)
  const { cache: cache2 } = options
  assert(
    cache2 === void 0 || cache2 === false || isObject(cache2),
    'cache',
    'false, or { maxEntries, maxBytes }',
    cache2,
  )
  const { tasks } = options
  assert(tasks === void 0 || typeof tasks === 'boolean', 'tasks', 'a boolean', tasks)
  for (const name of listeners) assert(isOptional(options[name]), name, 'a function', options[name])
}
function assert(fine, name, expected, found) {
  if (fine) return
  const got = typeof found === 'string' ? JSON.stringify(found) : describe(found)
  throw new McpError('invalid_argument', `${name}: expected ${expected}, got ${got}`)
}

// packages/sdk/src/client/without-gaps.ts
var withoutGaps = (members) => Object.fromEntries(Object.entries(members).filter((entry) => entry[1] !== void 0))

// packages/sdk/src/client/options.ts
function resolveOptions(options) {
  assertOptions2(options)
  const { timeoutMs = peerDefaults.timeoutMs, maxTotalMs = peerDefaults.maxTotalMs, probeTimeoutMs = 5e3 } = options
  const { maxPages = 1e3, maxRounds = 100, ...limits } = atLeastOne('limits', options.limits ?? {})
  return {
    ...options,
    info: options.info ?? { name: 'tenon', version },
    revisions: newestFirst(options.revisions ?? revisions),
    probeTimeoutMs: milliseconds('probeTimeoutMs', probeTimeoutMs),
    validate: options.validate ?? 'warn',
    maxPages,
    maxRounds,
    cache: cacheSettings(options),
    peer: {
      ...peerDefaults,
      ...limits,
      timeoutMs: milliseconds('timeoutMs', timeoutMs),
      maxTotalMs: milliseconds('maxTotalMs', maxTotalMs),
    },
    report: quietly(options.onError),
    warn: quietly(options.onWarning),
  }
}
function cacheSettings({ cache: cache2 = {}, headers }) {
  if (cache2 === false) return false
  const { maxEntries: maxEntries2 = 500, maxBytes = 8 * 1024 * 1024 } = atLeastOne('cache', cache2)
  return { maxEntries: maxEntries2, maxBytes, keepsPrivate: typeof headers !== 'function' }
}
function newestFirst(allowed) {
  const unknown = allowed.find((revision) => !isRevision(revision))
  if (unknown !== void 0 || allowed.length === 0) {
    const found = unknown === void 0 ? 'none' : JSON.stringify(unknown)
    throw new McpError('invalid_argument', `revisions: expected some of ${revisions.join(', ')}, got ${found}`)
  }
  return revisions.filter((revision) => allowed.includes(revision)).reverse()
}
function milliseconds(name, value) {
  if (typeof value === 'number' && value > 0) return Math.min(value, Number.MAX_SAFE_INTEGER)
  throw new McpError('invalid_argument', `${name}: expected milliseconds above 0, or Infinity, got ${String(value)}`)
}
function atLeastOne(option, limits) {
  for (const [name, limit] of Object.entries(limits)) {
    if (limit === void 0 || limit >= 1) continue
    throw new McpError('invalid_argument', `${option}.${name}: expected a number of at least 1, got ${String(limit)}`)
  }
  return withoutGaps({ ...limits })
}
function quietly(callback) {
  return (value) => {
    try {
      callback?.(value)
    } catch {}
  }
}
function callListener(report, listener, value) {
  if (listener === void 0) return
  try {
    const returned = listener(value)
    if (returned instanceof Promise) returned.catch((error) => report(toError2(error)))
  } catch (error) {
    report(toError2(error))
  }
}
var toError2 = (thrown) => (thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown }))

// packages/sdk/src/client/request-meta.ts
init_meta()
function withMeta(params2, id, options, envelope2) {
  const { meta, onProgress } = options
  if (!Object.hasOwn(params2, '_meta') && meta === void 0 && onProgress === void 0)
    return envelope2 === void 0 ? params2 : { _meta: envelope2, ...params2 }
  const said = {
    ...params2._meta,
    ...meta,
    ...(onProgress === void 0 ? {} : { [metaKeys.progressToken]: id }),
    ...envelope2,
  }
  return Object.keys(said).length === 0 ? params2 : withMember(params2, '_meta', said)
}

// packages/sdk/src/client/tasks/support.ts
init_errors()
var isAboutTasks = (method) => method.startsWith('tasks/')
var taskSettings = ({ extensions }) =>
  extensions !== void 0 && Object.hasOwn(extensions, tasksExtension) ? extensions[tasksExtension] : void 0
function assertTasks({ connection, sources }) {
  if (sources.settings.tasks === false) throw new McpError('unsupported', 'Tasks were switched off: `tasks` is false')
  const { server } = connection()
  if (taskSettings(server.capabilities) !== void 0) return
  throw new McpError('unsupported', `The server did not declare tasks for tool calls in revision ${server.revision}`)
}
function assertListed(host) {
  assertTasks(host)
  const { server, codec } = host.connection()
  if (!codec.requests.client.has('tasks/list') || taskSettings(server.capabilities)?.list !== void 0) return
  throw new McpError('unsupported', 'The server did not declare the capability tasks.list')
}

// packages/sdk/src/client/watched.ts
init_errors()

// packages/sdk/src/telemetry/target-of.ts
function targetOf(method, params2) {
  switch (method) {
    case 'tools/call':
    case 'prompts/get':
      return { name: text(params2?.name), uri: void 0 }
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return { name: void 0, uri: text(params2?.uri) }
    default:
      return { name: void 0, uri: void 0 }
  }
}
var text = (value) => (typeof value === 'string' ? value : void 0)

// packages/sdk/src/client/watched.ts
var whereabouts = ({ revision }, server, about2) => ({
  revision,
  peer: server?.info,
  transport: about2?.transport,
  session: about2?.session,
  address: about2?.address,
  port: about2?.port,
})
function watchRequest(id, method, params2, where, send) {
  const target = targetOf(method, params2)
  const event = { kind: 'client.request', method, id, ...target, params: params2, ...where, trace: void 0 }
  return watch2(event, () => send(event.trace))
}
function watchAnswer(request2, where, answer4) {
  const { id, method, params: params2 } = request2
  const trace = readTraceContext(params2?._meta)
  const event = {
    kind: 'client.answer',
    method,
    id,
    name: void 0,
    uri: void 0,
    params: params2,
    ...where,
    trace,
  }
  return watch2(event, () => settled(request2, event, answer4))
}
async function settled(request2, event, answer4) {
  try {
    return await answer4()
  } catch (thrown) {
    event.errorType = String(isOwnRpcError(thrown) ? thrown.code : ErrorCode.InternalError)
    throw thrown
  } finally {
    if (request2.cancelled) event.errorType = 'cancelled'
  }
}

// packages/sdk/src/client/without-answers.ts
init_is_answer()
var withoutAnswers = (channel, silent2) => ({
  ...(channel.sendsAfterEnd === void 0 ? {} : { sendsAfterEnd: channel.sendsAfterEnd }),
  open: (receiver) => channel.open(receiver),
  send: (payload) => (silent2() && isAnswer(payload) ? void 0 : channel.send(payload)),
  close: () => channel.close(),
})

// packages/sdk/src/client/connection.ts
var Connection = class {
  peer
  #owner
  #channel
  #negotiated
  #settleNegotiation = () => {}
  /** When the revision was agreed on. */
  #since = 0
  #agreed
  #closed
  #ending
  /** The calls in flight that asked for progress. */
  #reporting = /* @__PURE__ */ new Set()
  /** Who wants to hear of the progress of tasks, by the requests that they came from. */
  #taskReports = /* @__PURE__ */ new Map()
  #stray
  /** The codec that is being tried, until one is agreed on. */
  codec
  constructor(channel, owner, firstCodec) {
    this.#owner = owner
    this.#channel = channel
    this.codec = firstCodec
    this.#negotiated = new Promise((resolve) => {
      this.#settleNegotiation = resolve
    })
    const silent2 = () => this.#agreed !== void 0 && !this.#agreed.codec.handshake
    this.peer = new Peer(withoutAnswers(channel, silent2), this, owner.settings.peer)
  }
  /** What the server said about itself; only after the negotiation. */
  get server() {
    return this.#agreed.server
  }
  /** The first thing that came before the agreement and had no place: often the reason why there is none. */
  get stray() {
    return this.#stray
  }
  get ended() {
    return this.#closed
  }
  /** Fires with the reason when the connection ends. Made when first read: few calls are about more than one message. */
  get ending() {
    this.#ending ??= new AbortController()
    if (this.#closed !== void 0) this.#ending.abort(this.#closed)
    return this.#ending.signal
  }
  /** What the server knows this client to support. */
  get declared() {
    return this.#agreed.declared
  }
  agree(codec, server, declared) {
    this.codec = codec
    this.#agreed = { codec, server, declared }
    this.#since = performance.now()
    if (isConnectionWatched('client')) watchConnection('client', this.where, { since: this.#since })
    this.#settleNegotiation()
  }
  /** Where it leads to, for those who watch. */
  get where() {
    return whereabouts(this.codec, this.#agreed?.server, this.#channel.about)
  }
  /** Sends a request once and returns its result, or what the server asks for instead, in terms of the model. */
  async call(method, params2, options = {}) {
    const result2 = await this.ask(method, params2, options)
    return this.codec.decodeResult(method, result2, params2)
  }
  /** The same, with the result as it arrived. */
  ask(method, params2, options = {}) {
    const id = this.peer.reserveId()
    if (isWatched('client.request')) return this.#watched(id, method, params2, options)
    return this.#ask(id, method, params2, options)
  }
  #watched(id, method, params2, options) {
    return watchRequest(id, method, params2, this.where, async (trace) =>
      this.#ask(id, method, params2, options, trace),
    )
  }
  #ask(id, method, params2, options, trace) {
    const { codec, peer } = this
    const usesTasks = options.usesTasks === true || isAboutTasks(method)
    const envelope2 = this.#owner.introduction.envelope(codec, usesTasks)
    const whole = withMeta(params2, id, options, envelope2)
    const body = codec.encodeParams(method, trace === void 0 ? whole : withTraceContext(whole, trace))
    assertParams(codec, method, body, envelope2)
    options.onSent?.(id, this)
    const answer4 = peer.request(id, method, orNothing(body), this.#wait(options))
    if (options.onProgress !== void 0) this.#awaitReports(id, answer4)
    return answer4
  }
  /** Sends `subscriptions/listen`, which is answered when the server ends it; until then only the signal ends it. */
  async listen(id, params2, signal) {
    const { codec, peer } = this
    const method = 'subscriptions/listen'
    const envelope2 = this.#owner.introduction.envelope(codec, false)
    const body = codec.encodeParams(method, withMeta(params2, id, {}, envelope2))
    assertParams(codec, method, body, envelope2)
    return codec.decodeResult(method, await peer.request(id, method, body, { signal, standing: true }), params2)
  }
  #awaitReports(id, answer4) {
    const forget = () => void this.#reporting.delete(id)
    this.#reporting.add(id)
    answer4.then(forget, forget)
  }
  /** Progress gives more time only to calls that asked for it: no server can keep others waiting. */
  progressed(token2, params2) {
    const id = this.#reporting.has(token2) ? token2 : Number(token2)
    if (this.#reporting.has(id) && this.peer.progressed(id, params2)) return
    this.#taskReports.get(this.#taskReports.has(token2) ? token2 : id)?.(params2)
  }
  /** Hands on the progress that is reported after the answer to a request, for a task. The returned function ends that. */
  reportAfter(id, onProgress) {
    const { report } = this.#owner.settings
    this.#taskReports.set(id, (params2) => callListener(report, onProgress, toProgress(params2)))
    return () => {
      this.#taskReports.delete(id)
    }
  }
  notify(method, params2 = {}) {
    return this.peer.notify(method, orNothing(this.codec.encodeParams(method, params2)))
  }
  #wait({ signal, timeoutMs, maxTotalMs, onProgress }) {
    const { report } = this.#owner.settings
    return {
      ...(signal && { signal }),
      ...(timeoutMs !== void 0 && { timeoutMs: milliseconds('timeoutMs', timeoutMs) }),
      ...(maxTotalMs !== void 0 && { maxTotalMs: milliseconds('maxTotalMs', maxTotalMs) }),
      ...(onProgress && { onProgress: (params2) => callListener(report, onProgress, toProgress(params2)) }),
    }
  }
  // PeerDelegate
  request(request2) {
    if (this.#agreed !== void 0) return this.#owner.answer(request2, this)
    if (request2.method === 'ping') return {}
    return this.#negotiated.then(() => this.#owner.answer(request2, this))
  }
  notification(notification2) {
    this.#owner.notified(notification2, this)
  }
  abandoned(id, method, reason2) {
    if (this.#agreed === void 0 || method === 'initialize') return
    const why = reason2.cause === void 0 ? reason2.message : `${reason2.message}: ${describeAbort(reason2.cause)}`
    this.notify('notifications/cancelled', { requestId: id, reason: why })
  }
  toWireError(thrown, request2) {
    if (isOwnRpcError(thrown)) return thrown.toWire()
    if (!request2.cancelled) this.protocolError(toError2(thrown))
    return { code: ErrorCode.InternalError, message: 'Internal error' }
  }
  protocolError(error) {
    if (this.#agreed === void 0) this.#stray ??= error
    this.#owner.settings.report(error)
  }
  closed(reason2) {
    this.#closed = reason2
    if (this.#agreed !== void 0 && isConnectionWatched('client'))
      watchConnection('client', this.where, { since: this.#since, reason: reason2 })
    this.#ending?.abort(reason2)
    this.#settleNegotiation()
    this.#owner.closed(this, reason2)
  }
  batches() {
    return this.#agreed?.codec.batches ?? false
  }
  errorsWithoutId() {
    return false
  }
  /** Nor are log lines that happen to be JSON. */
  answersForeign() {
    return false
  }
}
function assertParams(codec, method, params2, envelope2) {
  if (!codec.requests.client.has(method)) return
  try {
    if (envelope2 !== void 0 && params2._meta === envelope2) assertPlainParams(method, params2)
    else codec.decodeParams(method, params2)
  } catch (error) {
    throw new McpError('invalid_argument', toError2(error).message, { cause: error })
  }
}
var orNothing = (params2) => (Object.keys(params2).length === 0 ? void 0 : params2)
function toProgress({ progress, total, message }) {
  return { progress, ...(total !== void 0 && { total }), ...(message !== void 0 && { message }) }
}
var describeAbort = (cause) => (cause instanceof Error ? cause.message : String(cause))

// packages/sdk/src/client/negotiate.ts
init_errors()

// packages/sdk/src/http-client/era-evidence.ts
init_http_error()
var unrelated = /* @__PURE__ */ new Set([407, 408, 425, 429])
function isEraEvidence(error) {
  if (error.code === 'unauthorized') return false
  if (error.code !== 'http') return true
  return (
    isHttpError(error) &&
    (error.status < 300 || (error.status >= 400 && error.status < 500)) &&
    !unrelated.has(error.status)
  )
}

// packages/sdk/src/client/negotiate.ts
init_classify()

// packages/sdk/src/wire/server-info.ts
init_meta()
function serverInfoOf(result2) {
  const meta = isObject(result2._meta) ? result2._meta : {}
  const info = implementation(meta[metaKeys.serverInfo])
  return info instanceof Mismatch ? void 0 : info
}

// packages/sdk/src/client/negotiate.ts
async function negotiate(connection, plan) {
  const untried = new Set(plan.settings.revisions)
  let revision = plan.first
  let repeated = false
  while (true) {
    untried.delete(revision)
    const codec = codecFor(revision)
    connection.codec = codec
    const outcome = codec.handshake ? await initialize(connection, plan) : await discover(connection, plan)
    if (outcome.kind === 'agreed') {
      connection.agree(outcome.codec, outcome.server, declaredTo(outcome.codec, plan))
      if (outcome.codec.handshake) connection.notify('notifications/initialized')
      return
    }
    if (!repeated && outcome.kind === 'offers' && outcome.offers.includes(revision)) {
      repeated = true
      continue
    }
    const next = nextRevision(outcome, [...untried])
    if (next === void 0) throw failed(outcome, plan.settings.revisions)
    revision = next
  }
}
function declaredTo(codec, { settings, capabilities: capabilities2 }) {
  if (!codec.handshake) return capabilities2
  const params2 = { protocolVersion: codec.revision, capabilities: capabilities2, clientInfo: settings.info }
  return codec.decodeParams('initialize', codec.encodeParams('initialize', params2)).capabilities
}
function nextRevision(outcome, untried) {
  if (outcome.kind === 'legacy') return newestLegacy(untried)
  if (outcome.kind === 'refused') return untried.find((revision) => !isLegacy(revision))
  return untried.find((revision) => outcome.offers.includes(revision))
}
async function discover(connection, { settings, signal }) {
  const wait = { timeoutMs: settings.probeTimeoutMs, ...(signal && { signal }) }
  let result2
  try {
    result2 = await connection.call('server/discover', {}, wait)
  } catch (error) {
    return discoverFailed(error)
  }
  const offers = result2.supportedVersions
  const mutual = settings.revisions.find((revision) => !isLegacy(revision) && offers.includes(revision))
  if (mutual === void 0) return { kind: 'offers', offers, cause: void 0 }
  return { kind: 'agreed', codec: codecFor(mutual), server: describeDiscovered(result2, mutual) }
}
function discoverFailed(error) {
  if (isMcpError(error) && (error.code === 'closed' || error.code === 'cancelled' || !isEraEvidence(error))) throw error
  if (!isRpcError(error) || !isModernError(error)) return { kind: 'legacy', cause: error }
  const offers = offeredVersions(error)
  if (offers !== void 0) return { kind: 'offers', offers, cause: error }
  throw new McpError('negotiation', `The server refused server/discover: ${quote3(error)}`, { cause: error })
}
var modernCodes = /* @__PURE__ */ new Set([
  ErrorCode.UnsupportedProtocolVersion,
  ErrorCode.MissingRequiredClientCapability,
  ErrorCode.HeaderMismatch,
])
var isModernError = (error) => modernCodes.has(error.code)
var describeDiscovered = (result2, revision) => ({
  info: serverInfoOf(result2),
  capabilities: result2.capabilities,
  instructions: result2.instructions,
  revision,
})
async function initialize(connection, { settings, capabilities: capabilities2, signal }) {
  const params2 = { protocolVersion: connection.codec.revision, capabilities: capabilities2, clientInfo: settings.info }
  let result2
  try {
    result2 = await connection.ask('initialize', params2, signal ? { signal } : {})
    connection.codec.decodeResult('initialize', result2)
  } catch (error) {
    if (!isRpcError(error)) throw error
    const offers = offeredVersions(error)
    if (offers !== void 0) return { kind: 'offers', offers, cause: error }
    return { kind: 'refused', cause: error }
  }
  return readInitialized(result2, settings.revisions)
}
function readInitialized(result2, allowed) {
  const revision = result2.protocolVersion
  if (!isRevision(revision) || !isLegacy(revision) || !allowed.includes(revision)) {
    throw noCommon([String(revision)], allowed)
  }
  const codec = codecFor(revision)
  const { serverInfo, capabilities: capabilities2, instructions } = codec.decodeResult('initialize', result2)
  const server = {
    info: serverInfo,
    capabilities: capabilities2,
    instructions,
    revision,
  }
  return { kind: 'agreed', codec, server }
}
function offeredVersions({ data: data2 }) {
  if (!isObject(data2) || !Array.isArray(data2.supported)) return void 0
  return data2.supported.filter((version2) => typeof version2 === 'string')
}
function failed(outcome, allowed) {
  if (outcome.kind === 'offers') return noCommon(outcome.offers, allowed, outcome.cause)
  const { cause } = outcome
  if (outcome.kind === 'refused') {
    return new McpError('negotiation', `The server refused initialize: ${quote3(outcome.cause)}`, { cause })
  }
  const answer4 = cause instanceof Error ? cause.message : String(cause)
  return new McpError(
    'negotiation',
    `The server does not know server/discover (${answer4}), so it speaks a revision before 2026-07-28; this client allows only ${allowed.join(', ')}. Add an older one to \`revisions\` to connect.`,
    { cause },
  )
}
var noCommon = (theirs, ours, cause) =>
  new McpError(
    'negotiation',
    `No common protocol revision: the server speaks ${list(theirs)}, this client allows ${list(ours)}`,
    { cause },
  )
var list = (versions) => (versions.length === 0 ? 'none' : versions.join(', '))
var quote3 = (error) => `${error.message} (${error.code})`

// packages/sdk/src/client/establish.ts
async function establish(plan) {
  const { opener, known: known2, signal } = plan
  const { settings } = plan.owner
  const legacy = newestLegacy(settings.revisions)
  const first = known2 ?? (opener.verdict?.handshake() ? legacy : void 0) ?? settings.revisions[0]
  const attempt2 = await tryOnce(plan, first)
  if (attempt2 instanceof Connection) return attempt2
  const died = isMcpError(attempt2.error) && attempt2.error.code === 'closed' && !codecFor(first).handshake
  if (!died || !opener.reopenable || legacy === void 0 || signal?.aborted) throw attempt2.error
  const second = await tryOnce(plan, legacy)
  if (second instanceof Connection) return second
  throw second.error
}
async function tryOnce(plan, first) {
  const { opener, owner, capabilities: capabilities2, signal } = plan
  const { settings } = owner
  const channel = await openChannel(opener, signal)
  const connection = new Connection(channel, owner, codecFor(first))
  try {
    connection.peer.open()
    await negotiate(connection, { settings, capabilities: capabilities2, first, ...(signal && { signal }) })
    if (connection.ended !== void 0) throw connection.ended
    const { handshake } = connection.codec
    if (handshake !== codecFor(first).handshake) opener.verdict?.learn(handshake)
    return connection
  } catch (error) {
    await connection.peer.close()
    return { error: explain(error, connection.stray) }
  }
}
async function openChannel(opener, signal) {
  const opening = Promise.resolve(opener.open())
  try {
    return await unlessAborted('connect', opening, signal)
  } catch (error) {
    if (signal?.aborted) opening.then((channel) => channel.close()).catch(() => {})
    throw error
  }
}
function explain(error, stray) {
  if (!isMcpError(error) || (error.code !== 'timeout' && error.code !== 'closed')) return error
  const what = error.code === 'timeout' ? `The server did not complete the handshake: ${error.message}` : error.message
  const hint = stray === void 0 ? '' : `; what it sent was not understood: ${stray.message}`
  return what + hint === error.message ? error : new McpError(error.code, what + hint, { cause: error })
}

// packages/sdk/src/client/extensions.ts
init_errors()

// packages/sdk/src/schema/issues.ts
function formatIssues(issues, root) {
  return issues.map(({ path, message }) => `${path.reduce(addKey, root)}: ${message}`).join('; ')
}
var addKey = (path, key) => {
  if (typeof key === 'number') return `${path}[${key}]`
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`
}

// packages/sdk/src/client/extensions.ts
function extensionClient(extension, host) {
  const { id, declaredBy, methods } = extension
  if (declaredBy === 'both' && !host.declares(id)) {
    throw new McpError('invalid_argument', `extension ${id}: give it to connect, as extensions: [extension.use()]`)
  }
  const settings = () => {
    const { extensions } = host.server.capabilities
    return extensions !== void 0 && Object.hasOwn(extensions, id) ? extensions[id] : void 0
  }
  return {
    get settings() {
      return settings()
    },
    async request(method, params2, options = {}) {
      const schemas = methods.get(method)
      if (schemas === void 0) throw new McpError('invalid_argument', `extension ${id} has no method ${method}`)
      if (settings() === void 0) throw lacking(id, host.server)
      await checkParams(method, schemas, params2)
      return readResult2(method, schemas, await host.request(method, params2, options))
    },
  }
}
function lacking(id, { info }) {
  const who = info === void 0 ? 'The server' : `The server ${JSON.stringify(info.name)}`
  return new McpError('unsupported', `${who} did not declare the extension ${id}`)
}
async function checkParams(method, { params: params2 }, given) {
  const parsed2 = await params2?.parse(given)
  if (parsed2 === void 0 || parsed2.ok) return
  throw new McpError('invalid_argument', `${method} ${formatIssues(parsed2.issues, 'params')}`)
}
async function readResult2(method, schemas, answer4) {
  const { _meta, resultType, ...result2 } = answer4
  if (resultType !== void 0 && resultType !== 'complete') {
    const found = JSON.stringify(resultType).slice(0, 40)
    throw new McpError('invalid_result', `${method} result.resultType: expected "complete", got ${found}`)
  }
  const parsed2 = await schemas.result?.parse(result2)
  if (parsed2 === void 0) return result2
  if (parsed2.ok) return parsed2.value
  throw new McpError('invalid_result', `${method} ${formatIssues(parsed2.issues, 'result')}`)
}

// packages/sdk/src/client/input.ts
init_errors()

// packages/sdk/src/client/elicitation.ts
init_errors()
init_classify()

// packages/sdk/src/schema/elicitation-defaults.ts
init_value()
function applyDefaults(schema, content2) {
  const fields = Object.entries(isObject(schema.properties) ? schema.properties : {})
  const defaults = fields.filter(
    ([name, field2]) => isObject(field2) && own(field2, 'default') !== void 0 && own(content2, name) === void 0,
  )
  return Object.fromEntries([...Object.entries(content2), ...defaults.map(([name, field2]) => [name, field2.default])])
}

// packages/sdk/src/client/schema-checker.ts
var loaded
var canCheckSchemas = () => loaded !== void 0
async function loadSchemaChecks() {
  loaded = await Promise.resolve().then(() => (init_schema_engine(), schema_engine_exports))
}
function schemaChecker(schema, root, options = {}) {
  const compiled = loaded.compileSchema(schema, options)
  return (value) => {
    const issues = compiled.validate(value)
    return issues.length === 0 ? void 0 : formatIssues(issues, root)
  }
}

// packages/sdk/src/client/elicitation.ts
function prepareElicitation({ params: params2, context, connection }, { settings: { elicit }, elicitations }) {
  const { elicitation: declared } = connection.declared
  if (elicit === void 0 || declared === void 0) throw notFound('elicitation/create')
  const request2 = params2
  const mode2 = request2.mode ?? 'form'
  const handler = typeof elicit === 'function' ? elicit : elicit[mode2]
  if (handler === void 0 || declared[mode2] === void 0) throw undeclaredMode(mode2)
  const ask = async () => {
    const result2 = await handler(request2, context)
    assertAction(result2)
    return result2
  }
  return request2.mode === 'url' ? urlQuestion(request2, ask, elicitations) : formQuestion(request2, ask)
}
function formQuestion(request2, ask) {
  const check2 = formChecker(request2)
  return async () => {
    const result2 = await ask()
    return result2.action === 'accept' ? acceptForm(request2, result2, check2) : withoutContent(result2)
  }
}
function formChecker({ requestedSchema }) {
  try {
    return schemaChecker({ ...requestedSchema }, 'content', { formats: true })
  } catch (error) {
    const why = toError2(error).message
    throw new RpcError(ErrorCode.InvalidParams, `elicitation/create: requestedSchema cannot be used: ${why}`)
  }
}
function urlQuestion({ url: url3, elicitationId }, ask, elicitations) {
  if (!isWebUrl(url3)) {
    throw new RpcError(
      ErrorCode.InvalidParams,
      `elicitation/create params.url: expected an http(s) URL, got ${cut(url3)}`,
    )
  }
  return async () => {
    let accepted = false
    elicitations.add(elicitationId)
    try {
      const result2 = await ask()
      accepted = result2.action === 'accept'
      return withoutContent(result2)
    } finally {
      if (!accepted) elicitations.remove(elicitationId)
    }
  }
}
function acceptForm({ requestedSchema }, result2, check2) {
  const { content: content2 = {} } = result2
  if (!isObject(content2)) throw wrong(`.content: expected an object, got ${describe(content2)}`)
  const complete2 = applyDefaults(requestedSchema, withoutGaps(content2))
  const misfit = check2(complete2)
  if (misfit !== void 0) throw wrong(`, which does not fit the requested schema: ${misfit}`)
  assertPlain(complete2)
  return { ...result2, content: complete2 }
}
function assertPlain(content2) {
  const odd = Object.entries(content2).find(([, value2]) => !isPlain3(value2))
  if (odd === void 0) return
  const [name, value] = odd
  const expected = 'a string, a finite number, a boolean or an array of strings'
  throw wrong(`.content[${JSON.stringify(name)}]: expected ${expected}, got ${describe(value)}`)
}
var cut = (text2) => JSON.stringify(text2.slice(0, 40))
var isPlain3 = (value) =>
  typeof value === 'string' ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (Array.isArray(value) && value.every((item) => typeof item === 'string'))
var withoutContent = ({ content: _, ...result2 }) => result2
function assertAction(result2) {
  if (!isObject(result2)) throw wrong(`: expected an object, got ${describe(result2)}`)
  const { action } = result2
  if (action === 'accept' || action === 'decline' || action === 'cancel') return
  throw wrong(`.action: expected "accept", "decline" or "cancel", got ${JSON.stringify(action) ?? 'nothing'}`)
}
var wrong = (what) => new McpError('invalid_argument', `elicit returned a wrong result${what}`)
var undeclaredMode = (mode2) =>
  new RpcError(ErrorCode.InvalidParams, `elicitation/create: mode ${mode2} was not declared by this client`)

// packages/sdk/src/client/sampling.ts
init_errors()
function prepareSampling({ params: params2, context, connection }, { settings: { sample } }) {
  if (sample === void 0) throw notFound('sampling/createMessage')
  const request2 = params2
  const usesTools = request2.tools !== void 0 || request2.toolChoice !== void 0
  if (usesTools && connection.declared.sampling?.tools === void 0) {
    throw invalid('tools and toolChoice need the client capability sampling.tools, which was not declared')
  }
  assertToolBalance(request2.messages)
  const handler = typeof sample === 'function' ? sample : sample.handler
  return async () => {
    const result2 = await handler(request2, context)
    assertSampled(connection.codec, result2)
    if (!mayUseTools(request2)) assertNoToolUse(result2)
    return result2
  }
}
function assertToolBalance(messages) {
  let open = /* @__PURE__ */ new Set()
  for (const [index, { content: content2 }] of messages.entries()) {
    const blocks = Array.isArray(content2) ? content2 : [content2]
    const answered = new Set(blocks.flatMap((block2) => (block2.type === 'tool_result' ? [block2.toolUseId] : [])))
    if (answered.size > 0 && blocks.some(({ type: type2 }) => type2 !== 'tool_result')) {
      throw invalid(`messages[${index}] mixes tool results with other content`)
    }
    const missing = [...open].find((id) => !answered.has(id))
    if (missing !== void 0) throw invalid(`messages[${index}] lacks the result of tool use ${JSON.stringify(missing)}`)
    const stray = [...answered].find((id) => !open.has(id))
    if (stray !== void 0) throw invalid(`messages[${index}] answers the unknown tool use ${JSON.stringify(stray)}`)
    open = toolUses(blocks)
  }
  const [unanswered] = open
  if (unanswered !== void 0) throw invalid(`the result of tool use ${JSON.stringify(unanswered)} is missing`)
}
var toolUses = (blocks) => new Set(blocks.flatMap((block2) => (block2.type === 'tool_use' ? [block2.id] : [])))
var invalid = (why) => new RpcError(ErrorCode.InvalidParams, `sampling/createMessage: ${why}`)
function assertSampled(codec, result2) {
  try {
    codec.decodeResult('sampling/createMessage', result2)
  } catch (error) {
    throw wrong2(toError2(error).message)
  }
}
var mayUseTools = ({ tools: tools2, toolChoice }) =>
  tools2 !== void 0 && tools2.length > 0 && toolChoice?.mode !== 'none'
function assertNoToolUse({ content: content2 }) {
  const blocks = Array.isArray(content2) ? content2 : [content2]
  if (toolUses(blocks).size > 0) throw wrong2('content: a tool use, which the request does not allow')
}
var wrong2 = (why) => new McpError('invalid_argument', `sample returned a wrong result: ${why}`)

// packages/sdk/src/client/tasks/related-task.ts
init_classify()
init_meta()
function withRelatedTask(answer4, params2) {
  const meta = params2?._meta
  const related2 = isObject(meta) ? meta[metaKeys.relatedTask] : void 0
  if (!isObject(related2) || typeof related2.taskId !== 'string') return answer4
  const own2 = isObject(answer4._meta) ? answer4._meta : {}
  return { ...answer4, _meta: { ...own2, [metaKeys.relatedTask]: { taskId: related2.taskId } } }
}

// packages/sdk/src/client/input.ts
var preparations = /* @__PURE__ */ new Map([
  ['ping', () => async () => ({})],
  ['roots/list', (_, { roots }) => roots.prepare()],
  ['sampling/createMessage', prepareSampling],
  ['elicitation/create', prepareElicitation],
])
function prepareAnswer(method, params2, { connection, context }, sources) {
  const { codec } = connection
  const prepare2 = preparations.get(method)
  if (prepare2 === void 0) throw notFound(method)
  const ask = prepare2({ params: codec.decodeParams(method, params2), context, connection }, sources)
  return async () => codec.encodeResult(method, await ask())
}
function answerRequest(request2, connection, sources) {
  if (!isWatched('client.answer')) return answer2(request2, connection, sources)
  return watchAnswer(request2, connection.where, () => answer2(request2, connection, sources))
}
async function answer2(request2, connection, sources) {
  const { codec } = connection
  const { method } = request2
  if (!codec.handshake) throw withdrawForbidden(request2, connection, sources.settings)
  if (!codec.requests.server.has(method)) throw notFound(method)
  const context = inputContext(request2, connection)
  const answer4 = await prepareAnswer(method, request2.params, { connection, context }, sources)()
  return codec.tasks === void 0 ? answer4 : withRelatedTask(answer4, request2.params)
}
function inputContext(request2, { server }) {
  return {
    get signal() {
      return request2.signal
    },
    get trace() {
      return readTraceContext(request2.params?._meta)
    },
    revision: server.revision,
    serverInfo: server.info,
  }
}
function withdrawForbidden({ id, method }, { peer, codec }, settings) {
  const message = `The server sent the request ${method}, which servers of ${codec.revision} must not do; it gets no answer`
  peer.cancelIncoming(id, message)
  settings.report(new McpError('invalid_result', message))
  return notFound(method)
}

// packages/sdk/src/client/introduction.ts
init_errors()
init_meta()

// packages/sdk/src/client/capabilities.ts
init_errors()

// packages/sdk/src/extension/name.ts
var label = '[a-z](?:[a-z\\d-]*[a-z\\d])?'
var form2 = new RegExp(`^${label}(?:\\.${label})*/[a-z\\d](?:[\\w.-]*[a-z\\d])?$`, 'i')
function wrongExtensionName(names) {
  const wrong5 = names.find((name) => typeof name !== 'string' || !form2.test(name))
  if (wrong5 === void 0) return void 0
  return `expected a name with a prefix, such as "com.example/name", got ${JSON.stringify(wrong5)}`
}

// packages/sdk/src/client/capabilities.ts
function clientCapabilities3(options) {
  const { elicit, sample, roots, capabilities: capabilities2 } = options
  return {
    ...capabilities2,
    ...extensionsOf(options),
    ...(roots === void 0 ? {} : { roots: { listChanged: true } }),
    ...(sample === void 0 ? {} : { sampling: samplingCapability(sample) }),
    ...elicitationCapability(elicit),
  }
}
function extensionsOf({ capabilities: capabilities2, auth: auth2, extensions = [], tasks }) {
  const spelled = capabilities2?.extensions ?? {}
  const problem = wrongExtensionName(Object.keys(spelled))
  if (problem !== void 0) throw new McpError('invalid_argument', `capabilities.extensions: ${problem}`)
  const declared = {
    ...Object.fromEntries((auth2?.extensions ?? []).map((id) => [id, {}])),
    ...spelled,
    ...(tasks && { [tasksExtension]: {} }),
    ...Object.fromEntries(extensions.map(({ extension, settings }) => [extension.id, settings])),
  }
  return Object.keys(declared).length === 0 ? {} : { extensions: declared }
}
function samplingCapability(sample) {
  if (typeof sample === 'function') return {}
  return { ...(sample.tools ? { tools: {} } : {}), ...(sample.context ? { context: {} } : {}) }
}
function elicitationCapability(elicit) {
  if (elicit === void 0) return {}
  if (typeof elicit === 'function') return { elicitation: { form: {}, url: {} } }
  const modes = { ...(elicit.form ? { form: {} } : {}), ...(elicit.url ? { url: {} } : {}) }
  return Object.keys(modes).length === 0 ? {} : { elicitation: modes }
}
var need = (feature, met) => ({ feature, met })
var tools = need('tools', (has2) => has2.tools !== void 0)
var resources = need('resources', (has2) => has2.resources !== void 0)
var subscribe = need('resources.subscribe', (has2) => has2.resources?.subscribe === true)
var prompts = need('prompts', (has2) => has2.prompts !== void 0)
var needs2 = /* @__PURE__ */ new Map([
  ['tools/list', tools],
  ['tools/call', tools],
  ['resources/list', resources],
  ['resources/templates/list', resources],
  ['resources/read', resources],
  ['resources/subscribe', subscribe],
  ['resources/unsubscribe', subscribe],
  ['prompts/list', prompts],
  ['prompts/get', prompts],
  ['completion/complete', need('completions', (has2) => has2.completions !== void 0)],
  ['logging/setLevel', need('logging', (has2) => has2.logging !== void 0)],
])
function assertSupported(method, server, codec) {
  if (!codec.requests.client.has(method)) {
    throw new McpError('unsupported', `${method} does not exist in revision ${codec.revision}`)
  }
  const missing = needs2.get(method)
  if (missing === void 0 || missing.met(server.capabilities)) return
  const who = server.info === void 0 ? 'The server' : `The server ${JSON.stringify(server.info.name)}`
  throw new McpError('unsupported', `${who} did not declare the capability ${missing.feature}, which ${method} needs`)
}

// packages/sdk/src/client/introduction.ts
var Introduction = class {
  capabilities
  #withTasks
  #settings
  #logLevel
  // All requests of a connection say the same, so it is made and looked at once.
  #plain
  #ofTasks
  constructor(settings) {
    this.#settings = settings
    this.capabilities = clientCapabilities3(settings)
    this.#withTasks = clientCapabilities3({ ...settings, tasks: true })
  }
  get logLevel() {
    return this.#logLevel
  }
  set logLevel(level) {
    this.#logLevel = level
    this.#plain = void 0
    this.#ofTasks = void 0
  }
  /** Members of `_meta` that belong into every request; undefined where a handshake said it all. */
  envelope(codec, usesTasks) {
    if (codec.handshake) return void 0
    if (usesTasks) {
      if (this.#ofTasks?.codec !== codec) this.#ofTasks = this.#make(codec, this.#withTasks)
      return this.#ofTasks.envelope
    }
    if (this.#plain?.codec !== codec) this.#plain = this.#make(codec, this.capabilities)
    return this.#plain.envelope
  }
  #make(codec, capabilities2) {
    const meta = {
      [metaKeys.protocolVersion]: codec.revision,
      [metaKeys.clientCapabilities]: capabilities2,
      [metaKeys.clientInfo]: this.#settings.info,
      ...(this.#logLevel === void 0 ? {} : { [metaKeys.logLevel]: this.#logLevel }),
    }
    const method = 'server/discover'
    const encoded = codec.encodeParams(method, { _meta: meta })
    try {
      codec.decodeParams(method, encoded)
    } catch (error) {
      throw new McpError('invalid_argument', toError2(error).message, { cause: error })
    }
    return { codec, envelope: encoded._meta }
  }
}

// packages/sdk/src/client/lifeline.ts
init_errors()
var restartDefaults = { maxAttempts: 5, backoffMs: 250, stableMs: 3e4 }
var Lifeline = class {
  /** Resolves with the reason once the client is closed for good. */
  closed
  #resolveClosed = () => {}
  #hooks
  #restart
  #stop = new AbortController()
  #current
  #latest
  #reconnecting
  #end
  /** Done when the connection before is gone with all it held, such as its process. */
  #leaving = Promise.resolve()
  #attempts = 0
  #since = 0
  constructor(hooks, restart) {
    this.#hooks = hooks
    this.#restart = restart && { ...restartDefaults, ...restart }
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve
    })
  }
  async start() {
    this.#use(await this.#hooks.establish())
  }
  /** The connection in use, or the last one that was. */
  get latest() {
    return this.#latest
  }
  /** Why the client is closed for good, if it is. */
  get ended() {
    return this.#end
  }
  /** The connection for the next message; a promise only while a new one is being made. */
  current(signal) {
    if (this.#current !== void 0) return this.#current
    if (this.#reconnecting !== void 0) return unlessAborted('The call', this.#reconnecting, signal)
    throw new McpError('closed', this.#end?.message ?? 'The client is not connected', { cause: this.#end })
  }
  /** To be called when a connection ends; those that never came into use do not count. */
  lost(connection, reason2) {
    if (connection !== this.#current) return
    this.#current = void 0
    this.#leaving = connection.peer.close().catch((error) => this.#hooks.report(toError2(error)))
    if (this.#restart === void 0 || this.#end !== void 0) {
      this.#finish(reason2)
      return
    }
    this.#reconnecting = this.#reconnect(reason2, this.#restart)
    this.#reconnecting.catch(() => {})
  }
  /**
   * The connection that takes the place of one whose session the server has forgotten. Whoever asks meanwhile waits for
   * the same one; if it cannot be made, the next who asks tries again.
   */
  renew(connection) {
    if (connection !== this.#current) return this.current()
    this.#current = void 0
    this.#reconnecting = this.#replace(connection)
    this.#reconnecting.catch(() => {})
    return this.#reconnecting
  }
  async #replace(old) {
    try {
      const connection = await this.#hooks.establish(old.server.revision, this.#stop.signal)
      this.#leaving = this.#retire(old)
      if (this.#end !== void 0) {
        await connection.peer.close()
        throw this.#end
      }
      this.#reconnecting = void 0
      this.#use(connection)
      this.#hooks.restored(connection, 'session')
      return connection
    } catch (error) {
      this.#reconnecting = void 0
      if (this.#end === void 0) this.#current = old
      else await old.peer.close()
      throw error
    }
  }
  /** Other calls may still hear that their session is gone, and then may be sent again: they are not cut off. */
  async #retire(connection) {
    const { signal } = this.#stop
    while (connection.peer.inFlight.outgoing > 0 && !signal.aborted) await pause(250, signal)
    await connection.peer.close()
  }
  async close() {
    const connection = this.#current
    this.#finish(new McpError('closed', 'The client was closed'))
    this.#current = void 0
    await connection?.peer.close()
    await this.#leaving
    await this.#reconnecting?.catch(() => {})
  }
  #use(connection) {
    this.#current = connection
    this.#latest = connection
    this.#since = Date.now()
    if (connection.ended !== void 0) this.lost(connection, connection.ended)
  }
  #finish(reason2) {
    if (this.#end !== void 0) return
    this.#end = reason2
    this.#stop.abort(reason2)
    this.#resolveClosed(reason2)
  }
  async #reconnect(reason2, restart) {
    if (Date.now() - this.#since >= restart.stableMs) this.#attempts = 0
    let last = reason2
    await this.#leaving
    while (this.#attempts < restart.maxAttempts) {
      const connection = await this.#attempt(restart.backoffMs)
      if (!(connection instanceof Error)) return connection
      if (this.#end !== void 0) throw this.#end
      last = connection
    }
    const tries = `${restart.maxAttempts} attempts`
    const end = new McpError('closed', `The server could not be kept running in ${tries}: ${last.message}`, {
      cause: last,
    })
    this.#finish(end)
    throw end
  }
  async #attempt(backoffMs2) {
    this.#attempts += 1
    if (this.#attempts > 1) await pause(backoffMs2 * 2 ** (this.#attempts - 2), this.#stop.signal)
    if (this.#end !== void 0) return this.#end
    try {
      const connection = await this.#hooks.establish(this.latest.server.revision, this.#stop.signal)
      if (this.#end !== void 0) {
        await connection.peer.close()
        return this.#end
      }
      if (connection.ended !== void 0) return connection.ended
      this.#reconnecting = void 0
      this.#use(connection)
      this.#hooks.restored(connection, 'restart')
      return connection
    } catch (error) {
      this.#hooks.report(toError2(error))
      return toError2(error)
    }
  }
}
function pause(ms, signal) {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer2)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer2 = setTimeout(done, ms)
    if (signal.aborted) done()
    else signal.addEventListener('abort', done)
  })
}

// packages/sdk/src/client/lists.ts
init_errors()
async function* allItems(listing, maxPages) {
  const known2 = /* @__PURE__ */ new Set()
  const missing = (item) => !known2.has(listing.id(item))
  try {
    for await (const item of eachItem(listing, maxPages)) {
      known2.add(listing.id(item))
      yield item
    }
  } catch (error) {
    if (!(error instanceof CursorRefused)) throw error
    try {
      for await (const item of eachItem(listing, maxPages)) if (missing(item)) yield item
    } catch (second) {
      throw second instanceof CursorRefused ? second.cause : second
    }
  }
}
var CursorRefused = class extends Error {}
async function* eachItem({ name, fetch: fetch2, items: items3 }, maxPages) {
  const seen = /* @__PURE__ */ new Set()
  let cursor
  for (let pages = 0; pages < maxPages; pages++) {
    const page2 = await fetch2(cursor).catch((error) => {
      const refused2 = cursor !== void 0 && isRpcError(error) && error.code === ErrorCode.InvalidParams
      throw refused2 ? new CursorRefused('', { cause: error }) : error
    })
    yield* items3(page2)
    cursor = page2.nextCursor
    if (cursor === void 0) return
    if (seen.has(cursor)) throw loop(name, cursor)
    seen.add(cursor)
  }
  throw new McpError('invalid_result', `The list of ${name} has more than ${maxPages} pages`)
}
var loop = (name, cursor) =>
  new McpError('invalid_result', `The list of ${name} does not end: cursor ${JSON.stringify(cursor)} came twice`)

// packages/sdk/src/client/news.ts
init_errors()
init_http_options()

// packages/sdk/src/client/changes.ts
var Changes = class {
  #listeners = /* @__PURE__ */ new Map()
  #report
  constructor(report) {
    this.#report = report
  }
  /** Adds a listener; the returned function removes it. */
  on(kind, listener) {
    const entry = () => listener()
    const listeners2 = this.#listeners.get(kind) ?? /* @__PURE__ */ new Set()
    this.#listeners.set(kind, listeners2.add(entry))
    return () => {
      listeners2.delete(entry)
    }
  }
  /** The lists that somebody wants to know of. */
  get kinds() {
    return [...this.#listeners].flatMap(([kind, listeners2]) => (listeners2.size > 0 ? [kind] : []))
  }
  emit(kind) {
    for (const listener of [...(this.#listeners.get(kind) ?? [])]) callListener(this.#report, listener, void 0)
  }
}

// packages/sdk/src/client/listening/listening.ts
init_errors()
init_backoff()
init_meta()

// packages/sdk/src/client/listening/handover.ts
var lingerMs = 250
var Handover = class {
  old
  #late = /* @__PURE__ */ new Map()
  #told = /* @__PURE__ */ new Set()
  #timer
  constructor(old, done) {
    this.old = old
    this.#timer = setTimeout(() => {
      this.finish()
      done()
    }, lingerMs)
  }
  /** The old stream says something. */
  late(news, deliver) {
    this.#late.set(news, deliver)
  }
  /** The new stream says something. */
  told(news) {
    this.#told.add(news)
  }
  finish() {
    this.abandon()
    for (const [news, deliver] of this.#late) if (!this.#told.has(news)) deliver()
    this.#late.clear()
  }
  /** Ends it without another word. */
  abandon() {
    clearTimeout(this.#timer)
    this.old.close()
  }
}

// packages/sdk/src/client/listening/listen-stream.ts
init_errors()

// packages/sdk/src/client/listening/wishes.ts
var wish = (field2, value) => (value === void 0 ? field2 : `${field2} ${value}`)
var isField = (each) => !each.includes(' ')
function filterOf(wishes) {
  const filter = /* @__PURE__ */ new Map()
  for (const each of wishes) {
    const space = each.indexOf(' ')
    if (space < 0) filter.set(each, true)
    else add(filter, each.slice(0, space), each.slice(space + 1))
  }
  return Object.fromEntries(filter)
}
function add(filter, field2, value) {
  const values = filter.get(field2)
  if (Array.isArray(values)) values.push(value)
  else filter.set(field2, [value])
}
function granted(filter, asked) {
  const said = Object.entries(filter).flatMap(([field2, value]) => {
    if (value === true) return [field2]
    return Array.isArray(value)
      ? value.filter((each) => typeof each === 'string').map((each) => wish(field2, each))
      : []
  })
  return new Set(said.filter((each) => asked.has(each)))
}

// packages/sdk/src/client/listening/listen-stream.ts
var longestTimer = 2 ** 31 - 1
var ListenStream = class {
  connection
  asked
  /** What the server said it would tell; undefined until then. */
  honoured
  acknowledgedAt = 0
  /** Rejects if the server never does. */
  acknowledged
  /** Resolves when nothing more will come: with nothing if the server ended it in order, or with what went wrong. */
  ended
  #id
  #stop = new AbortController()
  #acknowledge
  constructor(connection, asked, patienceMs) {
    this.connection = connection
    this.asked = asked
    this.#id = connection.peer.reserveId()
    this.ended = connection.listen(this.#id, { notifications: filterOf(asked) }, this.#stop.signal).then(
      () => void 0,
      (error) => toError2(error),
    )
    this.acknowledged = new Promise((resolve, reject) => {
      const timer2 = setTimeout(
        () => {
          reject(new McpError('timeout', `subscriptions/listen was not acknowledged within ${patienceMs} ms`))
          this.close()
        },
        Math.min(patienceMs, longestTimer),
      )
      this.#acknowledge = () => {
        clearTimeout(timer2)
        resolve()
      }
      void this.ended.then((error) => {
        clearTimeout(timer2)
        reject(error ?? new McpError('closed', 'The server ended subscriptions/listen before it acknowledged it'))
      })
    })
    this.acknowledged.catch(() => {})
  }
  /** Whether an id is the one of this stream; some servers return the integer 7 as "7". */
  isNamed(id, connection) {
    return connection === this.connection && (id === this.#id || id === String(this.#id))
  }
  /** Whether an id is the one of a stream that was opened before this one on the same connection. */
  follows(id, connection) {
    const number2 = typeof id === 'string' ? Number(id) : id
    return (
      connection === this.connection && Number.isInteger(number2) && Number(number2) <= this.#id && Number(number2) > 0
    )
  }
  /** False if it was before, or nobody wants to hear it any more. */
  acknowledge(filter) {
    if (this.honoured !== void 0 || this.#stop.signal.aborted) return false
    this.honoured = granted(filter, this.asked)
    this.acknowledgedAt = performance.now()
    this.#acknowledge()
    return true
  }
  /** Whether it tells all that is wanted, as far as the server does, and nothing else. */
  covers(wanted2) {
    for (const each of wanted2) if (!this.asked.has(each)) return false
    for (const each of this.honoured ?? []) if (!wanted2.has(each)) return false
    return true
  }
  /** The server ended it without an answer. */
  cancelled() {
    this.connection.peer.failed(this.#id, new McpError('closed', 'The server cancelled subscriptions/listen'))
  }
  close() {
    this.#stop.abort('it is not needed any more')
  }
}

// packages/sdk/src/client/listening/listening.ts
var finalCodes = /* @__PURE__ */ new Set([
  ErrorCode.MethodNotFound,
  ErrorCode.InvalidParams,
  ErrorCode.InvalidRequest,
  ErrorCode.MissingRequiredClientCapability,
  ErrorCode.UnsupportedProtocolVersion,
])
var isFinal = (error) => isRpcError(error) && finalCodes.has(error.code)
var Listening = class {
  #hooks
  #limits
  #values = /* @__PURE__ */ new Set()
  #open = /* @__PURE__ */ new Set()
  #warned = /* @__PURE__ */ new Set()
  #current
  /** The one that was opened last. */
  #latest
  #handover
  /** The adjustment that has not begun, and will take everything that is wanted by then. */
  #next
  #last = Promise.resolve()
  #retry
  #attempts = 0
  #missing = false
  #closed = false
  constructor(hooks, limits) {
    this.#hooks = hooks
    this.#limits = limits
  }
  /** Asks for a value in a field of the filter; done when the server has agreed to it. */
  async subscribe(field2, value) {
    const wanted2 = wish(field2, value)
    this.#values.add(wanted2)
    try {
      const stream = await this.#adjusted()
      if (stream?.honoured?.has(wanted2)) return
      throw new McpError('unsupported', `The server does not announce changes of ${value}`)
    } catch (error) {
      this.#values.delete(wanted2)
      void this.refresh()
      throw isUnknownMethod(error) ? new McpError('unsupported', toError2(error).message, { cause: error }) : error
    }
  }
  async unsubscribe(field2, value) {
    this.#values.delete(wish(field2, value))
    await this.refresh()
  }
  /** Something else may be wanted; done when the server knows, or cannot be told. */
  async refresh() {
    await this.#adjusted().catch(() => {})
  }
  /** There is a new connection, which knows of nothing. */
  renew(handshake) {
    this.#warned.clear()
    if (handshake) this.#values.clear()
    this.#attempts = 0
    void this.refresh()
  }
  /** Nothing stays open, and nothing is opened any more. */
  close() {
    this.#closed = true
    this.#silence()
  }
  // What the server says
  acknowledged(params2, connection) {
    const stream = this.#named(params2, connection)
    if (stream === void 0) this.#stray('notifications/subscriptions/acknowledged', params2, connection)
    else if (stream.acknowledge(params2.notifications)) this.#use(stream)
  }
  /** The server ended a stream, if it was one; it may end nothing else this way. */
  cancelled(id, connection) {
    for (const stream of this.#open) if (stream.isNamed(id, connection)) stream.cancelled()
  }
  /** Hands on what a stream says, if it is the one that is listened to. */
  told(method, params2, connection, deliver) {
    const stream = this.#named(params2, connection)
    const news = `${method} ${String(params2.uri)}`
    if (stream === void 0 || stream.honoured === void 0) this.#stray(method, params2, connection)
    else if (stream === this.#handover?.old) this.#handover.late(news, deliver)
    else {
      this.#handover?.told(news)
      deliver()
    }
  }
  #named(params2, connection) {
    const id = subscriptionOf(params2)
    for (const stream of this.#open) if (stream.isNamed(id, connection)) return stream
    return void 0
  }
  #stray(method, params2, connection) {
    if (this.#latest?.follows(subscriptionOf(params2), connection)) return
    this.#hooks.warn(`${method} came for no subscription of this client, and is ignored`)
  }
  // Adjusting
  #adjusted() {
    this.#next ??= this.#last.then(nextTurn).then(() => {
      this.#next = void 0
      const round = this.#adjust()
      this.#last = round.catch(() => {})
      return round
    })
    return this.#next
  }
  async #adjust() {
    clearTimeout(this.#retry)
    if (this.#closed) throw new McpError('closed', 'The client was closed')
    const connection = await this.#hooks.connection()
    const wanted2 = this.#wanted(connection)
    const current = this.#current?.connection === connection ? this.#current : void 0
    if (wanted2.size === 0) this.#silence()
    else if (current === void 0 || !current.covers(wanted2)) return this.#listen(connection, wanted2)
    return this.#current
  }
  #wanted(connection) {
    if (connection.codec.handshake) return /* @__PURE__ */ new Set()
    return /* @__PURE__ */ new Set([...this.#hooks.fields(connection), ...this.#values])
  }
  async #listen(connection, wanted2) {
    const stream = new ListenStream(connection, wanted2, this.#limits.patienceMs)
    this.#open.add(stream)
    this.#latest = stream
    void stream.ended.then((error) => this.#lost(stream, error))
    try {
      await stream.acknowledged
    } catch (error) {
      this.#failed(stream, toError2(error))
      throw error
    }
    return stream
  }
  #use(stream) {
    this.#handover?.finish()
    this.#handover = void 0
    const old = this.#current
    this.#current = stream
    if (old !== void 0) {
      this.#handover = new Handover(old, () => {
        this.#handover = void 0
      })
    }
    this.#warnOfUnheard(stream)
    if (!this.#missing) return
    this.#missing = false
    this.#hooks.missed()
  }
  #warnOfUnheard({ asked, honoured }) {
    for (const each of asked) {
      const known2 = this.#missing || isField(each)
      if (!known2 || honoured.has(each) || this.#warned.has(each)) continue
      this.#warned.add(each)
      this.#hooks.warn(`The server does not announce ${each}`)
    }
  }
  /** Nothing is wanted. */
  #silence() {
    clearTimeout(this.#retry)
    this.#handover?.abandon()
    this.#handover = void 0
    this.#current = void 0
    this.#missing = false
    for (const stream of this.#open) stream.close()
  }
  // Trying again
  #lost(stream, error) {
    this.#open.delete(stream)
    if (stream !== this.#current) return
    this.#current = void 0
    this.#missing = true
    const { maxReconnectMs } = this.#limits
    if (performance.now() - stream.acknowledgedAt > maxReconnectMs) this.#attempts = 0
    this.#tryAgain(error?.message ?? 'the server ended it')
  }
  #failed({ asked }, error) {
    if (!isFinal(error)) this.#tryAgain(error.message)
    else if ([...asked].some(isField)) this.#hooks.warn(`The server refused subscriptions/listen: ${error.message}`)
  }
  #tryAgain(why) {
    if (this.#closed) return
    const { reconnectMs, maxReconnectMs } = this.#limits
    const delayMs = backoffMs(++this.#attempts, reconnectMs, maxReconnectMs)
    this.#hooks.report(new McpError('closed', `subscriptions/listen is opened again in ${delayMs} ms: ${why}`))
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.refresh(), delayMs)
  }
}
var nextTurn = () => new Promise((resolve) => setTimeout(resolve))
var subscriptionOf = ({ _meta }) => _meta?.[metaKeys.subscriptionId]
var isUnknownMethod = (error) => isRpcError(error) && error.code === ErrorCode.MethodNotFound

// packages/sdk/src/client/watches.ts
var Subscription = class {
  listeners = /* @__PURE__ */ new Set()
  /** What the server was told last, or is being told. */
  subscribed = false
  /** Subscribing and unsubscribing one after the other: two of them in flight at once could swap. */
  #queue = Promise.resolve()
  /** Brings the server to the state that the listeners ask for by then. */
  settle(uri, wire) {
    const step = this.#queue.then(async () => {
      const wanted2 = this.listeners.size > 0
      if (wanted2 === this.subscribed) return
      await (wanted2 ? wire.subscribe(uri) : wire.unsubscribe(uri))
      this.subscribed = wanted2
    })
    this.#queue = step.catch(() => {})
    return step
  }
}
var Watches = class {
  #subscriptions = /* @__PURE__ */ new Map()
  #wire
  /** The length of the longest URI so far: a server may send one of a million slashes. */
  #longest = 0
  constructor(wire) {
    this.#wire = wire
  }
  async add(uri, listener) {
    const entry = (update) => listener(update)
    const subscription = this.#subscriptions.get(uri) ?? new Subscription()
    this.#subscriptions.set(uri, subscription)
    this.#longest = Math.max(this.#longest, uri.length)
    subscription.listeners.add(entry)
    try {
      await subscription.settle(uri, this.#wire)
    } catch (error) {
      subscription.listeners.delete(entry)
      this.#forget(uri, subscription)
      throw error
    }
    let closing
    const close = () => {
      closing ??= this.#remove(uri, subscription, entry)
      return closing
    }
    return { uri, close, [Symbol.asyncDispose]: close }
  }
  /** Delivers an update to the watches of the resource and of what it is part of. */
  updated(update) {
    for (const uri of withParents(update.uri, this.#longest)) {
      const listeners2 = this.#subscriptions.get(uri)?.listeners ?? []
      for (const listener of [...listeners2]) callListener(this.#wire.report, listener, update)
    }
  }
  /** Anything may have happened to the resources while nobody told. */
  missed() {
    for (const [uri, { listeners: listeners2 }] of this.#subscriptions) {
      for (const listener of [...listeners2]) callListener(this.#wire.report, listener, { uri })
    }
  }
  /** A new server knows nothing of the subscriptions: tells it, of all at once. */
  async renew() {
    const renewals = [...this.#subscriptions].map(([uri, subscription]) => {
      subscription.subscribed = false
      return subscription.settle(uri, this.#wire).catch((error) => this.#wire.report(toError2(error)))
    })
    await Promise.all(renewals)
  }
  async #remove(uri, subscription, entry) {
    subscription.listeners.delete(entry)
    try {
      await subscription.settle(uri, this.#wire)
    } catch (error) {
      this.#wire.report(toError2(error))
    } finally {
      this.#forget(uri, subscription)
    }
  }
  #forget(uri, subscription) {
    if (subscription.listeners.size === 0 && this.#subscriptions.get(uri) === subscription)
      this.#subscriptions.delete(uri)
  }
}
function* withParents(uri, longest) {
  yield uri
  for (let slash = uri.lastIndexOf('/', longest); slash > 0; slash = uri.lastIndexOf('/', slash - 1)) {
    if (slash + 1 < uri.length) yield uri.slice(0, slash + 1)
    yield uri.slice(0, slash)
  }
}

// packages/sdk/src/client/news.ts
var kinds = ['tools', 'resources', 'prompts']
var field = 'resourceSubscriptions'
var News = class {
  changes
  watches
  listening
  #hooks
  constructor(hooks) {
    const { report, warn, peer, httpLimits } = hooks.settings
    const { reconnectMs, maxReconnectMs } = { ...httpDefaults, ...httpLimits }
    this.#hooks = hooks
    this.changes = new Changes(report)
    this.watches = new Watches({
      subscribe: (uri) => this.#subscribe(uri),
      unsubscribe: (uri) => this.#unsubscribe(uri),
      report,
    })
    this.listening = new Listening(
      {
        connection: () => hooks.connection(),
        fields: (connection) => this.#fields(connection),
        missed: () => this.missed(),
        report,
        warn,
      },
      { patienceMs: peer.timeoutMs, reconnectMs, maxReconnectMs },
    )
  }
  onChange(kind, listener, { codec, server }) {
    const stop2 = this.changes.on(kind, listener)
    const announces = codec.handshake ? server.capabilities[kind]?.listChanged === true : server.capabilities[kind]
    if (!announces) this.#hooks.settings.warn(`onChange(${JSON.stringify(kind)}): the server announces no such changes`)
    if (!codec.handshake) void this.listening.refresh()
    return () => {
      stop2()
      if (!codec.handshake) void this.listening.refresh()
    }
  }
  /** A new server process, or a new session, knows nothing. */
  async renew({ codec }) {
    this.listening.renew(codec.handshake)
    const renewed = this.watches.renew()
    if (codec.handshake) this.missed()
    await renewed
  }
  /** Nobody told what changed for some time. */
  missed() {
    this.#hooks.forget()
    for (const kind of kinds) this.changes.emit(kind)
    this.watches.missed()
  }
  close() {
    this.listening.close()
  }
  async #subscribe(uri) {
    const { codec, server } = await this.#hooks.connection()
    if (codec.handshake) return this.#hooks.call('resources/subscribe', { uri })
    if (server.capabilities.resources !== void 0) return this.listening.subscribe(field, uri)
    throw new McpError(
      'unsupported',
      `The server did not declare the capability resources, which watching ${uri} needs`,
    )
  }
  async #unsubscribe(uri) {
    const { codec } = await this.#hooks.connection()
    return codec.handshake ? this.#hooks.call('resources/unsubscribe', { uri }) : this.listening.unsubscribe(field, uri)
  }
  /** A server without a feature has no list of it that could change. */
  #fields({ server }) {
    const offered = this.changes.kinds.filter((kind) => server.capabilities[kind] !== void 0)
    return offered.map((kind) => `${kind}ListChanged`)
  }
}

// packages/sdk/src/client/notifications.ts
var listChanged = (kind) => (_, sinks) => {
  sinks.changed(kind)
  sinks.news.changes.emit(kind)
}
var handlers = /* @__PURE__ */ new Map([
  ['notifications/cancelled', cancelled],
  ['notifications/progress', progressed],
  ['notifications/message', logged],
  ['notifications/resources/updated', resourceUpdated],
  ['notifications/tools/list_changed', listChanged('tools')],
  ['notifications/resources/list_changed', listChanged('resources')],
  ['notifications/prompts/list_changed', listChanged('prompts')],
  ['notifications/elicitation/complete', elicitationComplete],
  ['notifications/subscriptions/acknowledged', acknowledged2],
  ['notifications/tasks/status', taskChanged],
  ['notifications/tasks', taskChanged],
])
var subscribed = /* @__PURE__ */ new Set([
  'notifications/resources/updated',
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/prompts/list_changed',
])
function dispatchNotification(message, connection, sinks) {
  const { settings } = sinks
  callListener(settings.report, settings.onNotification, message)
  const handle = handlers.get(message.method)
  if (handle === void 0 || !connection.codec.notifications.server.has(message.method)) return
  const params2 = connection.codec.decodeParams(message.method, message.params ?? void 0)
  if (connection.codec.handshake || !subscribed.has(message.method)) handle(params2, sinks, connection)
  else sinks.news.listening.told(message.method, params2, connection, () => handle(params2, sinks, connection))
}
function acknowledged2(params2, { news }, connection) {
  news.listening.acknowledged(params2, connection)
}
function resourceUpdated({ uri }, sinks) {
  sinks.updated(uri)
  sinks.news.watches.updated({ uri })
}
function taskChanged(task, sinks) {
  sinks.taskChanged(task)
}
function cancelled({ requestId, reason: reason2 }, { news }, connection) {
  if (requestId === void 0) return
  news.listening.cancelled(requestId, connection)
  connection.peer.cancelIncoming(requestId, reason2 ?? 'The server cancelled the request')
}
function progressed(params2, _, connection) {
  connection.progressed(params2.progressToken, params2)
}
function logged({ level, logger, data: data2 }, { settings }) {
  const message = { level, data: data2, ...(logger === void 0 ? {} : { logger }) }
  callListener(settings.report, settings.onLog, message)
}
function elicitationComplete({ elicitationId }, { settings, elicitations }) {
  const id = elicitationId
  if (elicitations.complete(id)) callListener(settings.report, settings.onElicitationComplete, id)
}

// packages/sdk/src/client/requests.ts
init_errors()

// packages/sdk/src/client/rounds.ts
init_errors()

// packages/sdk/src/client/questions.ts
init_errors()
async function answerAll(questions, asking, sources) {
  const prepared2 = questions.map(([key, question]) => [key, prepare(key, question, asking, sources)])
  return Object.fromEntries(await Promise.all(prepared2.map(async ([key, ask]) => [key, await ask()])))
}
function assertFew(count, method, { settings }) {
  const { maxIncoming } = settings.peer
  if (count <= maxIncoming) return
  throw new McpError('invalid_result', `${method} asked for ${count} inputs at once, the limit is ${maxIncoming}`)
}
var capabilities = /* @__PURE__ */ new Map([
  ['roots/list', 'roots'],
  ['sampling/createMessage', 'sampling'],
  ['elicitation/create', 'elicitation'],
])
function prepare(key, { method, params: params2 }, { connection, method: caller, signal }, sources) {
  const { server, declared } = connection
  const where = `${caller} result.inputRequests[${JSON.stringify(key.slice(0, 40))}]`
  const capability = capabilities.get(method)
  if (capability === void 0 || declared[capability] === void 0) {
    const what = JSON.stringify(method.slice(0, 40))
    throw new McpError('invalid_result', `${where} asks for ${what}, which this client did not declare`)
  }
  const context = { signal, revision: server.revision, serverInfo: server.info }
  const ask = prepared(where, () => prepareAnswer(method, params2, { connection, context }, sources))
  return async () => {
    try {
      return await ask()
    } catch (error) {
      throw failure(caller, method, error)
    }
  }
}
function prepared(where, prepare2) {
  try {
    return prepare2()
  } catch (error) {
    if (!isRpcError(error)) throw error
    throw new McpError('invalid_result', `${where} cannot be answered: ${error.message}`, { cause: error })
  }
}
function failure(caller, method, thrown) {
  if (isOwnRpcError(thrown)) return thrown
  const why = toError2(thrown).message
  return new McpError('invalid_argument', `${caller} cannot go on, because the answer to ${method} failed: ${why}`, {
    cause: thrown,
  })
}

// packages/sdk/src/client/while-wanted.ts
init_errors()
var longestTimer2 = 2 ** 31 - 1
async function whileWanted(wanted2, work) {
  const { method, signal, ending, remainingMs: remainingMs2 } = wanted2
  const stop2 = new AbortController()
  const cancelled3 = () => stop2.abort(new McpError('cancelled', `${method} was cancelled`, { cause: signal?.reason }))
  const ended = () => stop2.abort(ending.reason)
  const expired = () => stop2.abort(new McpError('timeout', `${method} was not complete within the maximum total time`))
  if (signal?.aborted) cancelled3()
  if (ending.aborted) ended()
  stop2.signal.throwIfAborted()
  const timer2 = remainingMs2 <= longestTimer2 ? setTimeout(expired, remainingMs2) : void 0
  signal?.addEventListener('abort', cancelled3)
  ending.addEventListener('abort', ended)
  try {
    const stopped = new Promise((_, reject) => {
      stop2.signal.addEventListener('abort', () => reject(stop2.signal.reason))
    })
    return await Promise.race([work(stop2.signal), stopped])
  } catch (error) {
    stop2.abort(error)
    throw error
  } finally {
    clearTimeout(timer2)
    signal?.removeEventListener('abort', cancelled3)
    ending.removeEventListener('abort', ended)
  }
}

// packages/sdk/src/client/rounds.ts
async function untilComplete(first, exchange, sources) {
  const { connection, method, options } = exchange
  const { maxRounds } = sources.settings
  const { inputResponses: _, requestState: __, ...original } = exchange.params
  let result2 = first
  let pauses = 0
  for (let round = 1; result2.resultType === 'input_required'; round++) {
    if (round > maxRounds)
      throw new McpError('invalid_result', `${method} asked for input more than ${maxRounds} times`)
    const { inputRequests, requestState } = result2
    if (inputRequests === void 0 && requestState === void 0) throw nothingAsked(method)
    const questions = Object.entries(inputRequests ?? {})
    if (questions.length === 0) await pause2(pauses++, exchange, sources)
    const answers = await answer3(questions, exchange, sources)
    const retry2 = {
      ...original,
      ...(inputRequests === void 0 ? {} : { inputResponses: answers }),
      ...(requestState === void 0 ? {} : { requestState }),
    }
    result2 = await connection.call(method, retry2, { ...options, maxTotalMs: remainingMs(exchange, sources) })
  }
  return result2
}
async function answer3(questions, exchange, sources) {
  const { connection, method } = exchange
  assertFew(questions.length, method, sources)
  if (questions.length === 0) return {}
  return whileWanted(wanted(exchange, sources), (signal) =>
    answerAll(questions, { connection, method, signal }, sources),
  )
}
var wanted = (exchange, sources) => ({
  method: exchange.method,
  signal: exchange.options.signal,
  ending: exchange.connection.ending,
  remainingMs: remainingMs(exchange, sources),
})
function remainingMs({ options, started, method }, { settings }) {
  const left = started + (options.maxTotalMs ?? settings.peer.maxTotalMs) - performance.now()
  if (left > 0) return left
  throw new McpError('timeout', `${method} was not complete within the maximum total time`)
}
async function pause2(before3, exchange, sources) {
  if (before3 === 0) return
  const ms = Math.min(50 * 2 ** before3, 5e3)
  await whileWanted(
    wanted(exchange, sources),
    (signal) =>
      new Promise((resolve) => {
        const timer2 = setTimeout(resolve, ms)
        signal.addEventListener('abort', () => clearTimeout(timer2))
      }),
  )
}
var nothingAsked = (method) =>
  new McpError(
    'invalid_result',
    `${method} result: expected inputRequests or requestState in input_required, got neither`,
  )

// packages/sdk/src/client/requests.ts
var Requests = class {
  #lifeline
  #sources
  #cache
  constructor(lifeline, sources, cache2) {
    this.#lifeline = lifeline
    this.#sources = sources
    this.#cache = cache2
  }
  /** A method of the protocol: refused here if the server does not offer it, and answered from the cache where it may be. */
  call(method, params2, options = {}) {
    return this.#send({ method, params: params2, options, known: true })
  }
  /** Any method, without a look at capabilities. */
  request(method, params2, options) {
    return this.#send({ method, params: params2, options, known: false })
  }
  // Every call passes here, and each promise on its way costs it as much as being checked: so this is one function.
  async #send(wanted2, renewed) {
    const { method, params: params2, options, known: known2 } = wanted2
    const current = renewed ?? this.#lifeline.current(options.signal)
    const connection = current instanceof Promise ? await current : current
    const { codec } = connection
    const started = performance.now()
    try {
      if (known2) assertSupported(method, connection.server, codec)
      const first = this.#mayKeep(codec, wanted2)
        ? await this.#fetch(connection, wanted2)
        : codec.decodeResult(method, await connection.ask(method, params2, options), params2)
      if (first.resultType !== 'input_required' || !mayAsk(codec, method)) return first
      return await untilComplete(first, { ...wanted2, connection, started }, this.#sources)
    } catch (error) {
      if (isForgotten(error) && renewed === void 0) return this.#send(wanted2, await this.#renew(connection, wanted2))
      if (known2) this.#sources.elicitations.addFrom(error)
      throw error
    }
  }
  #mayKeep({ handshake }, { method, options, known: known2 }) {
    return known2 && !handshake && this.#cache?.serves(method, options) === true
  }
  #fetch(connection, { method, params: params2, options }) {
    return this.#cache.fetch({ method, params: params2 }, options, () => connection.call(method, params2, options))
  }
  /** A request that was refused because the server forgot the session did not run, so it may be sent once more. */
  #renew(connection, { options }) {
    return unlessAborted('The call', Promise.resolve(this.#lifeline.renew(connection)), options.signal)
  }
}
var mayAsk = ({ handshake, requests: requests4 }, method) => !handshake && requests4.client.has(method)
var isForgotten = (error) => isMcpError(error) && error.code === 'session_expired'

// packages/sdk/src/client/roots.ts
init_errors()
init_classify()
var RootList = class {
  #source
  constructor(source) {
    if (typeof source !== 'function' && source !== void 0) assertRoots(source)
    this.#source = source
  }
  get offered() {
    return this.#source !== void 0
  }
  replace(source) {
    if (!this.offered) {
      throw new McpError(
        'unsupported',
        'Roots were not declared: give `roots` to connect, an empty array if there are none yet',
      )
    }
    if (typeof source !== 'function') assertRoots(source)
    this.#source = source
  }
  prepare() {
    const source = this.#source
    if (source === void 0) throw notFound('roots/list')
    return async () => {
      const roots = typeof source === 'function' ? await source() : source
      assertRoots(roots)
      return { roots }
    }
  }
}
function assertRoots(roots) {
  if (!Array.isArray(roots)) throw wrong3('an array of { uri }', describe(roots))
  for (const root of roots) {
    const uri = isObject(root) ? root.uri : void 0
    const found = uri === void 0 ? describe(root) : JSON.stringify(uri)
    if (typeof uri !== 'string' || !/^file:\/\//i.test(uri) || !URL.canParse(uri)) {
      throw wrong3('{ uri } with a file:// URI, such as pathToFileURL(path).href', found)
    }
    if (climbs(uri)) throw wrong3('file:// URIs without ".."', found)
  }
}
var climbs = (uri) => uri.split(/[/\\]|%2f|%5c/i).some((segment) => segment.replaceAll(/%2e/gi, '.') === '..')
var wrong3 = (expected, found) => new McpError('invalid_argument', `roots: expected ${expected}, got ${found}`)

// packages/sdk/src/client/tasks/follower.ts
init_errors()

// packages/sdk/src/client/tasks/fetched-result.ts
init_errors()

// packages/sdk/src/client/tasks/following.ts
init_errors()
var wasCancelled = ({ taskId, statusMessage }) =>
  new McpError(
    'cancelled',
    `The task ${JSON.stringify(taskId)} was cancelled${statusMessage ? `: ${statusMessage}` : ''}`,
  )

// packages/sdk/src/client/tasks/pauses.ts
init_errors()
init_http_error()
var shortestMs = 50
var longestMs = 5 * 6e4
var usualMs = 1e3
function intervalMs(wanted2, looks) {
  if (wanted2 === void 0 || Number.isNaN(wanted2)) return Math.min(shortestMs * 2 ** Math.min(looks, 10), usualMs)
  return Math.min(Math.max(wanted2, shortestMs), longestMs)
}
var maxFailures = 10
var retryMs = (failures) => Math.min(250 * 2 ** (failures - 1), 3e4)
function isPassing(error) {
  if (!isMcpError(error)) return false
  if (error.code === 'timeout' || error.code === 'closed' || error.code === 'session_expired') return true
  return isHttpError(error) && (error.status >= 500 || error.status === 429 || error.status === 408)
}

// packages/sdk/src/client/tasks/fetched-result.ts
var patiently = { timeoutMs: Number.POSITIVE_INFINITY, maxTotalMs: Number.POSITIVE_INFINITY }
var FetchedResult = class {
  #following
  #waiting
  constructor(following) {
    this.#following = following
  }
  async see(task) {
    if (task.status === 'cancelled') throw wasCancelled(task)
    if (task.status === 'input_required') this.#wait()
    if (!hasEnded(task.status)) return void 0
    const { signal, timeoutMs } = this.#following
    if (this.#waiting !== void 0) await within(timeoutMs, this.#waiting)
    return signal.aborted ? void 0 : this.#fetch({ timeoutMs })
  }
  /** Somebody may take a long time to answer: looks at the task tell meanwhile that the server is still there. */
  #wait() {
    const following = this.#following
    this.#waiting ??= this.#fetch({ ...patiently, signal: following.signal }).then(
      (result2) => following.finish(result2, result2.isError === true ? 'failed' : 'completed'),
      (error) => {
        this.#waiting = void 0
        if (!isPassing(error) || following.host.ended() !== void 0) following.stop(error)
      },
    )
  }
  async #fetch(options) {
    const { host, id } = this.#following
    try {
      return await host.call('tasks/result', { taskId: id }, options)
    } catch (error) {
      if (isRpcError(error)) await this.#assertNotCancelled()
      throw error
    }
  }
  /** There is no result of a task that was cancelled, and what is said instead differs. */
  async #assertNotCancelled() {
    const task = await this.#following.look().catch(() => void 0)
    if (task?.status === 'cancelled') throw wasCancelled(task)
  }
}
function within(ms, promise) {
  if (ms > 2 ** 31 - 1) return promise
  let timer2
  const late = new Promise((resolve) => {
    timer2 = setTimeout(resolve, ms)
  })
  return Promise.race([promise, late]).finally(() => clearTimeout(timer2))
}

// packages/sdk/src/client/tasks/inline-result.ts
init_errors()

// packages/sdk/src/client/tasks/task-questions.ts
init_errors()

// packages/sdk/src/client/tasks/pause.ts
var Pause = class {
  #timer
  #resolve
  #due = 0
  #shortened
  #ended = false
  wait(ms) {
    const least = Math.min(ms, this.#shortened ?? ms)
    this.#shortened = void 0
    if (this.#ended) return Promise.resolve()
    return new Promise((resolve) => {
      this.#resolve = resolve
      this.#set(least)
    })
  }
  /** The pause, this one or the next, shall not be longer than this. */
  shorten(ms) {
    if (this.#resolve === void 0) this.#shortened = ms
    else if (performance.now() + ms < this.#due) this.#set(ms)
  }
  /** No pause lasts any more. */
  end() {
    this.#ended = true
    this.#done()
  }
  #set(ms) {
    clearTimeout(this.#timer)
    this.#due = performance.now() + ms
    this.#timer = setTimeout(() => this.#done(), ms)
  }
  #done() {
    clearTimeout(this.#timer)
    this.#resolve?.()
    this.#resolve = void 0
  }
}

// packages/sdk/src/client/tasks/task-questions.ts
var TaskQuestions = class {
  #following
  #seen = /* @__PURE__ */ new Set()
  #open = /* @__PURE__ */ new Set()
  #rounds = 0
  #repeats = 0
  constructor(following) {
    this.#following = following
    following.signal.addEventListener('abort', () => this.#withdraw(/* @__PURE__ */ new Set()))
  }
  see({ status, inputRequests = {} }) {
    const asked = status === 'input_required' ? Object.entries(inputRequests) : []
    assertFew(asked.length, 'tasks/get', this.#following.host.sources)
    this.#withdraw(new Set(asked.map(([key]) => key)))
    const fresh = asked.filter(([key]) => !this.#seen.has(key))
    if (fresh.length > 0) this.#begin(fresh)
    else if (status === 'input_required' && this.#open.size === 0) this.#repeated(asked)
    else this.#repeats = 0
  }
  /** Nobody has to answer any more what a task does not ask any more. */
  #withdraw(asked) {
    for (const { keys, stop: stop2, answered } of this.#open) {
      if (!answered && !keys.some((key) => asked.has(key))) stop2.abort()
    }
  }
  #begin(fresh) {
    const { maxRounds } = this.#following.host.sources.settings
    this.#rounds += 1
    this.#repeats = 0
    if (this.#rounds > maxRounds)
      throw new McpError('invalid_result', `The task asked for input more than ${maxRounds} times`)
    for (const [key] of fresh) this.#seen.add(key)
    const round = { keys: fresh.map(([key]) => key), stop: new AbortController(), answered: false }
    this.#open.add(round)
    this.#answer(fresh, round)
      .catch((error) => {
        if (!round.stop.signal.aborted) this.#following.stop(error)
      })
      .finally(() => this.#open.delete(round))
  }
  async #answer(fresh, round) {
    const { host } = this.#following
    const { signal } = round.stop
    const asking = { connection: host.connection(), method: 'tasks/get', signal }
    const inputResponses = await unlessAborted('The task', answerAll(fresh, asking, host.sources), signal)
    round.answered = true
    await this.#send({ inputResponses })
  }
  /** Answers that were given once are not asked for again because the server was out of reach for a moment. */
  async #send(answers) {
    const { host, signal } = this.#following
    const pause3 = new Pause()
    signal.addEventListener('abort', () => pause3.end())
    for (let failures = 1; !signal.aborted; failures++) {
      try {
        await this.#following.call('tasks/update', answers)
        return
      } catch (error) {
        if (!isPassing(error) || host.ended() !== void 0 || failures > maxFailures) throw error
        await pause3.wait(retryMs(failures))
      }
    }
  }
  /** An answer may take a while to show. A server that never sees it would be asked about it for ever. */
  #repeated(asked) {
    const { maxRounds } = this.#following.host.sources.settings
    this.#repeats += 1
    if (this.#repeats <= maxRounds) return
    const what = asked.length === 0 ? 'input and says not which' : `${JSON.stringify(asked[0][0].slice(0, 40))} again`
    throw new McpError('invalid_result', `The task asks for ${what}, after ${maxRounds} looks at it`)
  }
}

// packages/sdk/src/client/tasks/inline-result.ts
var InlineResult = class {
  #questions
  constructor(following) {
    this.#questions = new TaskQuestions(following)
  }
  see(task) {
    if (task.status === 'cancelled') throw wasCancelled(task)
    if (task.status === 'failed') throw failure2(task)
    if (task.status === 'completed') return resultOf(task)
    this.#questions.see(task)
    return void 0
  }
}
function resultOf({ result: result2 }) {
  if (result2 !== void 0) return result2
  throw new McpError('invalid_result', 'tasks/get result.result: expected an object in a completed task, got nothing')
}
function failure2({ error, statusMessage = 'nothing' }) {
  if (error !== void 0) return new RpcError(error.code, error.message, error.data, { remote: true })
  return new McpError(
    'invalid_result',
    `tasks/get result.error: expected an object in a failed task, got ${statusMessage}`,
  )
}

// packages/sdk/src/client/tasks/plain-task.ts
function plainTask(task) {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs: ttlMs2, pollIntervalMs } = task
  return {
    taskId,
    status,
    ...(statusMessage !== void 0 && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs: ttlMs2,
    ...(pollIntervalMs !== void 0 && { pollIntervalMs }),
  }
}

// packages/sdk/src/client/tasks/follower.ts
var longestTimer3 = 2 ** 31 - 1
var graceMs = 6e4
var Follower = class {
  id
  host
  timeoutMs
  /** What the call would have returned, or the error with which it would have failed. */
  outcome
  /** The task as it was seen last. */
  task
  #onStatus
  #stop = new AbortController()
  #pause = new Pause()
  #since = performance.now()
  #timer
  #settle
  #looks = 0
  #failures = 0
  /** Given the task as it was made, or only its id. */
  constructor(task, host, { timeoutMs, deadline, onStatus }) {
    this.id = typeof task === 'string' ? task : task.taskId
    this.host = host
    this.timeoutMs = timeoutMs ?? host.sources.settings.peer.timeoutMs
    this.#onStatus = onStatus
    this.outcome = new Promise((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    this.outcome.catch(() => {})
    const left = deadline === void 0 ? Number.POSITIVE_INFINITY : deadline - this.#since
    if (left <= longestTimer3) this.#timer = setTimeout(() => this.stop(tooLate(this.id)), left)
    if (typeof task !== 'string') this.#saw(task)
    this.#run()
  }
  get signal() {
    return this.#stop.signal
  }
  /** Something has happened to the task: looks at it soon. */
  nudge() {
    this.#pause.shorten(shortestMs)
  }
  finish(result2, status) {
    const { task } = this
    if (status !== void 0 && task !== void 0 && !hasEnded(task.status)) {
      const { statusMessage: _, ...rest } = task
      this.#saw({ ...rest, status })
    }
    this.#settle.resolve(result2)
    this.#end()
  }
  stop(error) {
    this.#settle.reject(error)
    this.#end(error)
  }
  call(method, params2 = {}) {
    return this.host.call(method, { taskId: this.id, ...params2 }, { timeoutMs: this.timeoutMs })
  }
  async look() {
    const task = await this.call('tasks/get')
    if (task.taskId !== this.id) throw wrong4(this.id, `got the task ${JSON.stringify(task.taskId.slice(0, 80))}`)
    if (!this.signal.aborted) this.#saw(task)
    return task
  }
  async #run() {
    await void 0
    const attendant = attendantFor(this)
    let atOnce = this.task?.status !== 'working'
    while (!this.signal.aborted) {
      if (!atOnce) await this.#pause.wait(this.#waitMs())
      atOnce = false
      await this.#attend(attendant)
    }
  }
  async #attend(attendant) {
    if (this.signal.aborted) return
    try {
      const result2 = await attendant.see(await this.look())
      this.#failures = 0
      if (result2 !== void 0) this.finish(result2)
      else this.#stopOutlived()
    } catch (error) {
      if (!this.#mayRetry(error)) this.stop(error)
    }
  }
  #waitMs() {
    return this.#failures > 0 ? retryMs(this.#failures) : intervalMs(this.task?.pollIntervalMs, this.#looks++)
  }
  #mayRetry(error) {
    if (!isPassing(error) || this.host.ended() !== void 0) return false
    this.#failures += 1
    return this.#failures <= maxFailures
  }
  #saw(task) {
    const { task: before3 } = this
    if (before3 !== void 0 && hasEnded(before3.status) && before3.status !== task.status) {
      throw wrong4(this.id, `is ${task.status} after it was ${before3.status}`)
    }
    this.task = plainTask(task)
    if (before3?.status === task.status && before3.statusMessage === task.statusMessage) return
    this.#looks = 0
    callListener(this.host.sources.settings.report, this.#onStatus, this.task)
  }
  /** A task that outlives its time by far is not waited for: it may be gone, and nobody will say so. */
  #stopOutlived() {
    const ttlMs2 = this.task?.ttlMs ?? null
    if (ttlMs2 === null || performance.now() - this.#since <= 2 * ttlMs2 + graceMs) return
    const what = `The task ${JSON.stringify(this.id)} did not end within its ttl of ${ttlMs2} ms`
    this.stop(new McpError('timeout', what))
  }
  #end(reason2) {
    clearTimeout(this.#timer)
    this.#stop.abort(reason2)
    this.#pause.end()
  }
}
var attendantFor = (following) =>
  following.host.connection().codec.requests.client.has('tasks/result')
    ? new FetchedResult(following)
    : new InlineResult(following)
var wrong4 = (id, what) =>
  new McpError('invalid_result', `tasks/get: the task ${JSON.stringify(id.slice(0, 80))} ${what}`)
var tooLate = (id) =>
  new McpError('timeout', `The task ${JSON.stringify(id)} was not complete within the maximum total time`)

// packages/sdk/src/client/tasks/followers.ts
var Followers = class {
  #host
  #followers = /* @__PURE__ */ new Map()
  #hearsOfTheEnd = false
  constructor(host) {
    this.#host = host
  }
  follow(task, options) {
    const follower = new Follower(task, this.#host, options)
    const same = this.#followers.get(follower.id) ?? /* @__PURE__ */ new Set()
    this.#followers.set(follower.id, same.add(follower))
    follower.signal.addEventListener('abort', () => this.#forget(follower, same))
    this.#awaitEnd()
    return follower
  }
  /** A server said something about a task. */
  changed({ taskId }) {
    for (const follower of this.#followers.get(taskId) ?? []) follower.nudge()
  }
  /** There is a connection again: what happened meanwhile is of interest to all. */
  restored() {
    for (const follower of this.#all()) follower.nudge()
  }
  #forget(follower, same) {
    same.delete(follower)
    if (same.size === 0 && this.#followers.get(follower.id) === same) this.#followers.delete(follower.id)
  }
  #awaitEnd() {
    if (this.#hearsOfTheEnd) return
    this.#hearsOfTheEnd = true
    this.#host.closed().then((reason2) => {
      for (const follower of this.#all()) follower.stop(reason2)
    })
  }
  #all() {
    return [...this.#followers.values()].flatMap((same) => [...same])
  }
}

// packages/sdk/src/client/tasks/cancel-task.ts
init_errors()
async function cancelTask(id, host, options = {}) {
  const { codec, server } = host.connection()
  const endedIsFine = codec.tasks?.endedCanBeCancelled !== false
  if (!endedIsFine && taskSettings(server.capabilities)?.cancel === void 0) {
    throw new McpError('unsupported', 'The server did not declare the capability tasks.cancel')
  }
  try {
    await host.call('tasks/cancel', { taskId: id }, options)
  } catch (error) {
    if (endedIsFine || !isRpcError(error) || error.code !== ErrorCode.InvalidParams) throw error
    const task = await host.call('tasks/get', { taskId: id }, options).catch(() => void 0)
    if (task === void 0 || !hasEnded(task.status)) throw error
  }
}

// packages/sdk/src/client/tasks/tasks.ts
var Tasks = class {
  #host
  #followers
  #tools
  constructor(host, followers, tools2) {
    this.#host = host
    this.#followers = followers
    this.#tools = tools2
  }
  /**
   * Calls a tool and returns as soon as the server has made a task of it, or has answered at once.
   *
   * @example
   * const task = await client.tasks.start('report', { year: 2026 })
   * const { text } = await task.result()
   */
  start(name, args, options = {}) {
    return this.#tools.start(name, args, options)
  }
  /** A task as it is at this moment. In 2025-11-25 its questions and its result are not in it. */
  async get(id, options = {}) {
    const { resultType: _, _meta: __, ...task } = await this.#call('tasks/get', { taskId: id }, options)
    return task
  }
  /** Waits for the result of a task that was started earlier, maybe by another process, and answers what it asks. */
  async result(id, { tool: tool2, signal, timeoutMs, maxTotalMs, onStatus } = {}) {
    assertTasks(this.#host)
    const follower = this.#followers.follow(id, {
      ...(timeoutMs !== void 0 && { timeoutMs }),
      ...(maxTotalMs !== void 0 && { deadline: performance.now() + maxTotalMs }),
      ...(onStatus && { onStatus }),
    })
    try {
      const result2 = await unlessAborted(`Waiting for the task ${JSON.stringify(id)}`, follower.outcome, signal)
      return await this.#tools.finish(tool2, result2)
    } catch (error) {
      follower.stop(error)
      throw error
    }
  }
  /** Asks the server to stop a task. It may be done before it does, and one that has ended stays as it is. */
  async cancel(id, options = {}) {
    assertTasks(this.#host)
    await cancelTask(id, this.#host, options)
    this.#followers.changed({ taskId: id })
  }
  /** All tasks of this client, where a server lists them: in 2025-11-25, with the capability `tasks.list`. */
  async *list(options = {}) {
    assertListed(this.#host)
    yield* allItems(
      {
        name: 'tasks',
        fetch: async (cursor) => {
          const page2 = await this.#call('tasks/list', cursor === void 0 ? {} : { cursor }, options)
          return page2
        },
        items: ({ tasks }) => tasks,
        id: ({ taskId }) => taskId,
      },
      this.#host.sources.settings.maxPages,
    )
  }
  /** Answers questions of a task by hand, in 2026-07-28. The keys are those of `inputRequests`. */
  async update(id, responses, options = {}) {
    await this.#call('tasks/update', { taskId: id, inputResponses: responses }, options)
    this.#followers.changed({ taskId: id })
  }
  async #call(method, params2, options) {
    assertTasks(this.#host)
    return this.#host.call(method, params2, options)
  }
}

// packages/sdk/src/client/tool-calls.ts
init_errors()

// packages/sdk/src/client/call-tool.ts
init_meta()
function toToolResult(result2) {
  return {
    content: result2.content,
    structured: result2.structuredContent,
    isError: result2.isError ?? false,
    text: textOf4(result2.content),
    meta: withoutServerInfo(result2._meta),
  }
}
function withoutServerInfo(meta) {
  if (meta?.[metaKeys.serverInfo] === void 0) return meta
  const { [metaKeys.serverInfo]: _, ...rest } = meta
  return Object.keys(rest).length === 0 ? void 0 : rest
}
function textOf4(content2) {
  let text2
  for (const block2 of content2) {
    if (block2.type === 'text')
      text2 =
        text2 === void 0
          ? block2.text
          : `${text2}
${block2.text}`
  }
  return text2 ?? ''
}

// packages/sdk/src/client/output-validation.ts
init_errors()
var maxTools = 1e4
var OutputSchemas = class {
  mode
  #warn
  #tools = /* @__PURE__ */ new Map()
  #listing
  constructor(mode2, warn) {
    this.mode = mode2
    this.#warn = warn
  }
  /** Remembers what a list said. */
  learn(tools2) {
    for (const tool2 of tools2) {
      const { name } = tool2
      this.#tools.delete(name)
      this.#tools.set(name, known(tool2))
      if (this.#tools.size > maxTools) this.#tools.delete(this.#tools.keys().next().value)
    }
  }
  /** The server's tools are others now. */
  forget() {
    this.#tools.clear()
    this.#listing = void 0
  }
  /** Whether a call would go unchecked where that is not allowed. */
  lacks(name) {
    return this.mode === 'strict' && !this.#tools.has(name)
  }
  /** What is known of a tool. To be asked before the call: a list that changes meanwhile must not undo the check. */
  known(name) {
    return this.#tools.get(name)
  }
  /** The same, from a list that is read once for all who ask. */
  async find(name, list2) {
    this.#listing ??= this.#list(list2)
    const listed3 = await this.#listing
    return this.#tools.get(name) ?? listed3.get(name)
  }
  async #list(list2) {
    const listed3 = /* @__PURE__ */ new Map()
    try {
      for await (const tool2 of list2()) listed3.set(tool2.name, known(tool2))
    } catch (error) {
      this.#listing = void 0
      throw error
    }
    return listed3
  }
  /** Gets ready to check what a tool returns; a promise only the first time. */
  prepare(tool2) {
    if (tool2?.schema !== void 0 && this.mode !== 'off' && !canCheckSchemas()) return loadSchemaChecks()
  }
  /** Holds the structured content of a successful result against the schema of its tool. */
  check(name, tool2, structured) {
    if (this.mode === 'off' || tool2?.schema === void 0) return
    const problem = this.#problem(name, tool2, tool2.schema, structured)
    if (problem === void 0) return
    if (this.mode === 'strict') throw problem
    this.#warn(problem.message)
  }
  #problem(name, tool2, schema, structured) {
    tool2.checker ??= makeChecker(name, schema)
    if (tool2.checker instanceof Error) return tool2.checker
    if (structured === void 0) {
      return invalid2(name, 'has an output schema but returned no structured content')
    }
    const misfit = tool2.checker(structured)
    return misfit === void 0 ? void 0 : invalid2(name, `returned structured content that does not fit: ${misfit}`)
  }
}
var known = ({ outputSchema, execution }) => ({
  schema: outputSchema,
  taskSupport: execution?.taskSupport,
})
function makeChecker(name, schema) {
  try {
    return schemaChecker(schema, 'structuredContent')
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return new McpError('invalid_result', `The output schema of tool ${JSON.stringify(name)} cannot be used: ${why}`, {
      cause: error,
    })
  }
}
var invalid2 = (name, what) => new McpError('invalid_result', `Tool ${JSON.stringify(name)} ${what}`)

// packages/sdk/src/client/tasks/handle.ts
init_errors()

// packages/sdk/src/client/tasks/send-as-task.ts
async function sendAsTask(params2, options, host) {
  const { signal, ...rest } = options
  if (signal?.aborted) return host.call('tools/call', params2, options)
  const reports = new Reports(options)
  const sending = host.call('tools/call', params2, { ...rest, onSent: reports.begin })
  try {
    const result2 = await unlessAborted('tools/call', sending, signal)
    reports.keepFor(result2)
    return result2
  } catch (error) {
    reports.end()
    if (signal?.aborted) sending.then((result2) => cancelCreated(result2, host)).catch(() => {})
    throw error
  }
}
var cancelCreated = ({ resultType, taskId }, host) => resultType === 'task' && cancelTask(taskId, host)
var ends = /* @__PURE__ */ new WeakMap()
function endReports(created) {
  ends.get(created)?.()
}
var Reports = class {
  #onProgress
  end = () => {}
  constructor({ onProgress }) {
    this.#onProgress = onProgress
  }
  begin = (id, connection) => {
    this.end()
    if (this.#onProgress !== void 0) this.end = connection.reportAfter(id, this.#onProgress)
  }
  keepFor(result2) {
    if (result2.resultType === 'task') ends.set(result2, this.end)
    else this.end()
  }
}

// packages/sdk/src/client/tasks/handle.ts
var RunningTask = class {
  id
  #task
  #running
  #follower
  #result
  #cancelling
  constructor(task, running) {
    this.id = task.taskId
    this.#task = task
    this.#running = running
    const { signal, onStatus } = running
    if (signal?.aborted) this.#aborted()
    else signal?.addEventListener('abort', this.#aborted)
    if (onStatus !== void 0) this.#follow()
  }
  get status() {
    return (this.#follower?.task ?? this.#task).status
  }
  result({ signal } = {}) {
    this.#result ??= this.#follow().outcome.then((result2) => this.#running.finish(result2))
    return unlessAborted(`Waiting for the task ${JSON.stringify(this.id)}`, this.#result, signal)
  }
  async cancel() {
    if (hasEnded(this.status)) return
    this.#cancelling ??= cancelTask(this.id, this.#running.host)
    try {
      await this.#cancelling
    } catch (error) {
      this.#cancelling = void 0
      throw error
    }
    this.#follower?.nudge()
  }
  /** The caller has given up: nobody else knows the task, so nobody would miss it. */
  abandon(because) {
    if (isRpcError(because) && because.remote) return
    this.#cancelQuietly()
  }
  async [Symbol.asyncDispose]() {
    await this.#cancelQuietly()
    this.#running.signal?.removeEventListener('abort', this.#aborted)
  }
  #follow() {
    if (this.#follower !== void 0) return this.#follower
    const { followers, signal } = this.#running
    this.#follower = followers.follow(this.#task, this.#running)
    this.#follower.signal.addEventListener('abort', () => {
      signal?.removeEventListener('abort', this.#aborted)
      endReports(this.#task)
    })
    return this.#follower
  }
  #aborted = () => {
    this.#cancelQuietly()
    const cause = this.#running.signal?.reason
    this.#follow().stop(new McpError('cancelled', 'tools/call was cancelled', { cause }))
  }
  /** Who does not wait for the end cannot do anything about it either. */
  #cancelQuietly() {
    if (this.#cancelling !== void 0 || this.#running.host.ended() !== void 0) return Promise.resolve()
    return this.cancel().catch(() => {})
  }
}
var finishedTask = (result2) => ({
  id: void 0,
  status: 'completed',
  result: async () => result2,
  cancel: async () => {},
  [Symbol.asyncDispose]: async () => {},
})

// packages/sdk/src/client/tool-calls.ts
var paramsOf = (name, args) => (args === void 0 || args === null ? { name } : { name, arguments: args })
var isWanted = (wish2) => wish2 !== void 0 && wish2 !== false
var ToolCalls = class {
  #host
  #followers
  outputs
  constructor(host, followers) {
    const { validate, warn } = host.sources.settings
    this.#host = host
    this.#followers = followers
    this.outputs = new OutputSchemas(validate, warn)
  }
  async call(name, args, options) {
    const started = options.maxTotalMs === void 0 ? 0 : performance.now()
    const tool2 = this.#unknown(name, options) ? await this.#find(name) : this.outputs.known(name)
    const params2 = paramsOf(name, args)
    let result2
    try {
      result2 = await this.#send(params2, tool2, options)
    } catch (error) {
      result2 = await this.#sendAgain(params2, tool2, options, error)
    }
    const preparing = this.outputs.prepare(tool2)
    if (preparing !== void 0) await preparing
    if (result2.resultType !== 'task') return this.#finish(name, tool2, result2)
    const task = this.#taskOf(name, tool2, result2, options, started)
    try {
      return await task.result()
    } catch (error) {
      task.abandon(error)
      throw error
    }
  }
  /** The same, without waiting for a task to end. */
  async start(name, args, { ttlMs: ttlMs2, onStatus, ...call }) {
    const task = { ...(ttlMs2 !== void 0 && { ttlMs: ttlMs2 }), ...(onStatus && { onStatus }) }
    const options = { ...call, task }
    const started = performance.now()
    const tool2 = this.#unknown(name, options) ? await this.#find(name) : this.outputs.known(name)
    const params2 = paramsOf(name, args)
    const result2 = await this.#send(params2, tool2, options).catch((error) =>
      this.#sendAgain(params2, tool2, options, error),
    )
    await this.outputs.prepare(tool2)
    if (result2.resultType !== 'task') return finishedTask(this.#finish(name, tool2, result2))
    return this.#taskOf(name, tool2, result2, options, started)
  }
  /** The result of a task that somebody started earlier. */
  async finish(name, result2) {
    if (name === void 0) return toToolResult(result2)
    const tool2 = this.outputs.known(name) ?? (await this.#find(name))
    await this.outputs.prepare(tool2)
    return this.#finish(name, tool2, result2)
  }
  #finish(name, tool2, result2) {
    const answer4 = result2
    if (answer4.isError !== true) this.outputs.check(name, tool2, answer4.structuredContent)
    return toToolResult(answer4)
  }
  #taskOf(name, tool2, created, { task: wish2, timeoutMs, maxTotalMs, signal }, started) {
    if (!this.#takesTask(wish2)) {
      throw new McpError('invalid_result', 'tools/call was answered with a task, which this client did not declare')
    }
    const onStatus = typeof wish2 === 'object' ? wish2.onStatus : void 0
    return new RunningTask(created, {
      host: this.#host,
      followers: this.#followers,
      signal,
      finish: (result2) => this.#finish(name, tool2, result2),
      ...(timeoutMs !== void 0 && { timeoutMs }),
      ...(maxTotalMs !== void 0 && { deadline: started + maxTotalMs }),
      ...(onStatus && { onStatus }),
    })
  }
  /** Whether a list has to say first how to call a tool, or how to check its result. */
  #unknown(name, { task }) {
    if (this.outputs.lacks(name)) return true
    return isWanted(task) && this.#tasksAreAskedFor() && this.outputs.known(name) === void 0
  }
  #find(name) {
    return this.outputs.find(name, () => this.#host.listTools({}))
  }
  #send(params2, tool2, options) {
    const task = this.#taskRequest(tool2, options)
    if (task !== void 0) return sendAsTask({ ...params2, task }, options, this.#host)
    return this.#host.call('tools/call', params2, this.#declaring(options))
  }
  /** A call that was refused for its form did not run; lists say what the form should be. */
  async #sendAgain(params2, tool2, options, refusal) {
    const wasTask = this.#taskRequest(tool2, options) !== void 0
    if (!isRpcError(refusal) || !refusal.remote || wasTask) throw refusal
    const { signal } = options
    const { code } = refusal
    if (code === ErrorCode.HeaderMismatch) {
      for await (const _ of this.#host.listTools({ fresh: true, ...(signal && { signal }) }));
      return this.#host.call('tools/call', params2, this.#declaring(options))
    }
    const mayWantTask = code === ErrorCode.MethodNotFound || code === ErrorCode.InvalidRequest
    if (tool2 !== void 0 || !mayWantTask || !this.#tasksAreAskedFor()) throw refusal
    const found = await this.#find(params2.name).catch(() => void 0)
    const task = this.#taskRequest(found, options)
    if (task === void 0) throw refusal
    return sendAsTask({ ...params2, task }, options, this.#host)
  }
  /** Where the server decides what becomes a task, it has to know that this call may. */
  #declaring(options) {
    return isWanted(options.task) && this.#takesTask(options.task) ? { ...options, usesTasks: true } : options
  }
  #takesTask(wish2) {
    const { codec } = this.#host.connection()
    const { tasks } = this.#host.sources.settings
    return tasks !== false && (tasks === true || isWanted(wish2) || codec.handshake)
  }
  /** True where the caller decides what becomes a task, and the server can make one. */
  #tasksAreAskedFor() {
    const { codec, server } = this.#host.connection()
    if (codec.tasks === void 0 || codec.tasks.declared) return false
    return this.#host.sources.settings.tasks !== false && taskSettings(server.capabilities) !== void 0
  }
  #taskRequest(tool2, { task: wish2 }) {
    const support = tool2?.taskSupport
    const wanted2 = support === 'required' || (support === 'optional' && isWanted(wish2))
    if (!wanted2 || !this.#tasksAreAskedFor()) return void 0
    return typeof wish2 === 'object' && wish2.ttlMs !== void 0 ? { ttlMs: wish2.ttlMs } : {}
  }
}

// packages/sdk/src/client/client.ts
var Client = class _Client {
  /** Tool calls that go on after they were answered. */
  tasks
  #settings
  #introduction
  #lifeline
  #requests
  #followers
  #toolCalls
  #roots
  #news
  #sinks
  #sources
  #cache
  constructor(opener, settings) {
    const { report } = settings
    this.#settings = settings
    this.#introduction = new Introduction(settings)
    this.#roots = new RootList(settings.roots)
    this.#cache = settings.cache === false ? void 0 : new ResponseCache(settings.cache)
    this.#news = new News({
      settings,
      connection: () => this.#lifeline.current(),
      call: (method, params2) => this.#requests.call(method, params2),
      forget: () => this.#forget(),
    })
    this.#sinks = {
      settings,
      news: this.#news,
      elicitations: new ElicitationIds(),
      changed: (kind) => {
        if (kind === 'tools') this.#toolCalls.outputs.forget()
        this.#cache?.changed(kind)
      },
      updated: (uri) => this.#cache?.updated(uri),
      taskChanged: (task) => this.#followers.changed(task),
    }
    this.#sources = { settings, roots: this.#roots, elicitations: this.#sinks.elicitations }
    const host = this.#host()
    this.#followers = new Followers(host)
    this.#toolCalls = new ToolCalls(host, this.#followers)
    this.tasks = new Tasks(host, this.#followers, this.#toolCalls)
    const owner = this.#owner()
    this.#lifeline = new Lifeline(
      {
        establish: (known2, signal = settings.signal) =>
          establish({
            opener,
            owner,
            capabilities: this.#introduction.capabilities,
            ...(known2 && { known: known2 }),
            ...(signal && { signal }),
          }),
        restored: (connection, because) => this.#restored(connection, because),
        report,
      },
      opener.restart,
    )
    this.#requests = new Requests(this.#lifeline, this.#sources, this.#cache)
    void this.closed.then(() => this.#news.close())
  }
  /** Opens the connection; for `connect`. */
  static async open(opener, settings) {
    const client2 = new _Client(opener, settings)
    await client2.#lifeline.start()
    return client2
  }
  /** What the server said about itself. After a restart this may be something else. */
  get server() {
    return this.#lifeline.latest.server
  }
  /** Resolves with the reason when the connection is gone for good; never rejects. */
  get closed() {
    return this.#lifeline.closed
  }
  // Tools
  /** All tools, following the server's pages. */
  tools(options = {}) {
    return this.#all({
      name: 'tools',
      fetch: (cursor) => this.listTools(withCursor(options, cursor)),
      items: (page2) => page2.tools,
      id: ({ name }) => name,
    })
  }
  /** One page of the tools. */
  async listTools(options = {}) {
    const page2 = await this.#page('tools/list', options)
    this.#toolCalls.outputs.learn(page2.tools)
    return page2
  }
  /**
   * Calls a tool. A tool that ran and failed is a result with `isError`; a call that could not be made throws.
   *
   * @example
   * const { structured } = await client.callTool<{ sum: number }>('add', { a: 1, b: 2 }, { timeoutMs: 5_000 })
   */
  callTool(name, args, options = {}) {
    return this.#toolCalls.call(name, args, options)
  }
  // Resources
  /** All resources, following the server's pages. */
  resources(options = {}) {
    return this.#all({
      name: 'resources',
      fetch: (cursor) => this.listResources(withCursor(options, cursor)),
      items: (page2) => page2.resources,
      id: ({ uri }) => uri,
    })
  }
  /** One page of the resources. */
  listResources(options = {}) {
    return this.#page('resources/list', options)
  }
  /** All resource templates, following the server's pages. */
  resourceTemplates(options = {}) {
    return this.#all({
      name: 'resourceTemplates',
      fetch: (cursor) => this.listResourceTemplates(withCursor(options, cursor)),
      items: (page2) => page2.resourceTemplates,
      id: ({ uriTemplate }) => uriTemplate,
    })
  }
  /** One page of the resource templates. */
  listResourceTemplates(options = {}) {
    return this.#page('resources/templates/list', options)
  }
  /** Reads a resource. */
  async readResource(uri, options = {}) {
    return await this.#requests.call('resources/read', { uri }, options)
  }
  /**
   * Calls the listener when a resource changes, until the watch is closed; also after a time in which changes could not
   * be heard. Several watches share one subscription. Throws if the server does not tell of this resource.
   */
  watch(uri, listener) {
    return this.#news.watches.add(uri, listener)
  }
  // Prompts and completion
  /** All prompts, following the server's pages. */
  prompts(options = {}) {
    return this.#all({
      name: 'prompts',
      fetch: (cursor) => this.listPrompts(withCursor(options, cursor)),
      items: (page2) => page2.prompts,
      id: ({ name }) => name,
    })
  }
  /** One page of the prompts. */
  listPrompts(options = {}) {
    return this.#page('prompts/list', options)
  }
  /** Fills in a prompt. */
  async getPrompt(name, args, options = {}) {
    const params2 = args ? { name, arguments: withoutGaps(args) } : { name }
    return await this.#requests.call('prompts/get', params2, options)
  }
  /** Suggests values for an argument of a prompt or a variable of a resource template. */
  async complete(ref, argument, { context, ...options } = {}) {
    const params2 = { ref, argument, ...(context && { context }) }
    const result2 = await this.#requests.call('completion/complete', params2, options)
    return result2.completion
  }
  // Logging, liveness, roots
  /**
   * Sets the least severe level of log messages that the server shall send. Where a revision has no session to set it
   * for, every later request carries the level instead.
   */
  async setLogLevel(level, options = {}) {
    if (!isLoggingLevel(level)) {
      throw new McpError(
        'invalid_argument',
        `level: expected one of ${loggingLevels.join(', ')}, got ${JSON.stringify(level)}`,
      )
    }
    const connection = await this.#lifeline.current(options.signal)
    if (!connection.codec.handshake && connection.server.capabilities.logging === void 0) {
      throw new McpError('unsupported', 'The server did not declare the capability logging')
    }
    if (connection.codec.handshake) await this.#requests.call('logging/setLevel', { level }, options)
    this.#introduction.logLevel = level
  }
  /** Makes sure that the server answers: a `ping`, or `server/discover` in revisions that have no `ping`. */
  async ping(options = {}) {
    const { codec } = await this.#lifeline.current(options.signal)
    await this.#requests.request(codec.handshake ? 'ping' : 'server/discover', {}, options)
  }
  /** Replaces the roots and tells the server, where its revision can be told. Needs `roots` given to `connect`. */
  async setRoots(roots) {
    this.#roots.replace(roots)
    await this.rootsChanged()
  }
  /** Tells the server that the roots are others now; for roots given as a function. */
  async rootsChanged() {
    if (!this.#roots.offered) throw new McpError('unsupported', 'Roots were not declared: give `roots` to connect')
    const connection = await this.#lifeline.current()
    const method = 'notifications/roots/list_changed'
    if (connection.codec.notifications.client.has(method)) await connection.notify(method)
  }
  // Everything else
  /**
   * Calls the listener when a list of the server has changed, or may have while nobody could tell; the returned function
   * stops that. Only servers with the capability `listChanged` tell; for others there is a warning.
   */
  onChange(kind, listener) {
    return this.#news.onChange(kind, listener, this.#lifeline.latest)
  }
  /**
   * An extension on this connection, with its types.
   *
   * @example
   * const { hits } = await client.extension(search).request('search/query', { text: 'tenon' })
   */
  extension(extension) {
    const client2 = this
    return extensionClient(extension, {
      get server() {
        return client2.server
      },
      declares: (id) => Object.hasOwn(this.#introduction.capabilities.extensions ?? {}, id),
      request: (method, params2, options) => this.request(method, params2, options),
    })
  }
  /** Sends any request, without a look at capabilities: for extensions. */
  request(method, params2 = {}, options = {}) {
    return this.#requests.request(method, params2, options)
  }
  /** Sends any notification: for extensions. */
  async notify(method, params2 = {}) {
    const connection = await this.#lifeline.current()
    await connection.notify(method, params2)
  }
  /** Ends the connection; a server process is gone when this resolves. */
  close() {
    this.#news.close()
    return this.#lifeline.close()
  }
  [Symbol.asyncDispose]() {
    return this.close()
  }
  // Inside
  async #page(method, options) {
    const { cursor, ...call } = options
    const page2 = await this.#requests.call(method, cursor === void 0 ? {} : { cursor }, call)
    if (page2.nextCursor !== '' || !this.#lifeline.latest.codec.handshake) return page2
    const { nextCursor: _, ...last } = page2
    return last
  }
  #all(listing) {
    return allItems(listing, this.#settings.maxPages)
  }
  #host() {
    return {
      call: (method, params2, options) => this.#requests.call(method, params2, options),
      listTools: (options) => this.tools(options),
      connection: () => this.#lifeline.latest,
      ended: () => this.#lifeline.ended,
      closed: () => this.#lifeline.closed,
      sources: this.#sources,
    }
  }
  #owner() {
    return {
      settings: this.#settings,
      introduction: this.#introduction,
      answer: (request2, connection) => answerRequest(request2, connection, this.#sources),
      notified: (message, connection) => dispatchNotification(message, connection, this.#sinks),
      closed: (connection, reason2) => this.#lifeline.lost(connection, reason2),
    }
  }
  /** A new server process, or a new session, knows nothing: tells it what the old one had been told. */
  #restored(connection, because) {
    this.#forget()
    this.#followers.restored()
    const level = this.#introduction.logLevel
    const told = [
      this.#news.renew(connection),
      ...(level !== void 0 && connection.codec.handshake ? [this.#requests.call('logging/setLevel', { level })] : []),
    ]
    for (const step of told) step.catch((error) => this.#settings.report(toError2(error)))
    if (because === 'restart') callListener(this.#settings.report, this.#settings.onRestart, connection.server)
  }
  #forget() {
    this.#toolCalls.outputs.forget()
    this.#cache?.clear()
  }
}
var withCursor = (options, cursor) => (cursor === void 0 ? options : { ...options, cursor })

// packages/sdk/src/client/target.ts
init_errors()
init_verdicts()
init_classify()

// packages/sdk/src/transport/memory.ts
init_errors()
init_limits()

// packages/sdk/src/transport/clone.ts
var polluted = false
function hasMembers(value) {
  for (const _ in value) return true
  return false
}
var tooDeep2 = /* @__PURE__ */ Symbol('too deep')
function cloneJson(value, maxDepth2) {
  polluted = hasMembers(Object.prototype)
  try {
    return { value: clone(value, maxDepth2) }
  } catch (thrown) {
    if (thrown !== tooDeep2) throw thrown
    JSON.stringify(value)
    return void 0
  }
}
function clone(value, levels) {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value + 0 : null
    case 'object':
      return value === null ? null : cloneObject(value, levels)
    case 'bigint':
      return throughText(value, levels)
    default:
      return void 0
  }
}
function cloneObject(value, levels) {
  if (typeof value.toJSON === 'function') return throughText(value, levels)
  const prototype = Object.getPrototypeOf(value)
  const isPlain4 = prototype === Object.prototype || prototype === null
  if (!isPlain4 && !Array.isArray(value)) return throughText(value, levels)
  if (levels === 0) throw tooDeep2
  return isPlain4 ? cloneMembers(value, levels - 1) : cloneItems(value, levels - 1)
}
function cloneItems(source, levels) {
  const items3 = new Array(source.length)
  for (let i = 0; i < items3.length; i++) items3[i] = clone(source[i], levels) ?? null
  return items3
}
function cloneMembers(source, levels) {
  const target = {}
  for (const name in source) {
    if (polluted && !Object.hasOwn(source, name)) continue
    const found = source[name]
    const member2 = typeof found === 'string' ? found : clone(found, levels)
    if (member2 === void 0) continue
    if (name === '__proto__')
      Object.defineProperty(target, name, { value: member2, enumerable: true, configurable: true, writable: true })
    else target[name] = member2
  }
  return target
}
function throughText(value, levels) {
  const text2 = JSON.stringify(value)
  return text2 === void 0 ? void 0 : clone(JSON.parse(text2), levels)
}

// packages/sdk/src/transport/memory.ts
init_peek()
init_wait()
function memoryPair(options = {}) {
  const maxDepth2 = options.maxDepth ?? defaultMaxDepth
  const left = new MemoryEnd(maxDepth2)
  const right = new MemoryEnd(maxDepth2)
  left.peer = right
  right.peer = left
  return [left, right]
}
var highWater = 1024
var Refused = class {
  refusal
  constructor(payload, maxDepth2) {
    const message = `Message nests deeper than the limit of ${maxDepth2} levels`
    this.refusal = { code: ErrorCode.InvalidRequest, message, ...peek(JSON.stringify(payload)) }
  }
}
var about = { transport: 'memory' }
var soon = Promise.resolve()
var MemoryEnd = class {
  about = about
  peer
  #maxDepth
  #receiver
  #queue = []
  #scheduled = false
  #ended = false
  #closing
  #room
  constructor(maxDepth2) {
    this.#maxDepth = maxDepth2
  }
  open(receiver) {
    this.#receiver = receiver
    this.#schedule()
  }
  send(payload) {
    if (this.#ended) throw new McpError('closed', 'The connection is closed')
    const copy = cloneJson(payload, this.#maxDepth)
    return this.peer.#accept(copy ? copy.value : new Refused(payload, this.#maxDepth))
  }
  close() {
    if (!this.#closing) {
      this.#closing = Promise.resolve()
      this.#queue = []
      this.#end()
      this.peer.#end()
    }
    return this.#closing
  }
  #accept(item) {
    this.#queue.push(item)
    this.#schedule()
    if (this.#queue.length < highWater) return
    this.#room ??= gate()
    return this.#room.passed
  }
  #end() {
    if (this.#ended) return
    this.#ended = true
    this.#makeRoom()
    this.#schedule()
  }
  #schedule() {
    if (this.#scheduled || !this.#receiver) return
    this.#scheduled = true
    soon.then(this.#deliver)
  }
  #deliver = () => {
    const receiver = this.#receiver
    const items3 = this.#queue
    this.#queue = []
    this.#scheduled = false
    for (const item of items3) {
      if (this.#closing) break
      if (item instanceof Refused) receiver.refuse(item.refusal)
      else receiver.receive(item)
    }
    this.#makeRoom()
    if (this.#ended && !this.#scheduled) {
      this.#scheduled = true
      receiver.closed()
    }
  }
  #makeRoom() {
    this.#room?.open()
    this.#room = void 0
  }
}

// packages/sdk/src/client/target.ts
function openTarget(target, options = {}) {
  if (typeof target === 'function') return { open: target, reopenable: true }
  if (typeof target === 'string' || target instanceof URL) return urlOpener(String(target), options)
  if (isProcess(target)) return processOpener(target)
  if (isServer(target)) return { open: () => openInMemory(target), reopenable: true }
  if (isChannel(target)) return { open: () => target, reopenable: false }
  const expected = '{ command }, a server, a channel or a function that opens one'
  throw new McpError('invalid_argument', `target: expected ${expected}, got ${nameTarget(target)}`)
}
function nameTarget(target) {
  if (target instanceof Promise) return 'a promise, which has to be awaited first'
  return isObject(target) ? `an object with the members ${Object.keys(target).join(', ') || 'none'}` : describe(target)
}
var has = (target, member2, type2) => typeof target?.[member2] === type2
var isProcess = (target) => has(target, 'command', 'string')
var isServer = (target) => has(target, 'connect', 'function')
var isChannel = (target) =>
  has(target, 'open', 'function') && has(target, 'send', 'function') && has(target, 'close', 'function')
function processOpener({ restart, ...spawn3 }) {
  assertArgs(spawn3.args)
  const open = async () => {
    const { spawnChannel: spawnChannel2 } = await Promise.resolve().then(() => (init_process(), process_exports))
    if (spawnChannel2 === void 0) throw new McpError('unsupported', 'Processes cannot be started in a browser')
    return spawnChannel2(spawn3)
  }
  const opener = { open, reopenable: true }
  return restart ? { ...opener, restart: restart === true ? {} : restart } : opener
}
function assertArgs(args) {
  if (args === void 0 || (Array.isArray(args) && args.every((arg) => typeof arg === 'string'))) return
  const found = Array.isArray(args) ? describe(args.find((arg) => typeof arg !== 'string')) : describe(args)
  throw new McpError('invalid_argument', `args: expected an array of strings, got ${found}`)
}
function urlOpener(text2, options) {
  if (!/^(?:https?|wss?):/i.test(text2) || !URL.canParse(text2)) throw notConnectable(text2)
  const url3 = new URL(text2)
  if (url3.protocol.startsWith('ws')) return webSocketOpener(url3, options)
  const { headers, auth: auth2, fetch: fetch2, agent, onStream, httpLimits, warn } = options
  const http = withoutGaps({ headers, auth: auth2, fetch: fetch2, agent, onStream, httpLimits, warn })
  return {
    // Loaded when needed: who starts processes does not pay for it.
    open: async () => (await Promise.resolve().then(() => (init_open_http(), open_http_exports))).openHttp(url3, http),
    reopenable: true,
    // Only a stream of the oldest transport ends by itself.
    restart: { backoffMs: 1e3 },
    verdict: {
      handshake: () => verdictFor(url3).handshake === true,
      learn: (handshake) => remember(url3, { handshake }),
    },
  }
}
function webSocketOpener(url3, { headers, auth: auth2 }) {
  const open = async () => {
    const given = typeof headers === 'function' ? await headers() : headers
    const options = given && { headers: given }
    if (auth2 === void 0)
      return (await Promise.resolve().then(() => (init_connect(), connect_exports))).webSocketChannel(url3, options)
    return (await Promise.resolve().then(() => (init_authorized(), authorized_exports))).authorizedChannel(
      url3,
      auth2,
      options,
    )
  }
  return { open, reopenable: true, ...(auth2 && { restart: { backoffMs: 1e3 } }) }
}
function openInMemory(server) {
  const [near, far] = memoryPair()
  server.connect(far, { transport: 'memory' })
  return near
}
function notConnectable(text2) {
  if (URL.canParse(text2)) {
    return new McpError('unsupported', `Cannot connect to ${text2}: expected an http, https, ws or wss URL`)
  }
  const [command, ...args] = text2.split(' ')
  const example = `{ command: ${JSON.stringify(command)}, args: ${JSON.stringify(args)} }`
  return new McpError(
    'invalid_argument',
    `target: expected a URL, got ${JSON.stringify(text2)}; to start a process give ${example}`,
  )
}

// packages/sdk/src/client/connect.ts
async function connect(target, options = {}) {
  const settings = resolveOptions(options)
  if (options.signal?.aborted)
    throw new McpError('cancelled', 'connect was cancelled', { cause: options.signal.reason })
  if (settings.elicit !== void 0) await loadSchemaChecks()
  return Client.open(openTarget(target, settings), settings)
}

// packages/sdk/src/auth/client/fixtures/client-process.ts
var [url2, folder, calls] = process.argv.slice(2)
var redirect = () => ({
  uri: 'http://127.0.0.1:4999/callback',
  visit: async (page2) => new URL((await fetch(page2, { redirect: 'manual' })).headers.get('location')),
  close: () => {},
})
var auth = oauth8({
  grant: authorizationCode({ redirect }),
  store: fileStore(`${folder}/tokens.json`),
  lock: fileLock(folder),
})
var client = await connect(url2, { auth })
await Promise.all(Array.from({ length: Number(calls) }, () => client.callTool('read')))
await client.close()
console.log('done')
