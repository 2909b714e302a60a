/** `fetch` of Node, which is undici: a connection for each request in flight. */
export const openFetch = (port) => async (body, headers) => {
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body })
  return response.text()
}
