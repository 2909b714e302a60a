/**
 * The operations that have to be one step, in Lua. Redis runs each of them alone, and each costs one round trip.
 */
interface Script {
  readonly numberOfKeys: number
  readonly lua: string
}

/**
 * The shape of the fields of sessions and tasks, for programs of two versions that run side by side. A program leaves
 * records of another shape alone.
 */
export const format = '1'

/** The keys of streams live longer than their events: a number is never used twice while anybody may remember it. */
const factsMs = 24 * 60 * 60_000

/** A record may always grow by this much: a task has to be able to end when nothing is left. */
const slackBytes = 4_096

/** The keys that list tasks live this much longer than they have to, so that few tasks have to prolong them. */
const listedMs = 60_000

/** Forgets the sizes of some records that are over. The record itself has gone by its TTL. */
const forgetTasks = `
  local function forget(name)
    local size = redis.call('HGET', KEYS[5], name)
    if size then
      redis.call('HDEL', KEYS[5], name)
      redis.call('HINCRBY', KEYS[5], 'total', -size)
    end
    redis.call('ZREM', KEYS[2], name)
    redis.call('ZREM', KEYS[4], name)
  end
  local function forgetOld(now)
    for _, name in ipairs(redis.call('ZRANGE', KEYS[2], '-inf', now, 'BYSCORE', 'LIMIT', 0, 100)) do forget(name) end
    redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
  end`

/** Lists a task. The sizes go with the index of all. */
const listTasks = `
  local function keep(ttl, key, other)
    if redis.call('PTTL', key) >= ttl then return end
    redis.call('PEXPIRE', key, ttl + ${listedMs})
    if other then redis.call('PEXPIRE', other, ttl + ${listedMs}) end
  end
  local function listWorking(name, isWorking, over, ttl)
    if isWorking ~= '1' then return redis.call('ZREM', KEYS[4], name) end
    redis.call('ZADD', KEYS[4], over, name)
    keep(ttl, KEYS[4])
  end
  local function list(name, over, ttl)
    redis.call('PEXPIRE', KEYS[1], ttl)
    redis.call('ZADD', KEYS[2], over, name)
    redis.call('ZADD', KEYS[3], over, name)
    keep(ttl, KEYS[2], KEYS[5])
    keep(ttl, KEYS[3])
  end`

export type ScriptName =
  | 'tenonCreateTask'
  | 'tenonReplaceTask'
  | 'tenonDeleteTask'
  | 'tenonAddSession'
  | 'tenonUseSession'
  | 'tenonChangeSession'
  | 'tenonAppend'
  | 'tenonEnd'
  | 'tenonRead'
  | 'tenonTakeUse'
  | 'tenonTakeCounters'
  | 'tenonKeepLock'
  | 'tenonFreeLock'
  | 'tenonWriteRecord'
  | 'tenonDeleteRecord'

export const scripts: { readonly [name in ScriptName]: Script } = {
  /**
   * KEYS record, index of all, index of the owner, those that work, sizes; ARGV name, version, record, whether it works,
   * now, when it is over, TTL, bytes of all, then the most of the owner and of all. 0: it is there already. -1: no room for
   * its bytes. -2: the owner has too many. -3: there are too many.
   */
  tenonCreateTask: {
    numberOfKeys: 5,
    lua: `${forgetTasks}${listTasks}
      local function isFull(key, most)
        return redis.call('ZCARD', key) >= most and redis.call('ZCOUNT', key, '(' .. ARGV[5], '+inf') >= most
      end
      if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
      forgetOld(ARGV[5])
      if isFull(KEYS[3], tonumber(ARGV[9])) then return -2 end
      if isFull(KEYS[2], tonumber(ARGV[10])) then return -3 end
      local ttl, size = tonumber(ARGV[7]), #ARGV[3]
      if redis.call('ZSCORE', KEYS[2], ARGV[1]) then forget(ARGV[1]) end
      if redis.call('HINCRBY', KEYS[5], 'total', size) > tonumber(ARGV[8]) then
        if redis.call('HINCRBY', KEYS[5], 'total', -size) == 0 then redis.call('DEL', KEYS[5]) end
        return -1
      end
      redis.call('HSET', KEYS[5], ARGV[1], size)
      redis.call('HSET', KEYS[1], 'format', ${format}, 'version', ARGV[2], 'record', ARGV[3], 'working', ARGV[4], 'over', ARGV[6], 'size', size)
      list(ARGV[1], ARGV[6], ttl)
      if ARGV[4] == '1' then listWorking(ARGV[1], ARGV[4], ARGV[6], ttl) end
      return 1`,
  },
  /** The same, without the last two. 0: the version is not the next one. -1: no room. */
  tenonReplaceTask: {
    numberOfKeys: 5,
    lua: `${forgetTasks}${listTasks}
      local old = redis.call('HMGET', KEYS[1], 'format', 'version', 'working', 'over', 'size')
      if old[1] ~= '${format}' or tonumber(old[2]) ~= ARGV[2] - 1 then return 0 end
      local ttl, size = tonumber(ARGV[7]), #ARGV[3]
      local more = size - (old[5] or 0)
      if more > ${slackBytes} then
        forgetOld(ARGV[5])
        if tonumber(redis.call('HGET', KEYS[5], 'total') or 0) + more > tonumber(ARGV[8]) then return -1 end
      end
      if more ~= 0 then
        redis.call('HINCRBY', KEYS[5], 'total', more)
        redis.call('HSET', KEYS[5], ARGV[1], size)
      end
      redis.call('HSET', KEYS[1], 'version', ARGV[2], 'record', ARGV[3], 'working', ARGV[4], 'over', ARGV[6], 'size', size)
      if old[4] ~= ARGV[6] then list(ARGV[1], ARGV[6], ttl) end
      if old[3] ~= ARGV[4] or old[4] ~= ARGV[6] then listWorking(ARGV[1], ARGV[4], ARGV[6], ttl) end
      return 1`,
  },
  /** The same KEYS; ARGV name. */
  tenonDeleteTask: {
    numberOfKeys: 5,
    lua: `${forgetTasks}
      if (redis.call('HGET', KEYS[1], 'format') or '${format}') ~= '${format}' then return end
      redis.call('DEL', KEYS[1])
      redis.call('ZREM', KEYS[3], ARGV[1])
      forget(ARGV[1])`,
  },
  /** KEYS session; ARGV record, number of the last change, TTL. */
  tenonAddSession: {
    numberOfKeys: 1,
    lua: `
      if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('DEL', KEYS[1]) end
      redis.call('HSET', KEYS[1], 'format', ${format}, 'record', ARGV[1], 'version', 0, 'heard', 0, 'changes', ARGV[2])
      redis.call('PEXPIRE', KEYS[1], ARGV[3])`,
  },
  /** KEYS session; ARGV known version, TTL. Nothing: ended. 0: unchanged. Else the fields. */
  tenonUseSession: {
    numberOfKeys: 1,
    lua: `
      local held = redis.call('HMGET', KEYS[1], 'format', 'version')
      if held[1] ~= '${format}' then return false end
      redis.call('PEXPIRE', KEYS[1], ARGV[2])
      if held[2] == ARGV[1] then return 0 end
      return redis.call('HGETALL', KEYS[1])`,
  },
  /** KEYS session; ARGV fields to set (a name and a value each) or, with HDEL before it, the one to remove. */
  tenonChangeSession: {
    numberOfKeys: 1,
    lua: `
      if redis.call('HGET', KEYS[1], 'format') ~= '${format}' then return false end
      redis.call(ARGV[1], KEYS[1], unpack(ARGV, 2))
      return redis.call('HINCRBY', KEYS[1], 'version', 1)`,
  },
  /**
   * KEYS events, facts, streams of the session; ARGV name, last or '', limits: events, bytes, TTL, then channel and the texts.
   * Returns the number of the last of them.
   */
  tenonAppend: {
    numberOfKeys: 3,
    lua: `
      local most, mostBytes, ttl = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
      local added, size = #ARGV - 6, 0
      for index = 7, #ARGV do size = size + #ARGV[index] end
      local number = redis.call('HINCRBY', KEYS[2], 'last', added) - added
      local bytes = redis.call('HINCRBY', KEYS[2], 'bytes', size)
      local time = redis.call('TIME')
      local begun
      if number == 0 then
        redis.call('DEL', KEYS[1])
        begun = time[1] .. '.' .. time[2]
        redis.call('HSET', KEYS[2], 'begun', begun)
      else
        begun = redis.call('HGET', KEYS[2], 'begun')
      end
      for index = 7, #ARGV do
        number = number + 1
        redis.call('XADD', KEYS[1], number .. '-0', 't', ARGV[index])
        redis.call('PUBLISH', ARGV[6], number .. ' ' .. begun .. ' ' .. ARGV[2] .. ' ' .. ARGV[index])
      end
      local count = redis.call('XLEN', KEYS[1])
      local kept = bytes
      if number > added and count == added then kept = size end
      while count > most or (kept > mostBytes and count > 0) do
        local ids = {}
        local excess = math.min(math.max(count - most, 1), 100)
        for _, oldest in ipairs(redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', excess)) do
          ids[#ids + 1] = oldest[1]
          kept = kept - #oldest[2][2]
        end
        redis.call('XDEL', KEYS[1], unpack(ids))
        count = count - #ids
      end
      if kept ~= bytes then redis.call('HSET', KEYS[2], 'bytes', kept) end
      local factsTtl = ${factsMs} > ttl and ${factsMs} or ttl
      if ARGV[2] == 'last' then
        redis.call('HSET', KEYS[2], 'ended', 1)
        factsTtl = ttl
      end
      redis.call('PEXPIRE', KEYS[1], ttl)
      redis.call('PEXPIRE', KEYS[2], factsTtl)
      if ARGV[1] ~= '' then
        local now = time[1] * 1000 + math.floor(time[2] / 1000)
        redis.call('ZREMRANGEBYSCORE', KEYS[3], '-inf', now)
        redis.call('ZADD', KEYS[3], now + factsTtl, ARGV[1])
        if redis.call('PTTL', KEYS[3]) < factsTtl then redis.call('PEXPIRE', KEYS[3], factsTtl) end
      end
      return number`,
  },
  /** KEYS events, facts; ARGV TTL, channel. */
  tenonEnd: {
    numberOfKeys: 2,
    lua: `
      if redis.call('HGET', KEYS[2], 'ended') then return end
      redis.call('HSET', KEYS[2], 'ended', 1)
      redis.call('PEXPIRE', KEYS[1], ARGV[1])
      redis.call('PEXPIRE', KEYS[2], ARGV[1])
      redis.call('PUBLISH', ARGV[2], 'end')`,
  },
  /** KEYS events, facts; ARGV number. Returns the number of the last event, whether it ended, when it begun, its events. */
  tenonRead: {
    numberOfKeys: 2,
    lua: `
      local facts = redis.call('HMGET', KEYS[2], 'last', 'ended', 'begun')
      local last = tonumber(facts[1] or 0)
      local number = tonumber(ARGV[1])
      local events = {}
      if number < last then events = redis.call('XRANGE', KEYS[1], (number + 1) .. '-0', '+') end
      return { last, facts[2] and 1 or 0, facts[3] or '', events }`,
  },
  /** KEYS uses that are left; ARGV uses that come back per ms, the most. Returns the ms until there is one, 0: it was taken. */
  tenonTakeUse: {
    numberOfKeys: 1,
    lua: `
      local perMs, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
      local time = redis.call('TIME')
      local now = time[1] * 1000 + math.floor(time[2] / 1000)
      local held = redis.call('HMGET', KEYS[1], 'left', 'at')
      local left = math.min(burst, tonumber(held[1] or burst) + math.max(0, now - (held[2] or now)) * perMs)
      local wait = 0
      if left < 1 then wait = math.ceil((1 - left) / perMs) else left = left - 1 end
      redis.call('HSET', KEYS[1], 'left', left, 'at', now)
      redis.call('PEXPIRE', KEYS[1], math.ceil((burst - left) / perMs) + 1000)
      return wait`,
  },
  /**
   * KEYS the times at which the buckets are full again; ARGV take or charge, the cost, then the most and the ms to fill of each.
   * Returns the ms until each has something, 0: it was taken.
   */
  tenonTakeCounters: {
    numberOfKeys: 1,
    lua: `
      local time = redis.call('TIME')
      local now = time[1] * 1000 + time[2] / 1000
      local wait, longest, full = 0, 0, {}
      for index = 3, #ARGV, 2 do
        local most, ms = tonumber(ARGV[index]), tonumber(ARGV[index + 1])
        local from = math.max(now, tonumber(redis.call('HGET', KEYS[1], index) or now))
        wait = math.max(wait, from - now + ms / most - ms)
        full[index] = from + ARGV[2] * ms / most
        longest = math.max(longest, full[index] - now)
      end
      if ARGV[1] == 'take' and wait > 0.01 then return math.ceil(wait) end
      for index, at in pairs(full) do redis.call('HSET', KEYS[1], index, string.format('%.3f', at)) end
      redis.call('PEXPIRE', KEYS[1], math.ceil(longest) + 1000)
      return 0`,
  },
  /** KEYS record; ARGV add, set or the version to replace, then the new version, text, TTL. 0: that is not there, or one is. */
  tenonWriteRecord: {
    numberOfKeys: 1,
    lua: `
      local held = redis.call('HMGET', KEYS[1], 'format', 'version')
      if held[1] and held[1] ~= '${format}' then return 0 end
      if ARGV[1] == 'add' then
        if held[2] then return 0 end
      elseif ARGV[1] ~= 'set' and held[2] ~= ARGV[1] then return 0 end
      redis.call('HSET', KEYS[1], 'format', ${format}, 'version', ARGV[2], 'text', ARGV[3])
      redis.call('PEXPIRE', KEYS[1], ARGV[4])
      return 1`,
  },
  /** KEYS record; ARGV version, or nothing. */
  tenonDeleteRecord: {
    numberOfKeys: 1,
    lua: `
      local held = redis.call('HMGET', KEYS[1], 'format', 'version')
      if held[1] ~= '${format}' or (ARGV[1] ~= '' and held[2] ~= ARGV[1]) then return 0 end
      return redis.call('DEL', KEYS[1])`,
  },
  /** KEYS lock; ARGV holder, TTL. */
  tenonKeepLock: {
    numberOfKeys: 1,
    lua: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end`,
  },
  /** KEYS lock; ARGV holder. */
  tenonFreeLock: {
    numberOfKeys: 1,
    lua: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end`,
  },
}
