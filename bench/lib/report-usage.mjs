// Lets a process under test report its usage. Also preloaded with --import into programs unaware of the bench.

export function reportUsage() {
  if (process.send === undefined) return
  process.on('message', (message) => {
    if (message.ask === 'usage') process.send({ usage: usage() })
    if (message.ask === 'memory') process.send({ memory: memory() })
    if (message.ask === 'exit') process.exit(0)
  })
  process.on('disconnect', () => process.exit(1))
  process.channel.unref()
}

function usage() {
  const { user, system } = process.cpuUsage()
  return { cpuSeconds: (user + system) / 1e6, rss: process.memoryUsage.rss() / 2 ** 20 }
}

function memory() {
  for (let i = 0; i < 3; i++) globalThis.gc?.()
  return process.memoryUsage()
}
