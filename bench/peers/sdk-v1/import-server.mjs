import '@modelcontextprotocol/sdk/server/mcp.js'
