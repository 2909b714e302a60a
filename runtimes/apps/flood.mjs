// A view that sends messages without end, once it is told to begin.
addEventListener('message', ({ data }) => {
  if (data.id !== 1) return
  parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/initialized', params: {} }, '*')
  for (let id = 2; id < 10_002; id++) {
    parent.postMessage({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'private', arguments: {} } }, '*')
  }
})
const params = { appInfo: { name: 'flood', version: '1' }, appCapabilities: {}, protocolVersion: '2026-01-26' }
parent.postMessage({ jsonrpc: '2.0', id: 1, method: 'ui/initialize', params }, '*')
